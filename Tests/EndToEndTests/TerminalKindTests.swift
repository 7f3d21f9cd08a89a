import Terminal
import TerminalTesting
import Testing

/// The app in different kinds of terminal.
@Suite(.serialized) struct TerminalKindTests {
  /// Whether a cell has a colour beyond the 16 named ones.
  private func hasManyColours(_ screen: InMemoryTerminal) -> Bool {
    screen.cells.contains { cell in
      [cell.style.foreground, cell.style.background].contains { color in
        switch color {
        case .standard: false
        case .palette(let index): index >= 16
        case .rgb: true
        }
      }
    }
  }

  @Test("With TERM=xterm the app uses more than 16 colours once the terminal reports them")
  func coloursThatComeLater() throws {
    let pty = try Home().open(environment: ["TERM": "xterm", "COLORTERM": nil])
    try pty.wait(for: "Who are you?")
    try pty.wait { hasManyColours($0) }
    pty.press("ctrl+c")
    _ = try pty.waitForExit()
  }

  @Test("In a locale that isn't UTF-8 the app writes only ASCII")
  func locale() throws {
    let pty = try Home().open(environment: ["LC_ALL": "C"])
    try pty.wait(for: "Who are you?")
    try pty.wait { $0.modes.contains(2048) }
    #expect(pty.output.allSatisfy { $0 < 0x80 })
    pty.press("ctrl+c")
    _ = try pty.waitForExit()
  }
}
