import Foundation
import Terminal
import TerminalTesting
import Testing

/// The whole program with input that no person would type.
@Suite(.serialized) struct HostileInputTests {
  /// Invalid UTF-8, truncated sequences, control characters and bidirectional text, inside and
  /// outside a paste.
  static let attacks = [
    Attack([0xC3, 0x28, 0xA0, 0xFF, 0xFE, 0xF0, 0x9F, 0x92]),
    Attack("\u{202E}evil\u{0}\u{301}👩‍👩‍👧‍👦\u{2028}".utf8),
    Attack(
      Array("\u{1B}[200~\u{1B}[2J\u{1B}]0;owned\u{7}\u{9B}31m\u{0}".utf8) + [0xFF]
        + Array("\u{1B}[201~".utf8)),
    Attack(
      Array("\u{1B}[200~".utf8) + [UInt8](repeating: 0xE2, count: 200_000)
        + Array("\u{1B}[201~".utf8)),
    Attack("\u{1B}[999999999999999;1;1~\u{1B}[<0;99999;99999M\u{1B}P\u{1B}\\".utf8),
  ]

  /// Bytes whose description stays short in the log of the tests.
  struct Attack: CustomTestStringConvertible {
    let bytes: [UInt8]
    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }
    var testDescription: String { "\(bytes.count) bytes: \(bytes.prefix(16))" }
  }

  @Test(
    "Input of invalid bytes and control sequences leaves the text field and terminal intact",
    arguments: attacks)
  func bytes(_ attack: Attack) throws {
    let home = try Home()
    let pty = try home.open()
    try pty.wait(for: "Who are you?")
    pty.send("Ada")
    try pty.wait(for: "Ada")
    pty.send(attack.bytes)
    pty.press("tab")
    pty.send("+442071838750")
    try pty.wait(for: "+442071838750")
    #expect(pty.screen.contains("Who are you?"))
    #expect(pty.screen.isAlternateScreen && !pty.screen.contains("owned\u{7}"))
    pty.signal(SIGTERM)
    #expect(try pty.waitForExit() == .killed(SIGTERM))
    AppTests().expectClean(pty)
  }
}
