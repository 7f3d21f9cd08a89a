/// A share with its name and number: `margin  ▓▓▓▓▓░░░░  52 %`.
public struct Gauge: View {
  private let label: String
  private let value: Double
  private let text: String?
  private let role: ThemeRole

  /// - Parameters:
  ///   - label: What is measured; empty for none. See ``View/labelWidth(_:)``.
  ///   - value: The share from 0 to 1.
  ///   - text: What stands at the right; `nil` for the share in per cent.
  ///   - role: The colour of the bar.
  public init(
    _ label: String, value: Double, text: String? = nil, role: ThemeRole = .accent
  ) {
    self.label = label
    self.value = value.isFinite ? min(1, max(0, value)) : 0
    self.text = text
    self.role = role
  }

  /// What the view is made of.
  public var body: some View {
    HStack(spacing: 1) {
      if !label.isEmpty { FieldLabel(text: label, role: .dim) }
      // The number beside it says it all.
      ProgressBar(value: value, role: role).accessibilityLabel("")
      Text(text ?? "\(Int((value * 100).rounded())) %").lineLimit(1)
        .frame(minWidth: 5, alignment: .trailing)
    }
  }
}
