/// Prints a line per case as soon as it is measured.
final class Table {
  /// The number of missed goals.
  private(set) var missedCount = 0

  func printHeader(_ title: String, _ columns: [String]) { print(line(title, columns)) }

  /// - Parameter goal: The maximum for the median.
  func printLine(_ name: String, _ values: [Double], goal: Double?) {
    let sorted = values.sorted()
    let median = sorted[sorted.count / 2]
    let isMissed = isMissed(median, goal: goal)
    print(
      line(name, [text(median), text(sorted.last!), goal.map(text) ?? "–"])
        + (isMissed ? "  MISSED" : ""))
  }

  /// Prints a line for frames. Every frame must be in time, so the worst one is compared with the
  /// goal.
  func printLine(_ name: String, _ costs: [Cost], goal: Double? = 16.6) {
    let sorted = costs.sorted { $0.milliseconds < $1.milliseconds }
    let allocations = costs.compactMap(\.allocations).sorted()
    let worst = sorted.last!.milliseconds
    let isMissed = isMissed(worst, goal: goal)
    print(
      line(
        name,
        [
          text(sorted[sorted.count / 2].milliseconds), text(worst), goal.map(text) ?? "–",
          allocations.isEmpty ? "–" : "\(allocations[allocations.count / 2])",
        ]) + (isMissed ? "  MISSED" : ""))
  }

  private func isMissed(_ value: Double, goal: Double?) -> Bool {
    guard let goal, value > goal else { return false }
    missedCount += 1
    return true
  }

  private func line(_ name: String, _ values: [String]) -> String {
    values.reduce(name.padded(to: 42, leading: false)) { $0 + $1.padded(to: 13, leading: true) }
  }

  /// Formats a value with one decimal, or two below ten.
  private func text(_ value: Double) -> String {
    let scale = value < 10 ? 100.0 : 10.0
    return "\((value * scale).rounded() / scale)"
  }
}

extension String {
  fileprivate func padded(to width: Int, leading: Bool) -> String {
    let padding = String(repeating: " ", count: max(0, width - count))
    return leading ? padding + self : self + padding
  }
}
