import Testing

@testable import Terminal

struct ListMatcherTests {
  @Test(
    "A text matches if it contains every word of the query, ignoring case",
    arguments: [
      ("", "Ada", true), ("  ", "Ada", true), ("ada", "", false),
      ("ada", "Ada Lovelace", true), ("LACE ad", "Ada Lovelace", true),
      ("lovelacy", "Ada Lovelace", false), ("ada z", "Ada Lovelace", false),
      ("lovelace", "lace", false), ("e@e", "ada@EXAMPLE.org", false),
      ("a@e", "ada@EXAMPLE.org", true),
      ("müller", "Zoë MÜLLER", true), ("zoe", "Zoë Müller", false), ("太", "山田 太郎", true),
      ("[", "{", false), ("{", "[", false), ("@", "`", false),
    ])
  func words(query: String, text: String, isShown: Bool) {
    #expect(ListMatcher(words: query).matches(text) == isShown)
  }

  @Test("ListMatcher agrees with Swift's lowercased and contains for 5,000 random texts")
  func agreesWithTheStandardLibrary() {
    var random = SystemRandomNumberGenerator()
    let letters = ["a", "A", "b", "B", " ", "@", "z", "é", "É", "e", "\u{301}", "山"]
    func word(_ limit: Int) -> String {
      (0..<Int.random(in: 0...limit, using: &random)).map { _ in letters.randomElement()! }.joined()
    }
    for _ in 0..<5_000 {
      let (query, text) = (word(4), word(9))
      let expected = query.lowercased().split(separator: " ").allSatisfy {
        text.lowercased().contains($0)
      }
      #expect(ListMatcher(words: query).matches(text) == expected, "“\(query)” in “\(text)”")
    }
  }
}
