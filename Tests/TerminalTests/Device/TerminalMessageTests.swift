import TerminalTesting
import Testing

@testable import Terminal

@Suite("Clipboard and notification sequences")
struct TerminalMessageTests {
  private func text(_ message: TerminalMessage, _ terminal: String? = nil) throws -> String {
    String(decoding: try #require(message.bytes(for: terminal)), as: UTF8.self)
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"), ("é\u{1B}\n", "w6kbCg=="),
  ])
  func theClipboardGetsBase64(content: String, encoded: String) throws {
    #expect(try text(.copy(content)) == "\u{1B}]52;c;\(encoded)\u{1B}\\")
  }

  @Test func aTextTooLongForTheClipboardIsRefused() {
    #expect(TerminalMessage.copy(String(repeating: "x", count: 74_994)).bytes(for: nil) != nil)
    #expect(TerminalMessage.copy(String(repeating: "x", count: 74_995)).bytes(for: nil) == nil)
  }

  @Test func notificationsAreWrittenAsTheTerminalKnowsThem() throws {
    let message = TerminalMessage.notify(title: "Ada; King", body: "is\u{7} overdue")
    #expect(try text(message) == "\u{1B}]777;notify;Ada, King;is␇ overdue\u{1B}\\")
    #expect(try text(message, "iTerm2 3.5") == "\u{1B}]9;Ada, King: is␇ overdue\u{1B}\\")
    #expect(
      try text(message, "kitty(0.35)")
        == "\u{1B}]99;i=1:d=0;Ada, King\u{1B}\\\u{1B}]99;i=1:p=body;is␇ overdue\u{1B}\\")
  }
}
