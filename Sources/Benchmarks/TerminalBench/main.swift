import Glibc
import Terminal

/// The processor time of this process, in microseconds.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

/// Measures frames of 160×48 from the view to the bytes: the best of five runs, by frame.
@MainActor
func measure(
  _ name: String, rows: Int, microseconds: Int, bytes: Int, position: (Int) -> ListPosition
) {
  let host = ViewHost()
  host.features = [.synchronizedUpdate, .repeatGlyph, .backgroundErase, .insertLines]
  let size = Size(columns: 160, rows: 48)
  let count = 500
  var best = Double.infinity
  var written = 0
  for _ in 0..<5 {
    _ = host.render(PeopleView(count: rows, position: position(0)), size: size)
    written = 0
    let start = processorTime()
    for step in 1...count {
      written += host.render(PeopleView(count: rows, position: position(step)), size: size).count
    }
    best = min(best, (processorTime() - start) / Double(count))
  }
  let isMissed = best > Double(microseconds) || written / count > bytes
  let label = "\(name), \(rows) rows"
  let padding = String(repeating: " ", count: max(0, 28 - label.count))
  print(
    "\(label)\(padding) \(Int(best)) µs, \(written / count) bytes",
    "  goal \(microseconds) µs, \(bytes) bytes\(isMissed ? "   MISSED" : "")")
}

// The goals are those for the whole stack in one process; the store's share is measured apart.
for rows in [10, 10_000, 1_000_000] {
  measure("move", rows: rows, microseconds: 150, bytes: 190) { step in
    ListPosition(selected: step % 8, offset: 0)
  }
}
measure("scroll", rows: 10_000, microseconds: 150, bytes: 215) { step in
  ListPosition(selected: 43 + step, offset: step)
}
measure("nothing changed", rows: 10_000, microseconds: 150, bytes: 0) { _ in
  ListPosition(selected: 3, offset: 0)
}
