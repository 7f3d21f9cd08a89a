import Benching

/// A table of all programs, with the ratios of the last to the others, and a line of JSON with a member
/// for each program.
@MainActor
func printTable(of measurements: [Measurement], _ bench: Bench) {
  bench.table(
    "program", "start, ms", "memory, MiB", "a move, bytes", "ms", "CPU µs", "a scroll, bytes", "ms",
    "CPU µs", "a storm's frame, bytes", "CPU µs")
  for measurement in measurements {
    bench.row(measurement.name, measurement.values.map(figure))
  }
  bench.row("goal", ["5", "9", "190", "0.25", "150", "215", "0.3", "–", "190", "50"])
  guard let last = measurements.last else { return }
  for peer in measurements.dropLast() {
    bench.row(
      "\(last.name) : \(peer.name)",
      zip(last.values, peer.values).map { $1 > 0 ? "×" + figure($0 / $1) : "–" })
  }
  let members = measurements.map { measurement in
    let values = zip(Measurement.names, measurement.values).map { name, value in
      "\"\(name)\":\((value * 100).rounded() / 100)"
    }
    return "\"\(measurement.name)\":{\(values.joined(separator: ","))}"
  }
  print("\n{\(members.joined(separator: ","))}")
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

  /// The names of the values in JSON.
  fileprivate static let names = [
    "start_ms", "memory_mib", "move_bytes", "move_ms", "move_cpu_us", "scroll_bytes", "scroll_ms",
    "scroll_cpu_us", "storm_bytes", "storm_cpu_us",
  ]
}
