import Domain
import Testing

@Suite struct ShellWordTests {
  @Test(
    "A text becomes one shell word, in quotation marks if it needs them",
    arguments: [
      ("/home/ada/config.json5", "/home/ada/config.json5"), ("", "''"), ("my file", "'my file'"),
      ("Ada's", #"'Ada'\''s'"#), ("$HOME", "'$HOME'"), ("a;b", "'a;b'"), ("ä", "'ä'"),
    ])
  func word(text: String, word: String) { #expect(text.shellWord == word) }
}
