import AllocationCounter
import Glibc
import Testing

@testable import Terminal

/// `make test` decodes two million bytes; `make fuzz` as many as `FUZZ_BYTES` says, from another
/// start each time.
@Suite("Arbitrary bytes at arbitrary splits")
struct InputDecoderFuzzTests {
  private static let pieces: [[UInt8]] = [
    "\u{1B}", "\u{1B}[", "\u{1B}O", "\u{1B}]", "\u{1B}P", "\u{1B}_", "\u{1B}\\", "\u{1B}[200~",
    "\u{1B}[201~", "\u{1B}[<", "\u{1B}[M", "\u{1B}[[", ";", ":", "?", "1", "27", "~", "u", "A",
    "M", "m", "R", "\u{7}", "\u{18}", "\u{1A}", "\r", "é", "日", "😀", "$y", "c", "11;rgb:1/2/3",
    "\u{1B}[<35;10;20M", "\u{1B}[48;24;80;480;640t", "\u{1B}[97;5:3u", "\u{1B}[?997;1n",
    "\u{1B}[?1016;1$y", "\u{1B}[?1016;2$y", "\u{1B}[6;20;10t",
    "9999999999", ";;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;",
  ].map { Array($0.utf8) }

  /// Pieces of sequences among any bytes.
  private static func randomBytes(pieces count: Int, _ random: inout SeededRandom) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<count {
      let choice = random.next()
      if choice % 3 == 0 {
        bytes.append(UInt8(truncatingIfNeeded: choice >> 8))
      } else {
        bytes += pieces[Int(choice >> 8) % pieces.count]
      }
    }
    return bytes
  }

  /// Now and then something endless.
  private static func endless(_ random: inout SeededRandom) -> [UInt8] {
    let begin = pieces[Int(random.next() >> 8) % pieces.count]
    return begin + [UInt8](repeating: UInt8(truncatingIfNeeded: random.next()), count: 150_000)
  }

  private static let environment = getenv("FUZZ_BYTES").flatMap { Int(String(cString: $0)) }

  @Test func splitsDoNotMatter() {
    let wanted = Self.environment ?? 2_000_000
    let seed: UInt64 = Self.environment == nil ? 1 : .random(in: 0 ... .max)
    var random = SeededRandom(seed: seed)
    var whole = InputDecoder()
    var split = InputDecoder()
    var expected: [DecodedInput] = []
    var output: [DecodedInput] = []
    var count = 0
    let heapBefore = allocation_bytes()
    while count < wanted {
      let bytes =
        random.next() % 2000 == 0
        ? Self.endless(&random)
        : Self.randomBytes(pieces: Int(random.next() % 400) + 1, &random)
      count += bytes.count
      whole.feed(bytes, into: &expected)
      var start = 0
      while start < bytes.count {
        let end = min(bytes.count, start + 1 + Int(random.next() >> 40 % 64))
        split.feed(bytes[start..<end], into: &output)
        start = end
      }
      if random.next() % 4 == 0 {
        whole.timeout(into: &expected)
        split.timeout(into: &output)
      }
      guard output == expected, whole.isWaiting == split.isWaiting else {
        Issue.record("seed \(seed), after \(count) bytes: \(bytes)")
        return
      }
      expected.removeAll(keepingCapacity: true)
      output.removeAll(keepingCapacity: true)
    }
    expected = []
    output = []
    // What two decoders hold of a paste and of a string.
    let heap = allocation_bytes() - heapBefore
    #expect(heap < 8 << 20)
    if Self.environment != nil { print("\(count) bytes from seed \(seed), heap \(heap) bytes") }
  }

  @Test func thePersonAlwaysGetsThrough() {
    var random = SeededRandom(seed: 42)
    for _ in 0..<3000 {
      var decoder = InputDecoder()
      var output: [DecodedInput] = []
      decoder.feed(Self.randomBytes(pieces: 30, &random), into: &output)
      // Whatever came before – CAN, the end of a paste, quiet – the next key counts.
      decoder.feed([0x18, 0x18, 0x18, 0x18], into: &output)
      decoder.feed(Array("\u{1B}[201~".utf8), into: &output)
      decoder.timeout(into: &output)
      decoder.timeout(into: &output)
      output.removeAll()
      decoder.feed([0x71], into: &output)
      #expect(output == [.event(.key("q"))])
    }
  }
}
