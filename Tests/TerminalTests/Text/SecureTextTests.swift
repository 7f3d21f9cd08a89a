import FoundationEssentials
import Terminal
import Testing

struct SecureTextTests {
  private let secret = SecureText("öpen sesame")
  private let dots = "•••••••••••"

  @Test func everythingButItself_showsDots() throws {
    #expect(secret.plainText == "öpen sesame")
    #expect("\(secret)" == dots)
    #expect(String(reflecting: secret) == dots)
    var dumped = ""
    dump(secret, to: &dumped)
    #expect(!dumped.contains("sesame"))
  }

  @Test func whatIsWritten_isReadAsDots() throws {
    let edit = TextEdit.insertSecurely(secret)
    let data = try JSONEncoder().encode(edit)
    #expect(String(decoding: data, as: UTF8.self) == #"{"insertSecurely":{"_0":"\#(dots)"}}"#)
    #expect(
      try JSONDecoder().decode(TextEdit.self, from: data) == .insertSecurely(SecureText(dots)))
  }

  @Test func anInput_takesItAsText() {
    var input = TextInput("x", limit: 5, isSecure: true)
    input.apply(.insertSecurely(SecureText("yz\u{7}abc")))
    #expect(input.text == "xyzab")
    #expect(input.cursor == 5)
    input.apply(.undo)
    #expect(input.text == "x")
  }

  @Test func aSecureInput_isDescribedByDots() {
    var input = TextInput("1234", isSecure: true)
    input.apply(.kill(.lineStart))
    input.apply(.yank)
    #expect("\(input)" == "••••")
    var dumped = ""
    dump(input, to: &dumped)
    #expect(!dumped.contains("1234"))
    #expect("\(TextInput("Ada"))" == "\"Ada\"")
    #expect(input != TextInput("1234"))
  }
}
