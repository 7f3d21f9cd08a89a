import struct Composable.SplitMix64
import Glibc
import Terminal
import TerminalTesting
import Testing

/// Tests of an application running as a program in a pseudo-terminal: `Tests/TerminalProbe`.
@Suite(
  "Full-screen programs in a pseudo-terminal", .serialized)
struct TerminalApplicationTests {
  private func start(
    size: Size = Size(columns: 40, rows: 10), environment: [String: String?] = [:],
    answersQueries: Bool = true
  ) throws -> PTY {
    let pty = try PTY(
      BuiltProgram.path("terminal-probe"), environment: environment, size: size,
      answersQueries: answersQueries)
    try pty.wait(for: "probe \(size.columns)x\(size.rows)")
    return pty
  }

  /// Expects the state that every kind of exit must leave the terminal in.
  private func expectClean(
    _ pty: PTY, _ before: TerminalAttributes? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let screen = pty.screen
    #expect(!screen.isAlternateScreen, sourceLocation: sourceLocation)
    #expect(screen.isCursorVisible, sourceLocation: sourceLocation)
    #expect(screen.modes == [7, 25], sourceLocation: sourceLocation)
    #expect(screen.reordersText, sourceLocation: sourceLocation)
    #expect(screen.keyboardFlags == 0, sourceLocation: sourceLocation)
    #expect(screen.title == "", sourceLocation: sourceLocation)
    #expect(screen.titleStack.isEmpty, sourceLocation: sourceLocation)
    #expect(screen.style == CellStyle(), sourceLocation: sourceLocation)
    #expect(screen.cursorShape == .standard, sourceLocation: sourceLocation)
    #expect(pty.attributes.isCooked, sourceLocation: sourceLocation)
    #expect(screen.unknown.isEmpty, sourceLocation: sourceLocation)
  }

  @Test func drawsAndAnswersKeys() throws {
    let pty = try start()
    #expect(pty.screen.isAlternateScreen)
    #expect(pty.screen.title == "Probe")
    #expect(pty.screen.keyboardFlags == 5)
    #expect(pty.screen.modes.isSuperset(of: [1000, 1002, 1004, 1006, 2004]))
    #expect(!pty.attributes.isCooked)
    pty.press("+", "+", "+")
    try pty.wait(for: "count 3")
    try pty.wait { $0.modes.isSuperset(of: [2027, 2048]) }
    pty.press("q")
    try pty.wait(for: "ended: stopped")
    #expect(try pty.waitForExit() == .exited(0))
    expectClean(pty)
  }

  @Test(
    "A store's application draws what changes, by keys, the mouse and later, and ends by its state")
  func store() throws {
    let pty = try PTY(
      BuiltProgram.path("terminal-probe"), ["store"], size: Size(columns: 40, rows: 10))
    try pty.wait(for: "steps 0")
    #expect(pty.screen.contains("░░░░░░░░░░"))
    pty.press("s", "s")
    try pty.wait(for: "steps 2")
    pty.press("t")
    try pty.wait(for: "steps 3")
    // A press in the fourth column, in pixels.
    try pty.wait { $0.modes.contains(1016) }
    pty.send("\u{1B}[<0;35;35M")
    try pty.wait(for: "steps 7")
    #expect(pty.screen.contains("███████░░░"))
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
    expectClean(pty)
  }

  @Test("Without a theme of its own, a program is dark or light as the terminal is")
  func followsTheTerminal() throws {
    let pty = try PTY(
      BuiltProgram.path("terminal-probe"), ["store"],
      environment: ["NO_COLOR": nil, "CLICOLOR": nil], size: Size(columns: 40, rows: 10))
    try pty.wait(for: "░░░░░░░░░░")
    func isShown(_ ink: UInt8) throws {
      try pty.wait { $0[column: 0, row: 1].style.foreground == .palette(ink) }
    }
    try isShown(248)
    pty.send("\u{1B}[?997;2n")
    try isShown(240)
    pty.send("\u{1B}[?997;1n")
    try isShown(248)
  }

  @Test("A key copies what is in a box, without the box, and marks it until the next key")
  func copiesAPanel() throws {
    let pty = try start()
    pty.press("Y", "B", "Y")
    try pty.wait { !$0.clipboard.isEmpty }
    #expect(pty.screen.clipboard == ["c;aW5zaWRlCiAg5pel5pys"])
    let place = try #require(pty.screen.find("inside"))
    #expect(pty.screen[column: place.column, row: place.row].style.isReversed)
    pty.press("+")
    try pty.wait(for: "count 1")
    #expect(!pty.screen[column: place.column, row: place.row].style.isReversed)
  }

