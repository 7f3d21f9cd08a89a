import Domain
import Testing

@Suite struct OutgoingTextTests {
  @Test(
    "Invisible, control and direction characters are removed from outgoing text",
    arguments: [
      ("exe.\u{202E}gpj", "exe.gpj"), ("\u{2066}a\u{2069}\u{202A}b\u{202C}", "ab"),
      ("\u{200E}a\u{200F}b\u{61C}c", "abc"), ("a\u{200B}b\u{2060}c\u{FEFF}d\u{AD}e", "abcde"),
      ("a\u{1B}[2J\r\u{0}b\u{85}", "a[2Jb"), ("a\u{2028}b\u{2029}c", "a\nb\nc"),
      ("x\u{E0041}\u{E0042}", "x"), ("", ""), ("a\n\tb ~", "a\n\tb ~"),
    ])
  func removed(text: String, left: String) { #expect(text.outgoing == left) }

  @Test(
    "Words of every script, and emoji, stay unchanged in outgoing text",
    arguments: [
      "נועה", "ليلى الهاشمي", "می‌خواهم", "ശ്രീ‍", "क्‍ष", "👩‍👩‍👧", "🏴󠁧󠁢󠁳󠁣󠁴󠁿 ❤️", "\u{600}١٢", "e\u{301}",
      "Zoë O’Neill-Łukasz",
    ])
  func kept(text: String) { #expect(Array(text.outgoing.utf8) == Array(text.utf8)) }
}
