import Testing

@testable import Terminal

@Suite("Pasted text")
struct PasteTests {
  private let start = "\u{1B}[200~"
  private let end = "\u{1B}[201~"

  private func decode(_ pieces: String...) -> [DecodedInput] {
    var decoder = InputDecoder()
    var output: [DecodedInput] = []
    for piece in pieces { decoder.feed(Array(piece.utf8), into: &output) }
    decoder.timeout(into: &output)
    return output
  }

  @Test func aPasteIsOneEvent() {
    #expect(decode(start, "one\rtwo", end) == [.event(.paste("one\ntwo"))])
  }

  @Test func controlCharactersAreRemoved() {
    #expect(
      decode(start, "a\u{1B}[31m\u{7}\u{3}b\tc\u{202E}", end) == [.event(.paste("a[31mb\tc"))])
  }

  @Test func anEmbeddedEndMarkerMakesNoKeys() {
    #expect(
      decode(start, "safe", end, "!!!!!\r", end)
        == [.event(.paste("safe")), .event(.paste("!!!!!\n"))])
    #expect(
      decode(start, "safe", end, "!!!!!", start, "x", end)
        == [.event(.paste("safe")), .event(.paste("!!!!!")), .event(.paste("x"))])
  }

  @Test func keysAfterAPasteWaitForQuietAndThenAct() {
    var decoder = InputDecoder()
    var output: [DecodedInput] = []
    decoder.feed(Array((start + "text" + end + "q\u{1B}[A").utf8), into: &output)
    #expect(output == [.event(.paste("text"))])
    #expect(decoder.isWaiting)
    decoder.timeout(into: &output)
    #expect(output == [.event(.paste("text")), .event(.key("q")), .event(.key("up"))])
    #expect(!decoder.isWaiting)
  }

  @Test func aFalseEndInsideAMarkerIsText() {
    #expect(decode(start, "\u{1B}[201x\u{1B}[20\u{1B}[201~") == [.event(.paste("[201x[20"))])
  }

  @Test func aHugePasteIsBounded() {
    var decoder = InputDecoder()
    var output: [DecodedInput] = []
    decoder.feed(Array(start.utf8), into: &output)
    let block = Array(repeating: UInt8(ascii: "x"), count: 1 << 16)
    // 50 MB, of which only the first megabyte is kept.
    for _ in 0..<800 { decoder.feed(block, into: &output) }
    decoder.feed(Array(end.utf8), into: &output)
    #expect(output == [.event(.paste(String(repeating: "x", count: PasteCollector.limit)))])
    decoder.timeout(into: &output)
    decoder.feed([UInt8(ascii: "q")], into: &output)
    #expect(output.last == .event(.key("q")))
  }

  @Test func anEmptyPasteIsNothing() {
    #expect(decode(start, end).isEmpty)
  }
}
