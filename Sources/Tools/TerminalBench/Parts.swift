import Benching
import Glibc
import Terminal

/// Measures the parts of a frame separately: processor time, best of nine runs.
@MainActor
struct Parts {
  let bench: Bench

  private static let features: ScreenFeatures = [
    .synchronizedUpdate, .repeatGlyph, .backgroundErase, .insertLines,
  ]

  func measure() {
    bench.table("a frame of 160×48, from the view to the bytes", "µs", "bytes")
    for (rows, text) in [(10, "10"), (10_000, "10,000"), (1_000_000, "1,000,000")] {
      frame("one row changed, of \(text)", rows: rows) { step in
        ListPosition(selected: step % 8, offset: 0)
      }
    }
    frame("scrolled by a row, of 10,000", rows: 10_000) { step in
      ListPosition(selected: 43 + step, offset: step)
    }
    frame("nothing changed, of 10,000", rows: 10_000) { _ in
      ListPosition(selected: 3, offset: 0)
    }
    bench.table("text", "ns a byte or text")
    decoder()
    widths()
  }

  /// Returns the processor time of this process in nanoseconds.
  private func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  /// Returns the nanoseconds per operation, of which `work` makes `count`. Counts their work instead
  /// if work is counted.
  private func best(_ name: String, of count: Int, _ work: () -> Void) -> Double {
    work()
    guard !Bench.isCounting else {
      bench.count(name, [Work(of: count, work)])
      return 0
    }
    var best = Double.infinity
    for _ in 0..<9 {
      let start = processorTime()
      work()
      best = min(best, processorTime() - start)
    }
    return best / Double(count)
  }

  private func frame(_ name: String, rows: Int, position: (Int) -> ListPosition) {
    let host = ViewHost()
    host.features = Self.features
    let size = Size(columns: 160, rows: 48)
    let count = Bench.isCounting ? 10 : 300
    var bytes = 0
    _ = host.render(PeopleView(count: rows, position: position(0)), size: size)
    let time = best(name, of: count) {
      bytes = 0
      for step in 1...count {
        bytes += host.render(PeopleView(count: rows, position: position(step)), size: size).count
      }
    }
    bench.row(name, [figure(time / 1e3), figure(Double(bytes / count))])
  }

  private func decoder() {
    let session = Array(
      "jjjkk\u{1B}[A\u{1B}[B\u{1B}[<0;12;7M\u{1B}[<0;12;7mGrüße, 日本\u{1B}[200~pasted\u{1B}[201~"
        .utf8)
    var bytes: [UInt8] = []
    while bytes.count < (Bench.isCounting ? 10_000 : 1_000_000) { bytes += session }
    let time = best("decoding input", of: bytes.count) {
      var decoder = InputDecoder()
      var output: [DecodedInput] = []
      for start in stride(from: 0, to: bytes.count, by: 4_096) {
        decoder.feed(bytes[start..<min(start + 4_096, bytes.count)], into: &output)
        output.removeAll(keepingCapacity: true)
      }
    }
    bench.row("decoding input", [figure(time)])
  }

  private func widths() {
    let texts = ["Ada Lovelace", "Zoë Müller", "山田 太郎", "👩‍👩‍👧 e\u{301}"]
    let count = Bench.isCounting ? 100 : 20_000
    var sum = 0
    let time = best("width of a short text", of: count * texts.count) {
      for _ in 0..<count { for text in texts { sum += text.columns } }
    }
    bench.row("width of a short text", [figure(time)])
    precondition(sum > 0)
  }
}
