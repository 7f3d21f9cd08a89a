/// A fraction with its name and number: `margin  ▓▓▓▓▓░░░░  52 %`.
public struct Gauge: View {
  private let label: String
  private let value: Double
  private let text: String?
  private let role: ThemeRole

  /// - Parameters:
  ///   - label: The name of the quantity; empty for none. See ``View/labelWidth(_:)``.
  ///   - value: The fraction, from 0 to 1.
  ///   - text: The text at the right; `nil` for the percentage.
  ///   - role: The colour of the bar.
  public init(
    _ label: String, value: Double, text: String? = nil, role: ThemeRole = .accent
  ) {
    self.label = label
    self.value = value.isFinite ? min(1, max(0, value)) : 0
    self.text = text
    self.role = role
  }

  /// The view's content.
  public var body: some View {
    HStack(spacing: 1) {
      if !label.isEmpty { FieldLabel(text: label, role: .dim) }
      // When read aloud, the number is enough.
      ProgressBar(value: value, role: role).accessibilityLabel("")
      Text(text ?? "\(Int((value * 100).rounded())) %").lineLimit(1)
        .frame(minWidth: 5, alignment: .trailing)
    }
  }
}
