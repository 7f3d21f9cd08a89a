import Foundation
import Terminal
import TerminalTesting
import Testing

/// Passwords, several accounts and the passphrase gate, in a real PTY.
@Suite(.serialized) struct AccountTests {
  private func enter(_ pty: PTY, _ secret: String) throws {
    pty.send(secret)
    try pty.wait(for: String(repeating: "•", count: secret.count))
  }

  private func quit(_ pty: PTY) throws {
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
  }

  @Test(
    "AUTH-1, AUTH-2: a person sets a password, signs in with it, and opens a second account")
  func twoAccounts() throws {
    let home = try Home()
    try home.run("init", "--name", "Ada Lovelace", "--email", "ada@example.org")
    var pty = try home.open()
    try pty.wait(for: "Next check-in")
    pty.press("5")
    try pty.wait(for: "without a password")
    pty.press("s")
    try pty.wait(for: "Set a password")
    pty.press("enter")
    try pty.wait(for: "Repeat it")
    try enter(pty, "correct horse")
    pty.press("tab")
    pty.send("correct horse")
    pty.press("enter")
    try pty.wait(for: "Your password is set.")
    try pty.wait(for: "this one")
    pty.press("esc")
    try pty.wait(for: "with a password")
    try quit(pty)

    // The session outlives the process and ends when the person signs out.
    pty = try home.open()
    try pty.wait(for: "Next check-in")
    #expect(try home.run("sign-out").output == "Signed out Ada Lovelace.\n")
    try pty.wait(for: "the session expired or was ended")
    pty.press("ctrl+c")
    #expect(try pty.waitForExit() == .exited(0))
    let refused = try home.run("check-in")
    #expect(refused.code == 1 && refused.errors.contains("No account is open on this machine."))

    let other = try home.open()
    try other.wait(for: "Sign in")
    pty = try home.open()
    try pty.wait(for: "Sign in")
    pty.send("ada@example.org")
    try pty.wait(for: "ada@example.org")
    pty.press("enter")
    try enter(pty, "wrong horse")
    pty.press("enter")
    try pty.wait(for: "The e-mail address or the password is wrong.")
    try enter(pty, "correct horse")
    pty.press("enter")
    try pty.wait(for: "Next check-in")
    // The other terminal follows.
    try other.wait(for: "Next check-in")
    try quit(other)
    try quit(pty)

    pty = try home.open("--as", "bo@example.org")
    try pty.wait(for: "F2  open a new account")
    pty.press("f2")
    try pty.wait(for: "Open a new account")
    try enter(pty, "four random words")
    pty.press("enter")
    pty.send("four random words")
    pty.press("enter")
    try pty.wait(for: "Who are you?")
    pty.send("Bo Diddley")
    try pty.wait(for: "Bo Diddley")
    pty.press("enter", "enter", "enter")
    try pty.wait(for: "What should your responders know")
    pty.press("tab")
    try pty.wait(for: "Reminders go to bo@example.org.")
    pty.press("enter", "enter")
    try pty.wait(for: "Who should be notified")
    pty.press("enter", "enter", "enter")
    try pty.wait(for: "Start without a responder?")
    pty.press("y")
    try pty.wait(for: "Next check-in")
    pty.press("5")
    try pty.wait(for: "Bo Diddley")
    try quit(pty)

    #expect(try home.run("status").output.hasPrefix("Ada Lovelace: ok"))
    #expect(try home.run("--as", "bo@example.org", "status").output.hasPrefix("Bo Diddley: ok"))
    let secrets = try Data(
      contentsOf: URL(fileURLWithPath: home.path + "/.local/share/lifesignal/secrets.json"))
    #expect(!String(decoding: secrets, as: UTF8.self).contains("horse"))
  }

  @Test("CHK-3: with a gate, a check-in needs the passphrase on screen and on the command line")
  func gate() throws {
    let home = try Home()
    try home.run("init", "--name", "Ada Lovelace")
    let pty = try home.open()
    try pty.wait(for: "Next check-in")
    pty.press("5")
    try pty.wait(for: "without a password")
    pty.press("s")
    try pty.wait(for: "Set a passphrase gate")
    pty.press("down", "enter")
    try pty.wait(for: "Under duress")
    try enter(pty, "blue kettle")
    pty.press("tab")
    pty.send("blue kettle")
    pty.press("tab")
    pty.send("green kettle")
    pty.press("tab")
    pty.send("green kettle")
    pty.press("enter")
    try pty.wait(for: "Your passphrase gate is set.")
    pty.press("esc")
    try pty.wait(for: "a passphrase before a check-in")
    pty.press("1")
    try pty.wait(for: "Check in now")

    pty.press("c")
    try pty.wait(for: "Your passphrase is needed to check in.")
    try enter(pty, "red kettle")
    pty.press("enter")
    try pty.wait(for: "The passphrase is wrong.")
    // The screen doesn't tell the two passphrases apart.
    for passphrase in ["green kettle", "blue kettle"] {
      if passphrase == "blue kettle" { pty.press("c") }
      try pty.wait(for: "Your passphrase is needed to check in.")
      try enter(pty, passphrase)
      pty.press("enter")
      try pty.wait {
        $0.contains("Checked in.") && !$0.contains("Your passphrase is needed")
      }
    }
    try quit(pty)
    // The silent alert doesn't show.
    #expect(try home.run("status", "--json").code == 0)
    let refused = try home.run("check-in")
    #expect(refused.code == 40 && refused.errors.contains("This needs the passphrase."))
  }
}
