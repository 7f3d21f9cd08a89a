/// Prints a line per case as soon as it is measured.
@MainActor
struct Table {
  /// Measures only cases whose names contain this text; `nil` measures all.
  var filter: String?

  private static let columns = ["minimum", "median", "floor", "goal"]

  func printHeader(unit: String) {
    print(line("", Self.columns.map { $0 == "minimum" ? "\(unit): \($0)" : $0 }))
  }

  /// Measures a case and prints its line.
  ///
  /// - Parameters:
  ///   - name: The name of the case in the table of goals.
  ///   - goal: The maximum for the median; `nil` for a case that only explains another.
  ///   - floor: Measures the same with a handwritten loop, just before.
  ///   - measured: Measures the case.
  func measure(
    _ name: String, goal: Int?, floor: (@MainActor () async -> Figures)? = nil,
    _ measured: @MainActor () async -> Figures
  ) async {
    if let filter, !name.contains(filter) { return }
    let floor = await floor?()
    let figures = await measured()
    let isMissed = goal.map { figures.median > Double($0) } ?? false
    print(
      line(
        name,
        [
          text(figures.minimum), text(figures.median), floor.map { text($0.median) } ?? "–",
          goal.map { text(Double($0)) } ?? "–",
        ]) + (isMissed ? "  MISSED" : ""))
  }

  private func line(_ name: String, _ values: [String]) -> String {
    values.reduce(name.padded(to: 50, leading: false)) { $0 + $1.padded(to: 13, leading: true) }
  }

  /// Formats a whole number with thousands separators; below ten with one decimal.
  private func text(_ value: Double) -> String {
    if value < 10 { return "\((value * 10).rounded() / 10)" }
    var digits = Array("\(Int(value.rounded()))")
    for index in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: index) }
    return String(digits)
  }
}

extension String {
  fileprivate func padded(to width: Int, leading: Bool) -> String {
    let padding = String(repeating: " ", count: max(0, width - count))
    return leading ? padding + self : self + padding
  }
}
