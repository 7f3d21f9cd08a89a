import DeliveryTesting
import Foundation
import Terminal
import TerminalTesting
import Testing

/// From the first start to a message that a server accepted (ONB-4). The number of keys that a
/// person would press and the time are printed.
@Suite(.serialized) struct FirstMessageTests {
  /// A terminal that counts the keys that a person would press too.
  private final class Keyboard {
    let pty: PTY
    private let start = ContinuousClock.now
    private(set) var keys = 0

    init(_ pty: PTY) { self.pty = pty }

    func enter(_ text: String) throws {
      pty.send(text)
      keys += text.count
      try pty.wait(for: text)
    }

    func press(_ names: KeyPress..., sees text: String) throws {
      for name in names { pty.press(name) }
      keys += names.count
      try pty.wait(for: text)
    }

    /// Answers the questions before the one about a responder.
    func beginsOnboarding(email: String = "") throws {
      try pty.wait(for: "Who are you?")
      try enter("Ada")
      try press("enter", "enter", "enter", sees: "What should your responders know")
      try press("tab", sees: "How often will you check in?")
      pty.press("enter", "enter")
      keys += 2
      if !email.isEmpty { try enter(email) }
      try press("enter", sees: "Who should be notified")
      try enter("Grace")
      pty.press("enter", "enter")
      keys += 2
    }

    func prints(_ what: String) {
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      print("First message by \(what): \(keys) keys, \(String(format: "%.1f", seconds)) s")
    }
  }

  @Test("ONB-4: with ntfy, 19 keys lead from the first start to a sent test message")
  func ntfy() throws {
    let home = try Home()
    let server = try HTTPServer { _, _ in .reply(200, body: #"{"id":"sPs71M8A2T"}"#) }
    let keyboard = Keyboard(try home.open())
    let pty = keyboard.pty
    try keyboard.beginsOnboarding()
    try pty.wait(for: "lifesignal-")
    // The test's server is on this machine.
    let url = "\(server.url)/lifesignal-grace"
    pty.send(url)
    try pty.wait(for: url)
    try keyboard.press("enter", sees: "they tap + and subscribe to this topic")
    try pty.wait(for: "Until a test arrives, you can't know that Grace gets your messages.")
    // Show the QR code and close it again.
    pty.press("k")
    try pty.wait(for: "Scan to open the topic")
    pty.press("esc")
    try pty.wait { !$0.contains("Scan to open the topic") }
    try keyboard.press("enter", sees: "Sent. Ask Grace whether it arrived.")
    keyboard.prints("ntfy")
    #expect(server.requests.last?.body.contains("\"topic\":\"lifesignal-grace\"") == true)
    #expect(keyboard.keys == 19)
    try keyboard.press("enter", sees: "All is well")
    // Mail isn't set up, which doesn't matter because no channel needs it.
    try pty.wait(for: "● watched")
    #expect(try home.run("status").errors.isEmpty)
    let doctor = try home.run("doctor").output
    #expect(doctor.contains("Mail isn't set up, and none of your channels needs it."), "\(doctor)")
    #expect(!doctor.contains("can't send messages"))
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
  }

  @Test("ONB-4: a refused test message is reported with the reason, and the next try is sent")
  func refused() throws {
    let home = try Home()
    // The first message tells Grace that she was named; the second is the test.
    let server = try HTTPServer { _, number in
      number <= 2 ? .reply(403) : .reply(200, body: #"{"id":"sPs71M8A2T"}"#)
    }
    let keyboard = Keyboard(try home.open())
    let pty = keyboard.pty
    try keyboard.beginsOnboarding()
    try pty.wait(for: "lifesignal-")
    pty.send("\(server.url)/grace")
    pty.press("enter")
    try pty.wait(for: "Enter sends it now")
    pty.press("enter")
    try pty.wait(for: "refused access (403)")
    try pty.wait(for: "Grace can't be notified yet.")
    pty.press("enter")
    try pty.wait(for: "Sent. Ask Grace whether it arrived.")
  }

  @Test("ONB-4: onboarding can set up mail and ends with a sent test message")
  func mail() throws {
    let home = try Home()
    let server = try SMTPServer()
    let keyboard = Keyboard(try home.open())
    let pty = keyboard.pty
    try keyboard.beginsOnboarding(email: "ada@example.org")
    // The app recognises an e-mail address typed as a topic.
    try keyboard.enter("grace@example.org")
    try keyboard.press("enter", sees: "Mail isn't set up: Grace can't be notified yet.")
    try keyboard.press("enter", sees: "smtp.example.org")
    // The test's server is on this machine, so go back to change the server and its security.
    pty.press("shift+tab", "shift+tab", "shift+tab")
    pty.press("ctrl+u")
    pty.send("localhost:\(server.port)")
    try pty.wait(for: "localhost:\(server.port)")
    pty.press("tab", "right", "right")
    try pty.wait(for: "no encryption")
    try keyboard.press("enter", sees: "localhost accepted the test message")
    // The message that Grace was named may have arrived before it.
    #expect(server.accepted.map(\.recipients).contains(["<ada@example.org>"]))
    try keyboard.press("enter", sees: "Enter sends it now")
    try keyboard.press("enter", sees: "Sent. Ask Grace whether it arrived.")
    keyboard.prints("mail")
    #expect(server.accepted.last?.recipients == ["<grace@example.org>"])
    try keyboard.press("enter", sees: "All is well")
    #expect(keyboard.keys < 70, "keys besides the server's: \(keyboard.keys)")
    let text = try String(contentsOfFile: home.configuration, encoding: .utf8)
    #expect(text.contains("host: \"localhost\""))
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
  }

  @Test("ONB-4: if sendmail is configured, onboarding doesn't say that mail isn't set up")
  func sendmail() throws {
    let home = try Home()
    let program = home.path + "/sendmail"
    try Data("#!/bin/sh\ncat > \(home.path)/sent\n".utf8).write(to: URL(fileURLWithPath: program))
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
    try home.write(configuration: "{sendmail: \"\(program)\"}")
    let keyboard = Keyboard(try home.open())
    let pty = keyboard.pty
    try keyboard.beginsOnboarding(email: "ada@example.org")
    try keyboard.enter("grace@example.org")
    try keyboard.press("enter", sees: "Enter sends it now")
    #expect(!pty.screen.text.contains("Mail isn't set up"))
    try keyboard.press("enter", sees: "Sent. Ask Grace whether it arrived.")
    let sent = try String(contentsOfFile: home.path + "/sent", encoding: .utf8)
    #expect(sent.contains("To: Grace <grace@example.org>"))
  }
}
