import Glibc
import Terminal

/// Measures the parts of a frame separately: processor time, best of nine runs.
@MainActor
enum Parts {
  static let features: ScreenFeatures = [
    .synchronizedUpdate, .repeatGlyph, .backgroundErase, .insertLines,
  ]

  static func measure() {
    print("A frame of 160×48, from the view to the bytes:")
    for rows in [10, 10_000, 1_000_000] {
      frame("one row changed, \(rows) rows", rows: rows) { step in
        ListPosition(selected: step % 8, offset: 0)
      }
    }
    frame("page scrolled, 10000 rows", rows: 10_000) { step in
      ListPosition(selected: 43 + step, offset: step)
    }
    frame("nothing changed, 10000 rows", rows: 10_000) { _ in
      ListPosition(selected: 3, offset: 0)
    }
    print("The rest:")
    decoder()
    widths()
  }

  /// Returns the processor time of this process in nanoseconds.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  /// Returns the nanoseconds per repetition, if `work` makes `count` of them.
  private static func best(of count: Int, _ work: () -> Void) -> Double {
    var best = Double.infinity
    for _ in 0..<9 {
      let start = processorTime()
      work()
      best = min(best, processorTime() - start)
    }
    return best / Double(count)
  }

  private static func line(_ name: String, _ value: String) {
    print("  \(name)\(String(repeating: " ", count: max(1, 34 - name.count)))\(value)")
  }

  private static func frame(
    _ name: String, rows: Int, position: (Int) -> ListPosition
  ) {
    let host = ViewHost()
    host.features = features
    let size = Size(columns: 160, rows: 48)
    let count = 300
    var bytes = 0
    let time = best(of: count) {
      _ = host.render(PeopleView(count: rows, position: position(0)), size: size)
      bytes = 0
      for step in 1...count {
        bytes += host.render(PeopleView(count: rows, position: position(step)), size: size).count
      }
    }
    line(name, "\(Int(time / 1e3)) µs, \(bytes / count) bytes")
  }

  private static func decoder() {
    let session = Array(
      "jjjkk\u{1B}[A\u{1B}[B\u{1B}[<0;12;7M\u{1B}[<0;12;7mGrüße, 日本\u{1B}[200~pasted\u{1B}[201~"
        .utf8)
    var bytes: [UInt8] = []
    while bytes.count < 1_000_000 { bytes += session }
    let time = best(of: bytes.count) {
      var decoder = InputDecoder()
      var output: [DecodedInput] = []
      for start in stride(from: 0, to: bytes.count, by: 4_096) {
        decoder.feed(bytes[start..<min(start + 4_096, bytes.count)], into: &output)
        output.removeAll(keepingCapacity: true)
      }
    }
    line("decoding input", "\(Int(1e3 / time)) MB/s")
  }

  private static func widths() {
    let texts = ["Ada Lovelace", "Zoë Müller", "山田 太郎", "👩‍👩‍👧 e\u{301}"]
    let count = 20_000
    var sum = 0
    let time = best(of: count * texts.count) {
      for _ in 0..<count { for text in texts { sum += text.columns } }
    }
    line("width of a short text", "\(Int(time)) ns, \(Int(1e9 / time)) a second")
    precondition(sum > 0)
  }
}
