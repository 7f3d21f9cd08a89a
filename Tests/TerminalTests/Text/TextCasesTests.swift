import Terminal
import Testing

/// Width, wrapping and truncation of texts that terminals and text libraries have got wrong.
@Suite("Widths, wrapping and truncation of difficult texts")
struct TextCasesTests {
  @Test(
    arguments: [
      ("가\u{11A8}", 2), ("\u{1100}\u{1161}\u{11A8}", 2), ("\u{A960}\u{1161}", 2), ("ꥠ", 2),
      ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("👩🏽‍🚀", 2), ("🧑🏿‍🤝‍🧑🏻", 2), ("🏳️‍🌈", 2), ("🏳", 1), ("☺️", 2), ("☺", 1),
      ("🇩🇪🇫🇷", 4), ("🇩🇪🇫", 3), ("#️⃣", 2), ("#", 1), ("⚡︎", 1), ("⚡", 2), ("〰", 2), ("㊙", 2), ("©", 1),
      ("①", 1), ("…", 1), ("“”", 2), ("°", 1), ("０", 2), ("｡", 1), ("￦", 2), ("ﾊﾟ", 2), ("が", 2),
      ("か\u{3099}", 2), ("\u{A9}\u{FE0F}", 2), ("ā̱̃", 1), ("\u{1F3FB}", 2), ("\u{1F468}\u{200D}", 2),
      ("a\u{200D}b", 2), ("\u{2060}a", 1), ("\u{ADFF}", 2), ("𝒳", 1), ("𠀀", 2),
      ("\u{E9}\u{20DD}", 1),
      ("ൺ", 1),
      ("လ်", 1), ("ကို", 1), ("བོད", 2), ("مرحبا", 5), ("שָׁלוֹם", 4), ("ﷺ", 1), ("\u{AD}", 0), ("⠿", 1),
      ("\u{1FB00}", 1), ("\u{E0B0}", 1), ("⏏", 1), ("🀄", 2), ("🈁", 2), ("\u{2E3A}", 1),
      ("\u{3000}", 2), ("\u{303F}", 1),
    ] as [(String, Int)])
  func width(text: String, columns: Int) {
    #expect(text.columns == columns)
  }

  @Test(
    arguments: [
      ("a b", 1, ["a", "b"]), ("  ", 4, [""]), ("ab cd", 2, ["ab", "cd"]),
      ("ab  cd", 3, ["ab", "cd"]),
      ("ab-", 3, ["ab-"]), ("ab-", 2, ["ab", "-"]), ("a-b-c-d", 4, ["a-b-", "c-d"]),
      ("日 本", 2, ["日", "本"]), ("a日b", 2, ["a", "日", "b"]), ("日本", 3, ["日", "本"]),
      ("\n", 5, ["", ""]), ("a\n", 5, ["a", ""]), ("a\u{B}b", 5, ["a", "b"]),
      ("a\u{2028}b", 5, ["a", "b"]),
      ("👨‍👩‍👧👨‍👩‍👧", 3, ["👨‍👩‍👧", "👨‍👩‍👧"]), ("e\u{301}e\u{301}", 1, ["e\u{301}", "e\u{301}"]),
      ("\tx", 4, ["x"]), ("a\tb\tc", 20, ["a   b   c"]), ("日\tb", 20, ["日  b"]),
      ("http://example.org/a-b", 10, ["http://", "example.or", "g/a-b"]),
      ("x — y", 3, ["x —", "y"]), ("--help me", 6, ["--help", "me"]),
      ("a\u{2011}b c", 3, ["a\u{2011}b", "c"]),
    ] as [(String, Int, [String])])
  func wrapping(text: String, columns: Int, lines: [String]) {
    #expect(text.wrapped(to: columns) == lines)
  }

  @Test(arguments: [
    ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 2, "…"), ("日本語", 6, "日本語"), ("ab", 1, "…"),
    ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("👨‍👩‍👧abc", 4, "👨‍👩‍👧a…"), ("🇩🇪🇫🇷", 3, "🇩🇪…"),
    ("a\nb", 3, "a b"), ("", 3, ""),
  ])
  func cutting(text: String, columns: Int, shown: String) {
    #expect(text.truncated(to: columns) == shown)
  }
}
