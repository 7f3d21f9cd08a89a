import Benching

/// The cases to measure, and the table of their results.
@MainActor
struct Table {
  let bench: Bench
  /// Measures only cases whose names contain this text; `nil` measures all.
  let filter: String?

  /// Measures a case and prints its row.
  ///
  /// - Parameters:
  ///   - name: The name of the case.
  ///   - peer: What The Composable Architecture takes, as text.
  ///   - goal: The maximum for the median; `nil` for a case that only explains another.
  ///   - floor: Measures the same with a handwritten loop, just before.
  ///   - measured: Measures the case.
  func measure(
    _ name: String, peer: String = "–", goal: Int?,
    floor: (@MainActor () async -> Figures)? = nil, _ measured: @MainActor () async -> Figures
  ) async {
    if let filter, !name.contains(filter) { return }
    let floor = Bench.isCounting ? nil : await floor?()
    let figures = await measured()
    if let work = figures.work { bench.count(name, [work]) }
    bench.row(
      name,
      [
        peer, floor.map { figure($0.median) } ?? "–", goal.map { figure(Double($0)) } ?? "–",
        figure(figures.minimum), figure(figures.median),
      ], judged: figures.median, goal: goal.map(Double.init))
  }
}
