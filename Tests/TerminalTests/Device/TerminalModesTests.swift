import TerminalTesting
import Testing

@testable import Terminal

@Suite("Entering and leaving full-screen mode")
struct TerminalModesTests {
  private func terminal() -> InMemoryTerminal {
    var terminal = InMemoryTerminal(size: Size(columns: 20, rows: 5))
    terminal.feed("\u{1B}]2;shell\u{7}$ lifesignal\r\n")
    return terminal
  }

  private func expectLeft(_ terminal: InMemoryTerminal, _ comment: Comment? = nil) {
    #expect(!terminal.isAlternateScreen, comment)
    #expect(terminal.modes == [7, 25], comment)
    #expect(terminal.reordersText, comment)
    #expect(terminal.keyboardFlags == 0, comment)
    #expect(terminal.title == "shell", comment)
    #expect(terminal.titleStack.isEmpty, comment)
    #expect(terminal.cursorShape == .standard, comment)
    #expect(terminal.scrollRegion == 0...4, comment)
    #expect(terminal.line(0) == "$ lifesignal", comment)
  }

  @Test(arguments: [
    TerminalOptions(), TerminalOptions(usesMouse: false), TerminalOptions(title: "LifeSignal"),
  ])
  func leavingUndoesEntering(options: TerminalOptions) {
    let modes = TerminalModes(
      options: options, setsGraphemeClusters: true, reportsPixels: options.usesMouse)
    var terminal = terminal()
    terminal.feed(modes.enter)
    #expect(terminal.isAlternateScreen)
    #expect(!terminal.reordersText)
    #expect(terminal.modes.contains(2027))
    #expect(!terminal.isCursorVisible)
    #expect(terminal.modes.contains(1002) == options.usesMouse)
    #expect(terminal.modes.contains(1016) == options.usesMouse)
    #expect(terminal.title == options.title ?? "shell")
    terminal.feed(modes.leave)
    expectLeft(terminal)
    #expect(terminal.cursor == Point(column: 0, row: 1))
    #expect(terminal.unknown.isEmpty)
  }

  /// A program stopped by SIGSTOP has no chance to restore the terminal.
  @Test func enteringAgainPutsNothingOnAStack() {
    let modes = TerminalModes(options: TerminalOptions(title: "LifeSignal"))
    var terminal = terminal()
    terminal.feed(modes.enter)
    for _ in 0..<60 {
      terminal.feed("\u{1B}]2;another\u{7}\u{1B}[=1;1u\u{1B}[?1000;1002;1006;2004l")
      terminal.feed(modes.enterAgain)
      #expect(terminal.keyboardFlags == 5 && terminal.title == "LifeSignal")
      #expect(terminal.modes.isSuperset(of: [1000, 1002, 1004, 1006, 2004, 2031]))
    }
    terminal.feed(modes.leave)
    expectLeft(terminal)
    terminal.feed("\u{1B}[?1049h")
    #expect(terminal.keyboardFlags == 0)
    #expect(terminal.unknown.isEmpty)
  }

  /// A crash can happen between any two bytes.
  @Test func leavingWorksAfterEveryByteOfAFrame() {
    let modes = TerminalModes(options: TerminalOptions())
    let frame = Array(
      "\u{1B}[?2026h\u{1B}[2;4r\u{1B}[1;38;2;1;2;3mé日\u{1B}]8;;https://example.org\u{1B}\\link\u{1B}[4 q\u{1B}]2;title\u{7}\u{1B}[?7l"
        .utf8)
    for count in 0...frame.count {
      var terminal = terminal()
      terminal.feed(modes.enter)
      terminal.feed(frame[..<count])
      terminal.feed(modes.leave)
      expectLeft(terminal, "after \(count) bytes")
      terminal.feed("x")
      #expect(terminal[column: 0, row: 1].style == CellStyle(), "after \(count) bytes")
    }
  }

  @Test func withoutTheAlternateScreenTheShellGoesOnBelow() {
    let modes = TerminalModes(options: TerminalOptions(usesAlternateScreen: false))
    var terminal = terminal()
    terminal.feed(modes.enter)
    #expect(!terminal.isAlternateScreen)
    terminal.feed("\u{1B}[5;1Hfooter")
    terminal.feed(modes.leave)
    #expect(terminal.line(3) == "footer")
    #expect(terminal.cursor == Point(column: 0, row: 4))
  }

  @Test func theLinuxConsoleGetsNothingThatItWouldShow() {
    let modes = TerminalModes(options: TerminalOptions(), isConsole: true)
    let text = String(decoding: modes.enter + modes.enterAgain + modes.leave, as: UTF8.self)
    #expect(
      !text.contains("[>") && !text.contains("[=") && !text.contains("[<") && !text.contains(" q"))
  }

  @Test func titlesCannotCarrySequences() {
    var terminal = terminal()
    terminal.feed(TerminalModes.title("a\u{1B}\\\u{1B}[31mb\u{7}\u{9C}"))
    #expect(terminal.title == "a␛\\␛[31mb␇\u{FFFD}")
    #expect(terminal.style == CellStyle())
  }

  /// Optional modes are only requested once the terminal has reported that it supports them.
  @Test func nothingIsAskedForThatTheTerminalDidNotOffer() {
    let modes = TerminalModes(options: TerminalOptions())
    for bytes in [modes.enter, modes.enterAgain, modes.leave] {
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(!text.contains("2027") && !text.contains("1016h"))
      #expect(!text.contains(KittyGraphics.deleteAll))
    }
  }
}
