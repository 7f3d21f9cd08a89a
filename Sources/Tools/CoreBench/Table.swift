/// Prints a line per case as soon as it is measured.
@MainActor
struct Table {
  /// Only cases whose name contains it are measured; all if there is none.
  var filter: String?

  private static let columns = ["minimum", "median", "floor", "goal"]

  func printHeader(unit: String) {
    print(line("", Self.columns.map { $0 == "minimum" ? "\(unit): \($0)" : $0 }))
  }

  /// Measures a case and prints its line.
  ///
  /// - Parameters:
  ///   - name: The name of the case in the table of goals.
  ///   - goal: What the median may be; `nil` for a case that only explains another.
  ///   - floor: The same with a loop written by hand, measured just before.
  ///   - measured: Measures it.
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

  /// A whole number with its thousands apart; below ten with one decimal.
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
