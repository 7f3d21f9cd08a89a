import Glibc
import Terminal
import TerminalTesting
import Testing

/// Tests of the probe in three lines below the prompt: `terminal-probe inline`.
@Suite("Inline programs in a pseudo-terminal", .serialized)
struct InlineApplicationTests {
  private let line = String(repeating: "=", count: 40)

  /// Starts the probe between two lines of a shell.
  private func start(_ arguments: String = "", rows: Int = 12) throws -> PTY {
    let program = BuiltProgram.path("terminal-probe")
    let pty = try PTY(
      "/bin/sh", ["-c", "echo before; \(program) inline \(arguments); echo status $?"],
      size: Size(columns: 40, rows: rows))
    try pty.wait(for: "inline 40x3")
    return pty
  }

  private func expectClean(_ pty: PTY, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(pty.screen.isCursorVisible, sourceLocation: sourceLocation)
    #expect(pty.screen.modes == [7, 25], sourceLocation: sourceLocation)
    #expect(pty.screen.keyboardFlags == 0, sourceLocation: sourceLocation)
    #expect(pty.screen.style == CellStyle(), sourceLocation: sourceLocation)
    #expect(pty.attributes.isCooked, sourceLocation: sourceLocation)
    #expect(pty.screen.unknown.isEmpty, sourceLocation: sourceLocation)
  }

  private func shownLines(_ pty: PTY) -> [String] {
    let lines = pty.screen.scrollback + pty.screen.lines
    return Array(lines[...(lines.lastIndex { !$0.isEmpty } ?? 0)])
  }

  @Test("After an inline program ends, the shell goes on below its last frame")
  func staysInPlace() throws {
    let pty = try start()
    #expect(!pty.screen.isAlternateScreen)
    #expect(pty.screen.modes.isDisjoint(with: [1000, 1002, 1006]), "The mouse is the terminal's.")
    pty.press("+", "p", "+")
    try pty.wait(for: "count 2")
    pty.press("f")
    try pty.wait(for: "status 0")
    #expect(
      shownLines(pty) == [
        "before", "printed 1", "and ␛[31mmore", "the last line", "inline 40x3", "count 99", line,
        "result", "status 0",
      ])
    expectClean(pty)
  }

  @Test("Printed lines scroll into the scrollback like a shell's", arguments: [3, 4, 5])
  func scrolls(rows: Int) throws {
    let pty = try start(rows: rows)
    for _ in 0..<4 { pty.press("+", "p") }
    try pty.wait(for: "count 4")
    pty.press("q")
    try pty.wait(for: "status 0")
    let printed = (1...4).flatMap { ["printed \($0)", "and ␛[31mmore"] }
    #expect(
      shownLines(pty) == ["before"] + printed + [
        "inline 40x3", "count 4", line, "result", "status 0",
      ])
  }

  @Test("A picker's lines are gone at its end")
  func erases() throws {
    let pty = try start("erase")
    pty.press("+", "q")
    try pty.wait(for: "status 0")
    #expect(shownLines(pty) == ["before", "result", "status 0"])
    expectClean(pty)
  }

  @Test("Fewer lines are used in a window that has fewer, and all when it grows again")
  func sizes() throws {
    let pty = try start()
    pty.resize(to: Size(columns: 40, rows: 2))
    try pty.wait(for: "inline 40x2")
    pty.resize(to: Size(columns: 30, rows: 12))
    try pty.wait(for: "inline 30x3")
    pty.press("q")
    try pty.wait(for: "status 0")
    expectClean(pty)
  }

  @Test("A terminal of unknown size gets no more lines than were asked for")
  func unknownSize() throws {
    let pty = try PTY(
      "/bin/sh", ["-c", "stty rows 0 cols 0; \(BuiltProgram.path("terminal-probe")) inline"],
      size: Size(columns: 80, rows: 24))
    try pty.wait(for: "inline 80x3")
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
  }

  @Test("After an inline program crashes, the shell goes on below its last frame")
  func crashes() throws {
    let pty = try start()
    // What the terminal answers to the queries, and then to the modes, is read before the crash: afterwards
    // nobody could keep it from the shell.
    for count in 1...2 {
      pty.press("+")
      try pty.wait(for: "count \(count)")
    }
    pty.press("s")
    try pty.wait(for: "status 139")
    let lines = shownLines(pty)
    #expect(
      lines.first == "before" && lines.contains(line) && lines.last == "status 139", "\(lines)")
    expectClean(pty)
  }

  @Test("SIGTERM leaves the cursor below the last frame")
  func isTerminated() throws {
    let pty = try PTY(
      BuiltProgram.path("terminal-probe"), ["inline"], size: Size(columns: 40, rows: 12))
    try pty.wait(for: "inline 40x3")
    pty.signal(SIGTERM)
    #expect(try pty.waitForExit() == .killed(SIGTERM))
    #expect(shownLines(pty) == ["inline 40x3", "count 0", line])
    #expect(pty.screen.cursor == Point(column: 0, row: 3))
    expectClean(pty)
  }

  @Test("Ctrl-Z removes the lines, and fg shows them again below")
  func suspends() throws {
    let pty = try PTY(
      "/bin/bash", ["--norc", "--noprofile", "-i"],
      environment: ["PS1": "prompt> ", "HISTFILE": nil], size: Size(columns: 60, rows: 14))
    try pty.wait(for: "prompt>")
    pty.send("\(BuiltProgram.path("terminal-probe")) inline\r")
    try pty.wait(for: "inline 60x3")
    pty.press("+")
    try pty.wait(for: "count 1")
    pty.press("ctrl+z")
    try pty.wait(for: "Stopped")
    #expect(!pty.screen.contains("count 1"))
    #expect(pty.screen.isCursorVisible && pty.screen.keyboardFlags == 0)
    #expect(pty.screen.modes.isDisjoint(with: [1004, 2031, 2048]))
    pty.send("fg\r")
    try pty.wait(for: "count 1")
    pty.press("+")
    try pty.wait(for: "count 2")
    pty.press("q")
    try pty.wait(for: "result")
    #expect(pty.screen.lines.count { $0.hasPrefix("inline") } == 1)
  }
}
