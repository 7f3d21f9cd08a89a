import Terminal
import Testing

@Suite("Truncation by columns")
struct TruncationTests {
  @Test(arguments: [
    ("Charles Babbage", 15, "Charles Babbage"),
    ("Charles Babbage", 8, "Charles…"),
    ("Charles Babbage", 1, "…"),
    ("Charles Babbage", 0, ""),
    ("Charles Babbage", -3, ""),
    ("日本語", 6, "日本語"),
    ("日本語", 5, "日本…"),
    ("日本語", 4, "日…"),
    ("a\nb", 3, "a b"),
  ])
  func cutsTheTail(text: String, columns: Int, result: String) {
    #expect(text.truncated(to: columns) == result)
  }

  @Test func cutsTheHeadAndTheMiddle() {
    #expect("Charles Babbage".truncated(to: 8, .head) == "…Babbage")
    #expect("Charles Babbage".truncated(to: 8, .middle) == "Char…age")
    #expect("日本語日本語".truncated(to: 6, .middle) == "日…語")
    #expect("Charles".truncated(to: 5, ellipsis: "...") == "Ch...")
    #expect("Charles".truncated(to: 2, ellipsis: "...") == "Ch")
  }

  @Test func neverCoversMoreThanAskedFor() {
    let texts = ["Ada Lovelace", "日本語のテキスト", "👨‍👩‍👧‍👦 family", "e\u{301}te\u{301}", "❤️❤️❤️"]
    for text in texts {
      for columns in 0...20 {
        for truncation in [Truncation.tail, .head, .middle] {
          #expect(text.truncated(to: columns, truncation).columns <= columns)
        }
      }
    }
  }

  @Test func aHugeNameIsCut() {
    let name = String(repeating: "名", count: 10_000)
    #expect(name.truncated(to: 9) == "名名名名…")
  }
}
