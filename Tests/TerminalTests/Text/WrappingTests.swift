import struct Composable.SplitMix64
import Terminal
import Testing

@Suite("Wrapping by words")
struct WrappingTests {
  @Test(
    arguments: [
      ("", 10, [""]),
      ("one two three", 13, ["one two three"]),
      ("one two three", 8, ["one two", "three"]),
      ("one two three", 3, ["one", "two", "thr", "ee"]),
      ("one  two", 3, ["one", "two"]),
      ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
      ("to abcdefghij", 4, ["to", "abcd", "efgh", "ij"]),
      ("first\nsecond", 20, ["first", "second"]),
      ("first\r\n\nthird", 20, ["first", "", "third"]),
      ("well-known fact", 6, ["well-", "known", "fact"]),
      ("competence—enough", 12, ["competence—", "enough"]),
      ("“12:30–13:45”", 9, ["“12:30–", "13:45”"]),
      ("‐—", 1, ["‐", "—"]),
      ("foob-foobar", 4, ["foob", "-foo", "bar"]),
      ("at -5 °C", 4, ["at", "-5", "°C"]),
      ("due 2026-11-30", 12, ["due", "2026-11-30"]),
      ("size-18 boots", 8, ["size-18", "boots"]),
      ("twenty-one", 8, ["twenty-", "one"]),
      ("with --not-me", 10, ["with", "--not-me"]),
      ("an e-mail", 6, ["an", "e-mail"]),
      ("日本語 text", 4, ["日本", "語", "text"]),
      ("日本語", 1, [""]),
      ("  indented", 20, ["  indented"]),
      ("a\tb", 20, ["a   b"]),
      ("x", 0, ["x"]),
      ("trailing   ", 20, ["trailing"]),
      ("non\u{A0}breaking space", 12, ["non\u{A0}breaking", "space"]),
      // UAX 14: nothing that closes begins a line, nothing that opens ends one.
      ("日本語。", 6, ["日本", "語。"]),
      ("「日本」", 4, ["「日", "本」"]),
      ("日本（語）！", 8, ["日本", "（語）！"]),
      ("日本!", 4, ["日", "本!"]),
      ("ああラーメン", 6, ["ああ", "ラーメ", "ン"]),
      ("人々", 3, ["人", "々"]),
      ("(日本)", 3, ["(日", "本)"]),
      ("see (日本) now", 7, ["see (日", "本) now"]),
      ("。。。", 2, ["。", "。", "。"]),
      // What is too long for a line breaks after a slash, and nothing else does.
      ("https://example.org/a/long", 20, ["https://example.org/", "a/long"]),
      ("https://example.org", 9, ["https://", "example.o", "rg"]),
      ("on 24/12 and/or", 8, ["on 24/12", "and/or"]),
      ("on 24/12", 6, ["on", "24/12"]),
      ("cd /usr/share", 8, ["cd", "/usr/", "share"]),
      ("cd /usr/share", 10, ["cd", "/usr/share"]),
    ] as [(String, Int, [String])])
  func breaksLines(text: String, columns: Int, lines: [String]) {
    #expect(text.wrapped(to: columns) == lines)
  }

  @Test func noLineIsWiderThanAskedFor() {
    let text = "The quick 日本語 brown 👨‍👩‍👧‍👦 fox-trot jumps\tover\n   the lazy dog"
    for columns in 2...40 {
      for line in text.wrapped(to: columns) { #expect(line.columns <= columns) }
    }
  }

  @Test func nothingButWhiteSpaceIsLost() {
    let text = "The quick 日本語 brown fox-trot jumps over the lazy dog"
    for columns in 2...40 {
      let joined = text.wrapped(to: columns).joined().filter { $0 != " " }
      #expect(joined == text.filter { $0 != " " })
    }
  }

  @Test func anyTextFitsAndLosesNothing() {
    var random = SplitMix64(seed: 5)
    let pieces = [
      "a", "word", " ", "  ", "-", "日", "é", "👨‍👩‍👧‍👦", "\t", "\n", "\r\n", "\u{1B}", "🇩🇪", "\u{A0}", "。",
      "\u{2028}",
    ]
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 0...30, using: &random)).map { _ in
        pieces.randomElement(using: &random)!
      }.joined()
      let columns = Int.random(in: 2...12, using: &random)
      let lines = text.wrapped(to: columns)
      if lines.contains(where: { $0.columns > columns }) {
        Issue.record("\(text.debugDescription) in \(columns)")
      }
      let shown = lines.joined().filter { $0 != " " }
      let given = text.sanitized.filter { $0 != " " }
      if shown != given { Issue.record("\(text.debugDescription) in \(columns): \(lines)") }
    }
  }

  @Test func aHugeWordIsBroken() {
    let lines = String(repeating: "x", count: 100_000).wrapped(to: 100)
    #expect(lines.count == 1000)
    #expect(lines.allSatisfy { $0.columns == 100 })
  }
}
