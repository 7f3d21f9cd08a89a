import Testing

@testable import Terminal

@Suite("Arbitrary bytes at arbitrary splits")
struct InputDecoderFuzzTests {
  private static let pieces: [[UInt8]] = [
    "\u{1B}", "\u{1B}[", "\u{1B}O", "\u{1B}]", "\u{1B}P", "\u{1B}_", "\u{1B}\\", "\u{1B}[200~",
    "\u{1B}[201~", "\u{1B}[<", "\u{1B}[M", "\u{1B}[[", ";", ":", "?", "1", "27", "~", "u", "A",
    "M", "m", "R", "\u{7}", "\u{18}", "\u{1A}", "\r", "é", "日", "😀", "$y", "c", "11;rgb:1/2/3",
  ].map { Array($0.utf8) }

  private func randomBytes(_ random: inout SeededRandom) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 1...60, using: &random) {
      if Int.random(in: 0..<3, using: &random) == 0 {
        bytes.append(UInt8.random(in: .min ... .max, using: &random))
      } else {
        bytes += Self.pieces.randomElement(using: &random)!
      }
    }
    return bytes
  }

  @Test(arguments: 0..<20)
  func splitsDoNotMatter(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    for _ in 0..<500 {
      let bytes = randomBytes(&random)
      var whole = InputDecoder()
      var expected: [DecodedInput] = []
      whole.feed(bytes, into: &expected)
      whole.timeout(into: &expected)

      var split = InputDecoder()
      var output: [DecodedInput] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...rest.count, using: &random)
        split.feed(rest.prefix(count), into: &output)
        rest = rest.dropFirst(count)
      }
      split.timeout(into: &output)
      #expect(output == expected, "bytes: \(bytes)")
    }
  }

  @Test func thePersonAlwaysGetsThrough() {
    var random = SeededRandom(seed: 42)
    for _ in 0..<3000 {
      var decoder = InputDecoder()
      var output: [DecodedInput] = []
      decoder.feed(randomBytes(&random), into: &output)
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
