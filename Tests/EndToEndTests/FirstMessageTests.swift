import DeliveryTesting
import Foundation
import Terminal
import TerminalTesting
import Testing

/// From the first start to a message that a mail server accepted (ONB-4).
@Suite(.serialized) struct FirstMessageTests {
  @Test("ONB-4: onboarding sets mail up and ends with a test message that was sent")
  func firstMessage() async throws {
    let home = try Home()
    let server = try SMTPServer()
    let pty = try home.open()
    var keys = 0
    func type(_ text: String) throws {
      pty.send(text)
      keys += text.count
      try pty.wait(for: text)
    }
    func press(_ names: KeyPress..., sees text: String) throws {
      for name in names { pty.press(name) }
      keys += names.count
      try pty.wait(for: text)
    }
    try pty.wait(for: "Who are you?")
    try type("Ada")
    try press("enter", "enter", sees: "What should your responders know")
    try press("tab", sees: "How often will you check in?")
    pty.press("enter", "enter")
    keys += 2
    try type("ada@example.org")
    try press("enter", sees: "Who should be notified")
    try type("Grace")
    pty.press("enter")
    keys += 1
    try type("grace@example.org")
    try press("enter", sees: "Mail isn't set up: Grace can't be notified yet.")
    try press("enter", sees: "smtp.example.org")
    // The test's server stands on this machine: two fields back, and another security.
    pty.press("shift+tab", "shift+tab", "shift+tab")
    pty.press("ctrl+u")
    pty.send("localhost:\(server.port)")
    try pty.wait(for: "localhost:\(server.port)")
    pty.press("tab", "right", "right")
    try pty.wait(for: "no encryption")
    try press("enter", sees: "localhost accepted the test message")
    // That Grace is a contact may have been sent before it.
    #expect(server.accepted.map(\.recipients).contains(["<ada@example.org>"]))
    try press("esc", sees: "Enter sends it now")
    try press("enter", sees: "Sent. Ask Grace whether it arrived.")
    #expect(server.accepted.last?.recipients == ["<grace@example.org>"])
    try press("enter", sees: "All is well")
    #expect(keys < 70, "keys besides the server's: \(keys)")
    let text = try String(contentsOfFile: home.configuration, encoding: .utf8)
    #expect(text.contains("host: \"localhost\""))
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
  }
}
