public import Terminal

/// A row of small bars for a series of numbers, newest on the right: `▂▃▅▇▆`.
public struct Sparkline: View {
  private let values: [Double]
  private let role: ThemeRole

  /// Creates a sparkline.
  /// - Parameter values: The numbers, oldest first. The highest fills its cell; negative and
  ///   non-finite values count as 0. If there are too many, the oldest are left out.
  public init(_ values: [Double], role: ThemeRole = .accent) {
    self.values = values
    self.role = role
  }

  /// The content of the view.
  public var body: some View {
    SizeReader { size in
      Text(bars(values.suffix(size.columns))).foreground(role)
    }
    .frame(
      minWidth: 0, idealWidth: values.count, maxWidth: values.count, minHeight: 1, maxHeight: 1
    )
    .accessibilityLabel(spoken)
  }

  private func bars(_ shown: ArraySlice<Double>) -> String {
    let most = values.reduce(0) { $1.isFinite ? max($0, $1) : $0 }
    let shares = shown.map { most > 0 && $0.isFinite ? max(0, $0) / most : 0 }
    return String(shares.map { Self.bars[min(7, Int(($0 * 7).rounded()))] })
  }

  private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// The newest number and the range of all, for screen readers.
  private var spoken: String {
    let finite = values.filter(\.isFinite)
    guard let last = finite.last, let least = finite.min(), let most = finite.max() else {
      return "no numbers"
    }
    return "\(short(last)), between \(short(least)) and \(short(most))"
  }

  /// Formats a number with at most two decimals.
  private func short(_ value: Double) -> String {
    let rounded = (value * 100).rounded() / 100
    return Int(exactly: rounded).map(String.init) ?? "\(rounded)"
  }
}
