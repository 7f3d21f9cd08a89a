import Domain
import Testing

@Suite struct ShellWordTests {
  @Test(
    "A text is one word of a shell, in quotation marks where it needs them",
    arguments: [
      ("/home/ada/config.json5", "/home/ada/config.json5"), ("", "''"), ("my file", "'my file'"),
      ("Ada's", #"'Ada'\''s'"#), ("$HOME", "'$HOME'"), ("a;b", "'a;b'"), ("ä", "'ä'"),
    ])
  func word(text: String, word: String) { #expect(text.shellWord == word) }
}
