import Benching

/// A table of all programs, with the ratio of the last to the first.
@MainActor
func printTable(of measurements: [Measurement], _ bench: Bench) {
  bench.table(
    "program", "start, ms", "memory, MiB", "a move, bytes", "ms", "CPU µs", "a scroll, bytes", "ms",
    "CPU µs", "a storm's frame, bytes", "CPU µs")
  for measurement in measurements {
    bench.row(measurement.name, measurement.values.map(figure))
  }
  bench.row("goal", ["5", "9", "190", "0.25", "150", "215", "0.3", "–", "190", "50"])
  guard let first = measurements.first, let last = measurements.last, measurements.count > 1 else {
    return
  }
  bench.row(
    "\(last.name) : \(first.name)",
    zip(last.values, first.values).map { $1 > 0 ? "×" + figure($0 / $1) : "–" })
}

extension Measurement {
  /// The values in the order of the table's columns.
  fileprivate var values: [Double] {
    [
      startMilliseconds, memoryMiB, Double(move.bytes), move.milliseconds, move.microseconds,
      Double(scroll.bytes), scroll.milliseconds, scroll.microseconds, Double(stormBytes),
      stormMicroseconds,
    ]
  }
}
