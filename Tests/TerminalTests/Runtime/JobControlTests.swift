import Glibc
import Terminal
import TerminalTesting
import Testing

@Suite(
  "Suspending and resuming in a job-control shell", .serialized)
struct JobControlTests {
  private func shell() throws -> PTY {
    let pty = try PTY(
      "/bin/bash", ["--norc", "--noprofile", "-i"],
      environment: ["PS1": "prompt> ", "HISTFILE": nil], size: Size(columns: 60, rows: 12))
    try pty.wait(for: "prompt>")
    pty.send("stty -a | tr ' ' '\\n' | grep -c icanon; \(BuiltProgram.path("terminal-probe"))\r")
    try pty.wait(for: "probe 60x12")
    return pty
  }

  @Test func controlZSuspendsAndFgResumes() throws {
    let pty = try shell()
    pty.press("+")
    try pty.wait(for: "count 1")
    pty.press("ctrl+z")
    try pty.wait(for: "Stopped")
    #expect(!pty.screen.isAlternateScreen)
    #expect(pty.screen.isCursorVisible)
    #expect(pty.screen.keyboardFlags == 0)
    #expect(pty.screen.modes.isDisjoint(with: [1000, 1002, 1004, 1006, 1016, 2031]))
    pty.send("echo back at the shell\r")
    try pty.wait { $0.lines.contains("back at the shell") }
    pty.send("fg\r")
    try pty.wait(for: "resumes 1")
    #expect(pty.screen.isAlternateScreen)
    #expect(pty.screen.contains("count 1"))
    pty.press("+")
    try pty.wait(for: "count 2")
    #expect(pty.screen.modes.contains(1016))
    pty.send("\u{1B}[<0;15;35M")
    try pty.wait(for: "count 12")
    pty.press("q")
    try pty.wait(for: "ended: stopped")
    #expect(!pty.screen.isAlternateScreen)
  }

  @Test func theSizeMayChangeMeanwhile() throws {
    let pty = try PTY(BuiltProgram.path("terminal-probe"))
    try pty.wait(for: "probe 80x24")
    pty.signal(SIGSTOP)
    try pty.waitForStop()
    pty.resize(to: Size(columns: 50, rows: 9))
    pty.signal(SIGCONT)
    try pty.wait(for: "probe 50x9")
    try pty.wait(for: "resumes 1")
  }

  @Test func startedInTheBackgroundItWaitsToBeBroughtForward() throws {
    let pty = try PTY(
      "/bin/bash", ["--norc", "--noprofile", "-i"], environment: ["PS1": "prompt> "],
      size: Size(columns: 60, rows: 12))
    try pty.wait(for: "prompt>")
    pty.send("\(BuiltProgram.path("terminal-probe")) & wait %1\r")
    try pty.wait(for: "Stopped")
    #expect(!pty.screen.isAlternateScreen)
    pty.send("fg\r")
    try pty.wait(for: "probe 60x12")
    pty.press("q")
    try pty.wait(for: "ended: stopped")
  }

  @Test func stoppedWithoutAWarningItComesBack() throws {
    let pty = try PTY(BuiltProgram.path("terminal-probe"))
    try pty.wait(for: "count 0")
    pty.signal(SIGSTOP)
    try pty.waitForStop()
    pty.signal(SIGCONT)
    try pty.wait(for: "resumes 1")
    pty.press("+")
    try pty.wait(for: "count 1")
  }

  @Test func stoppedAgainAndAgainItLeavesNothingBehind() throws {
    let pty = try PTY(BuiltProgram.path("terminal-probe"))
    try pty.wait(for: "count 0")
    for number in 1...60 {
      pty.signal(SIGSTOP)
      try pty.waitForStop()
      pty.signal(SIGCONT)
      try pty.wait(for: "resumes \(number)")
    }
    #expect(pty.screen.keyboardFlags == 5)
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
    #expect(pty.screen.title == "" && pty.screen.titleStack.isEmpty)
    // The alternate screen has separate flags.
    var screen = pty.screen
    screen.feed("\u{1B}[?1049h")
    #expect(screen.keyboardFlags == 0)
  }

  @Test func whereNobodyCouldContinueItItDoesNotStop() throws {
    let pty = try PTY(BuiltProgram.path("terminal-probe"))
    try pty.wait(for: "count 0")
    pty.signal(SIGTSTP)
    try pty.wait(for: "resumes 1")
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
  }
}
