import Foundation
import Terminal
import TerminalTesting
import Testing

/// `lifesignal demo` in a real terminal.
@Suite(.serialized) struct DemoTests {
  @Test("In the demo a deadline passes, a check-in gives the all-clear, and an alert can be raised")
  func deadline() throws {
    let home = try Home()
    let pty = try home.open("demo", "--speed", "600")
    try pty.wait { $0.contains("×600") && $0.contains("Check in now") }
    pty.press("4")
    try pty.wait(for: "All   Alerts")
    pty.press("+")
    try pty.wait(for: "×3600")
    pty.press("+")
    try pty.wait(for: "×10000")
    try pty.wait(for: "• You missed your deadline", limit: 60)
    pty.press("-")
    try pty.wait(for: "×3600")
    pty.press("0")
    try pty.wait(for: "stopped")
    pty.press("1")
    try pty.wait(for: "c  Check in now")
    pty.press("c")
    // The toast may be gone before it is read: others come in.
    try pty.wait(for: "All is well")
    pty.press("4")
    try pty.wait(for: "All clear: you are back")
    pty.press("0")
    try pty.wait(for: "×3600")
    pty.send("!!!!!")
    try pty.wait(for: "Sends in")
    pty.press("enter")
    try pty.wait(for: "ALERT")
    pty.signal(SIGTERM)
    #expect(try pty.waitForExit() == .killed(SIGTERM))
  }

  @Test("The demo leaves no files behind")
  func nothingStored() throws {
    let home = try Home()
    let pty = try home.open("demo")
    try pty.wait { $0.contains("×1") && $0.contains("Check in now") }
    pty.press("c")
    try pty.wait(for: "Checked in.")
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).isEmpty)
  }
}
