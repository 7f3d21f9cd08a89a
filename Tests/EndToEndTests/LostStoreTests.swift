import Foundation
import Terminal
import TerminalTesting
import Testing

/// The app in a real terminal while its store can't be used.
@Suite(.serialized, .timeLimit(.minutes(3))) struct LostStoreTests {
  private func openAccount(_ home: Home) throws -> PTY {
    try home.run(
      "init", "--name", "Ada Lovelace", "--responder", "Grace Hopper <grace@navy.example>")
    let pty = try home.open()
    try pty.wait { $0.contains("Nobody would be notified") && $0.contains("◐ unsent") }
    return pty
  }

  @Test(
    "If the store disappears, the app says so, keeps the emergency key working, and recovers")
  func takenAway() throws {
    let home = try Home()
    let pty = try openAccount(home)
    #expect(rename(home.database, home.database + ".away") == 0)
    try pty.wait {
      $0.contains("Out of date since today") && $0.contains("The store")
        && $0.contains("lifesignal restore") && $0.contains("Not up to date")
    }
    // The last known data stays on screen, and the keys still work.
    #expect(pty.screen.contains("Next check-in"))
    pty.press("2")
    try pty.wait(for: "Grace Hopper")
    for presses in 1...4 {
      pty.send("!")
      try pty.wait(for: presses == 4 ? "one more" : "\(5 - presses) more")
    }
    pty.press("1")
    try pty.wait { !$0.contains("one more") && $0.contains("Next check-in") }
    #expect(rename(home.database + ".away", home.database) == 0)
    try pty.wait { $0.contains("Nobody would be notified") && !$0.contains("Out of date") }
    pty.press("c")
    try pty.wait(for: "Next deadline tomorrow")
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
  }

  @Test("While another program locks the store, a check-in fails, and everything else still works")
  func locked() throws {
    let home = try Home()
    let pty = try openAccount(home)
    let lock = try home.lockStore()
    pty.press("c")
    try pty.wait {
      $0.contains("NOT checked in: Another program is using")
        && $0.contains("Nobody would be notified")
    }
    pty.press("3")
    try pty.wait(for: "Dependents ·")
    pty.send("!")
    try pty.wait(for: "4 more")
    pty.press("1")
    lock.release()
    try pty.wait { !$0.contains("4 more") && $0.contains("Next check-in") }
    pty.press("r")
    try pty.wait(for: "Next deadline tomorrow")
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
  }

  @Test("ALT-7: a store that can't be opened doesn't stop a person from calling for help")
  func unopened() throws {
    let home = try Home()
    let first = try openAccount(home)
    first.press("q")
    _ = try first.waitForExit()
    #expect(rename(home.database, home.database + ".away") == 0)
    let command = try home.run("alert", "on", "--message", "fell")
    #expect(command.code == 75, "\(command)")
    #expect(command.errors.contains("The alert is saved: "), "\(command)")
    let talk = "status\\nalert\\nfell\\nalert\\nquit\\n"
    let plain = try home.run(
      program: "/bin/sh",
      ["-c", "printf '\(talk)' | \(BuiltProgram.path("lifesignal")) --plain"])
    #expect(plain.code == 0 && plain.output.contains("You can still call for help: say alert."))
    #expect(
      plain.output.contains("A monitor on this machine sends it to everyone it still knows"),
      "\(plain)")
    let pty = try home.open()
    try pty.wait(for: "press ! five times")
    pty.send("!!!!!")
    try pty.wait(for: "Sends in")
    pty.press("enter")
    try pty.wait { $0.contains("waits for a monitor") && $0.contains("If nobody answers") }
    #expect(rename(home.database + ".away", home.database) == 0)
    try pty.wait(for: "ALERT ON")
    // Only the alert that was begun first exists.
    let status = try home.run("status", "--json")
    #expect(status.code == 30, "\(status)")
    #expect(status.output.contains("fell"))
    pty.signal(SIGKILL)
  }
}
