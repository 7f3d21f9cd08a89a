import Foundation
import Terminal
import TerminalTesting
import Testing

/// The debug overlay and recordings, in a real PTY.
@Suite(.serialized) struct DebugTests {
  /// The last state of a recording, as `lifesignal replay` prints it.
  private func replay(_ file: String, in home: Home) throws -> (summary: String, state: String) {
    let result = try home.run("replay", file)
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.errors.isEmpty)
    let parts = result.output.split(separator: "\n\n", maxSplits: 1)
    return (String(parts.first ?? ""), String(parts.last ?? ""))
  }

  @Test("A recorded session replays to its last state, and --record never overwrites a file")
  func recordedSession() throws {
    let home = try Home()
    let file = home.path + "/session.jsonl"
    let pty = try home.open("--record", file)
    try AppTests().onboard(pty)
    pty.press("c")
    try pty.wait(for: "Next deadline tomorrow")
    pty.press("2")
    try pty.wait(for: "Responders · by name")
    pty.press("a")
    try pty.wait(for: "Add a contact")
    pty.send("Mary Ward")
    try pty.wait(for: "Mary Ward")
    let (_, typing) = try replay(file, in: home)
    #expect(typing.contains("text: \"Mary Ward\""))
    #expect(typing.contains("isFinished: false"))
    pty.press("esc")
    try pty.wait(for: "Throw away your changes?")
    pty.press("esc")
    try pty.wait { !$0.contains("Add a contact") }
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))

    let (summary, state) = try replay(file, in: home)
    #expect(summary.contains(" actions from "))
    #expect(state.hasPrefix("AppFeature.State(\n  onboarding: nil,\n"))
    #expect(state.contains("name: \"Grace Hopper\""))
    #expect(state.contains("selectedTab: .responders"))
    #expect(state.contains("isFinished: true"))
    #expect(!state.contains("Mary Ward"))
    #expect(try home.files()["session.jsonl"] == 0o600)

    // A recording never overwrites an existing file.
    let before = FileManager.default.contents(atPath: file)
    let again = try home.open("--record", file)
    #expect(try again.waitForExit() == .exited(1))
    #expect(again.screen.lines.joined(separator: " ").contains("can't be created: File exists."))
    #expect(FileManager.default.contents(atPath: file) == before)
  }

  @Test("A recording survives kill -9 of the app, even if its last line is cut off")
  func killed() throws {
    let home = try Home()
    let file = home.path + "/session.jsonl"
    let pty = try home.open("demo", "--record", file)
    try pty.wait(for: "Check in now")
    pty.press("5")
    try pty.wait(for: "reminders to")
    pty.signal(SIGKILL)
    #expect(try pty.waitForExit() == .killed(SIGKILL))
    #expect(try replay(file, in: home).state.contains("selectedTab: .profile"))

    var data = try #require(FileManager.default.contents(atPath: file))
    data.append(contentsOf: #"{"action":{"main":{"_0":{"tabSel"#.utf8)
    try data.write(to: URL(fileURLWithPath: file))
    let cut = try home.run("replay", file)
    #expect(cut.code == 0)
    #expect(cut.output.contains("selectedTab: .profile"))
    #expect(cut.errors.hasSuffix("is cut off and was left out.\n"))

    data.append(contentsOf: "\n".utf8)
    try data.write(to: URL(fileURLWithPath: file))
    let broken = try home.run("replay", file)
    #expect(broken.code == 1)
    #expect(broken.errors.contains("session.jsonl, line "))
    #expect(broken.output.isEmpty)
  }

  @Test("F12 shows the last actions and leads back through earlier states")
  func overlay() throws {
    let home = try Home()
    let pty = try home.open("demo")
    try pty.wait(for: "Check in now")
    pty.press("f12")
    try pty.wait(for: "Debug · now")
    pty.press("space")
    try pty.wait(for: "The app as it is now")
    pty.press("5")
    try pty.wait(for: "reminders to")
    pty.press("f12")
    try pty.wait(for: "tabSelected(.prof")
    // Go back far enough to be before the tab was opened, whatever was loaded for it since.
    pty.press("left", "left", "left", "left", "left", "space")
    try pty.wait(for: "Recorded state")
    try pty.wait(for: "Check in now")
    pty.press("esc")
    try pty.wait(for: "reminders to")
    pty.press("f12")
    try pty.wait(for: "Debug · now")
    pty.press("esc")
    try pty.wait { !$0.contains("Debug") && $0.contains("reminders to") }
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
    AppTests().expectClean(pty)
  }

  @Test("--debug shows the overlay from the first action")
  func fromTheStart() throws {
    let home = try Home()
    // Tall enough that the first actions stay visible, however many follow.
    let pty = try home.open("demo", "--debug", rows: 120)
    try pty.wait(for: "started")
    try pty.wait(for: "accountFound")
    pty.press("tab")
    try pty.wait(for: "Effects in flight")
    try pty.wait(for: "streams ×")
    pty.press("tab")
    try pty.wait(for: "AuthClient.state")
    pty.press("tab")
    try pty.wait(for: "Dependencies set")
    try pty.wait(for: "AlertClient")
    pty.press("esc")
    try pty.wait { !$0.contains("Debug") }
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
  }
}