  @Test func everyKeyMeetsTheViewThatTheLastOneLeft() throws {
    let pty = try start()
    pty.send("+d+++")
    try pty.wait(for: "answers 3")
    #expect(pty.screen.contains("count 1"))
  }

  @Test func theMainActorRunsInTheLoop() throws {
    let pty = try start()
    pty.press("e")
    try pty.wait(for: "count 100")
    pty.press("t")
    try pty.wait(for: "ticks 3")
    pty.press("q")
    try pty.waitForExit()
  }

  @Test func whatAKeyLeadsToAtOnceIsInOneFrame() throws {
    let pty = try start(answersQueries: false)
    pty.press("+")
    try pty.wait(for: "count 1")
    let before = pty.output.count
    pty.press("c")
    try pty.wait(for: "count 4")
    // Only the final value of the count was printed.
    let written = String(decoding: pty.output[before...], as: UTF8.self)
    let printed = written.replacing(/\u{1B}\[[0-9;?<>=]*[ -\/]*[@-~]/, with: "")
    #expect(printed.filter(\.isNumber) == "4", "\(written.debugDescription)")
  }

  @Test func aSilentTerminalWorks() throws {
    let pty = try start(answersQueries: false)
    pty.press("+")
    try pty.wait(for: "count 1")
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
    expectClean(pty)
  }

  @Test func aTerminalThatKeepsPicturesIsGivenBackWithoutThem() throws {
    let pty = try start(answersQueries: false)
    pty.send("\u{1B}_Gi=31;OK\u{1B}\\")
    pty.press("+")
    try pty.wait(for: "count 1")
    let before = pty.output.count
    pty.press("q")
    try pty.waitForExit()
    #expect(String(decoding: pty.output[before...], as: UTF8.self).contains("\u{1B}_Ga=d,d=A"))
  }

  @Test func nothingIsWrittenWhenNothingChanges() throws {
    let pty = try start()
    pty.press("+")
    try pty.wait(for: "count 1")
    // All queries have been answered and the consequences drawn.
    try pty.wait { $0.modes.isSuperset(of: [2027, 2048]) }
    pty.press("+")
    try pty.wait(for: "count 2")
    let before = pty.output.count
    pty.press("z", "left", "f5")
    pty.send("\u{1B}[<35;3;3M")
    pty.press("q")
    try pty.waitForExit()
    let written = String(decoding: pty.output[before...], as: UTF8.self)
    #expect(!written.contains("probe"))
    #expect(!written.contains("count"))
  }

  @Test func aResizeRepaints() throws {
    let pty = try start()
    pty.resize(to: Size(columns: 1, rows: 1))
    try pty.wait { $0.line(0) == "p" || $0.line(0) == "…" }
    pty.resize(to: Size(columns: 70, rows: 20))
    try pty.wait(for: "probe 70x20")
    pty.press("q")
    try pty.waitForExit()
    expectClean(pty)
  }

  @Test func aWindowOfOneRowIsDrawn() throws {
    let pty = try start(answersQueries: false)
    pty.resize(to: Size(columns: 40, rows: 1))
    try pty.wait(for: "probe 40x1")
  }

  @Test func ofAnImmenseWindowOnlyAPartIsDrawn() throws {
    let pty = try PTY(
      "/bin/sh",
      ["-c", "stty cols 65535 rows 65535; exec \(BuiltProgram.path("terminal-probe"))"])
    try pty.wait(for: "probe 1000x500")
    pty.press("+")
    try pty.wait(for: "count 1")
    let status = try #require(fopen("/proc/\(pty.process)/status", "r"))
    defer { fclose(status) }
    var line = [CChar](repeating: 0, count: 256)
    var kilobytes = Int.max
    while fgets(&line, 256, status) != nil {
      let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
        .split { !$0.isLetter && !$0.isNumber }
      if words.first == "VmHWM" { kilobytes = Int(words[1]) ?? .max }
    }
    #expect(kilobytes < 100_000)
    pty.send("\u{1B}[<0;30000;30000M\u{1B}[<0;30000;30000m\u{1B}[48;65535;65535;0;0t+")
    try pty.wait(for: "count 2")
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
    expectClean(pty)
  }

  @Test func aTerminalWithoutASizeTellsIt() throws {
    let pty = try start(answersQueries: false)
    pty.resize(to: Size(columns: 0, rows: 0))
    pty.send("\u{1B}[48;9;33;180;330t")
    try pty.wait { _ in String(decoding: pty.output, as: UTF8.self).contains("33x9") }
  }

  @Test func theClipboardIsReachedThroughTheTerminal() throws {
    let pty = try start()
    pty.press("+", "y")
    try pty.wait { $0.clipboard == ["c;Y291bnQgMQ=="] }
  }

  @Test func aHugePasteIsTakenAndForgotten() throws {
    let pty = try start()
    pty.paste(String(repeating: "q\u{1B}[A\r", count: 400_000))
    pty.press("+")
    try pty.wait(for: "count 1")
  }

  @Test func randomBytesDoNotHarm() throws {
    var random = SplitMix64(seed: 11)
    let pty = try start()
    for _ in 0..<200 {
      // Exclude letters: they are commands that exit or crash the program.
      var bytes = (0..<500).map { _ in UInt8.random(in: 0...255, using: &random) }
      bytes.removeAll { (0x40...0x7E).contains($0) || $0 == 0x03 || $0 == 0x1A || $0 == 0x2B }
      bytes.append(0x18)
      pty.send(bytes)
      // On a busy machine the rest of a sequence can come too late, as keys: `v` is no command.
      pty.send("\u{1B}[\(Int.random(in: 0...9999, using: &random));1v\u{1B}]2;\u{7}\u{18}")
    }
    // A key in the middle of a burst is part of its text, so wait until all of it has been read. A
    // new size would be drawn before that. On a busy machine a sequence can be cut after its escape.
    for _ in 0..<60 where !pty.screen.contains("focus in") {
      pty.send("\u{1B}[I")
      try? pty.wait(for: "focus in", limit: 5)
    }
    // On a busy machine some letters arrive alone and count, because they stand where + is elsewhere.
    let line = try #require(pty.screen.lines.first { $0.hasPrefix("count ") })
    let count = try #require(Int(line.dropFirst(6)))
    pty.press("+")
    try pty.wait(for: "count \(count + 1)")
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
    expectClean(pty)
  }

  @Test func theMouseIsReadByPixelsWhereTheTerminalHasThem() throws {
    let pty = try start()
    try pty.wait { $0.modes.contains(1016) }
    // A cell of this terminal is 10×20 pixels.
    pty.send("\u{1B}[<0;15;35M\u{1B}[<0;15;35m")
    try pty.wait(for: "count 10")
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
    expectClean(pty)
  }

  @Test("If the terminal doesn't report the size of a cell, the size comes from the system")
  func pixelsOfTheWindow() throws {
    let size = Size(columns: 41, rows: 10)
    let pty = try start(answersQueries: false)
    pty.resize(to: size, cellPixels: Size(columns: 10, rows: 20))
    try pty.wait(for: "probe 41x10")
    pty.send("\u{1B}[?1016;2$y\u{1B}[?62c")
    try pty.wait { $0.modes.contains(1016) }
    pty.send("\u{1B}[?1016;1$y\u{1B}[<0;15;35M\u{1B}[<0;15;35m")
    try pty.wait(for: "count 10")
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
  }

  @Test func theMouseIsReadByCellsElsewhere() throws {
    let pty = try start(answersQueries: false)
    pty.send("\u{1B}[<0;2;2M\u{1B}[<0;2;2m")
    try pty.wait(for: "count 10")
    #expect(!pty.screen.modes.contains(1016))
  }

  @Test func aStormOfTheMouseLosesNoKey() throws {
    let pty = try start()
    let storm = (0..<2000).map { "\u{1B}[<32;\($0 % 40 + 1);\($0 % 10 + 1)M" }.joined()
    pty.send("+" + storm + "+" + storm + "\u{1B}[<65;3;3M+")
    try pty.wait(for: "count 3")
  }

  @Test func aTerminalThatNeverStopsSendingDoesNotKeepItFromEnding() throws {
    let pty = try start(answersQueries: false)
    pty.press("q")
    // What is sent in the same burst would make the key a part of a text.
    try pty.wait { !$0.isAlternateScreen }
    // The answer to the last DA1 never arrives, and other input never stops.
    let deadline = ContinuousClock.now + .seconds(60)
    var exit: PTY.Exit?
    while exit == nil, ContinuousClock.now < deadline {
      pty.send(String(repeating: "x", count: 500))
      exit = try? pty.waitForExit(limit: 0)
    }
    #expect(exit == .exited(0))
    expectClean(pty)
  }

  @Test func afterAKillTheNextRunRepairsTheTerminal() throws {
    let probe = BuiltProgram.path("terminal-probe")
    let pty = try PTY("/bin/sh", ["-c", "\(probe); echo killed; read line; exec \(probe)"])
    try pty.wait(for: "count 0")
    // SIGKILL leaves no chance to restore the terminal.
    pty.press("k")
    try pty.wait { _ in String(decoding: pty.output, as: UTF8.self).contains("killed") }
    #expect(pty.screen.isAlternateScreen && !pty.attributes.isCooked)
    pty.send("\n")
    pty.press("+")
    try pty.wait(for: "count 1")
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
    let screen = pty.screen
    #expect(!screen.isAlternateScreen && screen.isCursorVisible)
    // Measuring clusters as a whole may be the terminal's default, and is harmless.
    #expect(screen.modes.subtracting([2027]) == [7, 25])
    #expect(screen.reordersText && pty.attributes.isCooked)
  }

  @Test func focusIsReported() throws {
    let pty = try start()
    pty.send("\u{1B}[O")
    try pty.wait(for: "focus out")
    pty.send("\u{1B}[I")
    try pty.wait(for: "focus in")
  }

  @Test("After losing the focus, a key press counts as regaining the focus")
  func focusByKey() throws {
    let pty = try start()
    pty.send("\u{1B}[O")
    try pty.wait(for: "focus out")
    pty.send("+")
    try pty.wait(for: "focus in")
  }

  @Test func controlLRepaints() throws {
    let pty = try start()
    pty.press("ctrl+l")
    let painted = pty.output.count
    try pty.wait { _ in
      String(decoding: pty.output[painted...], as: UTF8.self).contains("probe")
    }
  }

  @Test func controlCEnds() throws {
    let pty = try start()
    pty.press("ctrl+c")
    #expect(try pty.waitForExit() == .exited(0))
    expectClean(pty)
  }

  /// Signals that indicate a crash.
  static let crashes: Set<Int32> = [
    SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS,
  ]
  /// Signals that don't end the program, can't be handled, or (32 and 33) are reserved by the C
  /// library.
  static let others: Set<Int32> = [
    SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT, SIGCHLD, SIGURG, SIGWINCH, 32, 33,
  ]

  @Test(arguments: (1...64).filter { !crashes.contains($0) && !others.contains($0) })
  func aSignalEndsInOrder(signal: Int32) throws {
    let pty = try start()
    pty.signal(signal)
    #expect(try pty.waitForExit() == .killed(signal))
    try pty.wait(for: "ended: signal(\(signal))")
    expectClean(pty)
  }

  /// The parent can make the program ignore signals, as nohup(1) does.
  @Test func whatIsIgnoredFromTheStartEndsNothing() throws {
    let pty = try PTY(
      "/bin/sh", ["-c", "trap '' HUP USR1; exec \(BuiltProgram.path("terminal-probe"))"])
    try pty.wait(for: "count 0")
    for signal in [SIGHUP, SIGUSR1] { pty.signal(signal) }
    pty.press("+")
    try pty.wait(for: "count 1")
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
  }

  @Test func aSecondSignalEndsAHungProgram() throws {
    let pty = try start()
    pty.press("h")
    try pty.wait(for: "HUNG")
    pty.signal(SIGTERM)
    #expect(throws: PTYError.self) { try pty.waitForExit(limit: 0.05) }
    pty.signal(SIGTERM)
    #expect(try pty.waitForExit() == .killed(SIGTERM))
    expectClean(pty)
  }

  @Test(
    arguments: [
      ("s", PTY.Exit.killed(SIGSEGV)), ("a", .killed(SIGABRT)), ("o", .killed(SIGSEGV)),
      ("x", .exited(3)),
    ] as [(KeyPress, PTY.Exit)])
  func everyWayOutIsClean(key: KeyPress, exit: PTY.Exit) throws {
    let pty = try start()
    pty.press(key)
    #expect(try pty.waitForExit() == exit)
    expectClean(pty)
  }

  @Test func aTrapIsClean() throws {
    let pty = try start()
    pty.press("f")
    let exit = try pty.waitForExit()
    #expect([.killed(SIGTRAP), .killed(SIGILL)].contains(exit))
    expectClean(pty)
    #expect(pty.screen.lines.joined().contains("Fatal error: as asked"))
  }

  @Test func writingToAClosedPipeDoesNotHarm() throws {
    let pty = try start()
    pty.press("p")
    try pty.wait(for: "count 1000")
    pty.press("+")
    try pty.wait(for: "count 1001")
  }

  @Test func aFileThatMayNotGrowDoesNotHarm() throws {
    let pty = try start()
    pty.press("z")
    try pty.wait(for: "count 2000")
    pty.press("+")
    try pty.wait(for: "count 2001")
  }

  /// Output of other threads must not follow the bytes that restore the terminal.
  @Test(arguments: 1...10) func aTrapBesideFramesIsClean(_: Int) throws {
    let pty = try start(size: Size(columns: 100, rows: 30))
    pty.press("l", "T")
    let exit = try pty.waitForExit()
    #expect([.killed(SIGTRAP), .killed(SIGILL)].contains(exit))
    expectClean(pty)
    #expect(pty.screen.lines.joined().contains("Fatal error: beside frames"))
  }

  @Test func aTrapOnAnotherThreadIsClean() throws {
    let pty = try start()
    pty.press("W")
    let exit = try pty.waitForExit()
    #expect([.killed(SIGTRAP), .killed(SIGILL)].contains(exit))
    expectClean(pty)
  }

  @Test(arguments: crashes.sorted())
  func aCrashSignalIsClean(signal: Int32) throws {
    let pty = try start()
    pty.signal(signal)
    #expect(try pty.waitForExit() == .killed(signal))
    expectClean(pty)
  }

  @Test func aLostTerminalEnds() throws {
    let pty = try start()
    pty.hangUp()
    let exit = try pty.waitForExit()
    #expect([.exited(0), .killed(SIGHUP)].contains(exit))
  }

  @Test func aSlowTerminalGetsTheNewestFrame() throws {
    let pty = try start(size: Size(columns: 200, rows: 60))
    pty.press("l")
    // Nothing is read in the meantime, so the frames don't fit into the terminal's buffer.
    for _ in 0..<40 { pty.press("+") }
    try pty.wait(for: "count 40")
    try pty.wait(for: "40 40 40")
    pty.press("q")
    #expect(try pty.waitForExit() == .exited(0))
    expectClean(pty)
  }

  @Test func standardErrorAppearsAfterwards() throws {
    let pty = try start()
    pty.press("w", "+")
    try pty.wait(for: "count 1")
    #expect(!pty.screen.contains("warning"))
    pty.press("q")
    try pty.wait(for: "a warning")
    try pty.waitForExit()
    expectClean(pty)
  }

  @Test func nothingIsTypedAtTheShellAfterwards() throws {
    let pty = try PTY(
      "/bin/sh",
      [
        "-c",
        "\(BuiltProgram.path("terminal-probe")); stty -icanon min 0 time 5; echo; cat -v; echo end",
      ])
    try pty.wait(for: "count 0")
    // The answers to the queries are still on their way when the program exits.
    pty.press("q")
    try pty.wait(for: "end")
    #expect(pty.screen.lines.prefix { !$0.isEmpty } == ["ended: stopped"])
    #expect(!pty.screen.text.contains("^["))
  }

  @Test func startedInARawTerminalItLeavesACookedOne() throws {
    let script =
      "stty raw -echo; \(BuiltProgram.path("terminal-probe")); echo; echo after; sleep 100"
    let pty = try PTY("/bin/sh", ["-c", script])
    try pty.wait(for: "count 0")
    pty.press("q")
    try pty.wait(for: "after")
    #expect(pty.attributes.isCooked)
  }

  @Test func noTerminalIsSaidPlainly() throws {
    let pty = try PTY(
      "/bin/sh", ["-c", "TERM=dumb \(BuiltProgram.path("terminal-probe")); echo status $?"])
    try pty.wait(for: "This terminal cannot show full screens (TERM is \"dumb\").")
    try pty.wait(for: "status 1")
    let alone = try PTY(
      "/bin/sh", ["-c", "setsid \(BuiltProgram.path("terminal-probe")) 2>&1; echo status $?"],
      size: Size(columns: 120, rows: 10))
    try alone.wait(for: "There is no terminal to draw on (/dev/tty: ")
    try alone.wait(for: "status 1")
  }

  @Test func standardInputMayBeAPipe() throws {
    let pty = try PTY(
      "/bin/sh", ["-c", "echo x | \(BuiltProgram.path("terminal-probe")) | cat; echo done"])
    try pty.wait(for: "count 0")
    pty.press("+")
    try pty.wait(for: "count 1")
    pty.press("q")
    try pty.wait(for: "done")
  }
}
