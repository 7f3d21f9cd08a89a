import struct Composable.SplitMix64
import Glibc
import Terminal
import TerminalTesting
import Testing

/// Compares the in-memory terminal with tmux, an independent implementation.
@Suite(
  "Comparison of the terminal in memory with tmux", .serialized,
  .enabled(if: access("/usr/bin/tmux", X_OK) == 0))
struct TmuxComparisonTests {
  private static let size = Size(columns: 17, rows: 7)

  /// Returns the rows and the cursor that tmux shows after receiving the bytes.
  private func tmux(_ bytes: [UInt8], seed: Int) throws -> (lines: [String], cursor: Point) {
    let name = "/tmp/comparison-\(getpid())-\(seed)"
    let file = try #require(fopen(name, "w"))
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    defer { unlink(name) }
    let tmux = "tmux -f /dev/null -L comparison-\(getpid())-\(seed)"
    let size = "-x \(Self.size.columns) -y \(Self.size.rows)"
    let script = """
      export TERM=xterm-256color LC_ALL=C.UTF-8
      \(tmux) new-session -d \(size) 'stty raw -echo; cat \(name); \(tmux) wait-for -S fed; sleep 100'
      \(tmux) wait-for fed
      \(tmux) display-message -p 'cursor #{cursor_x} #{cursor_y} end'
      \(tmux) capture-pane -p | sed 's/^/row:/'
      \(tmux) kill-server
      """
    let pty = try PTY("/bin/sh", ["-c", script], size: Size(columns: 120, rows: 40))
    try pty.waitForExit()
    let lines = pty.screen.lines
    let place = try #require(lines.first { $0.hasPrefix("cursor") }).split(separator: " ")
    let rows = lines.filter { $0.hasPrefix("row:") }.map { String($0.dropFirst(4)) }
    let cursor = Point(column: try #require(Int(place[1])), row: try #require(Int(place[2])))
    return (rows, cursor)
  }

  /// Returns output as programs write it. Excludes what terminals disagree about: sequences while a
  /// wrap is pending, repeating beyond the end of a row, splitting wide characters by shifting
  /// them, and inserting lines outside the scroll region, including where that leaves the cursor.
  /// Also excludes inserting more cells than there are left to move, which tmux 3.3 gets wrong.
  private static func randomBytes(_ random: inout SplitMix64, hasWide: Bool) -> [UInt8] {
    var text = "\u{1B}[?1049h"
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    func pick(_ choices: String...) -> String { choices.randomElement(using: &random)! }
    for _ in 0..<60 {
      switch number(0...11) {
      case 0...2: text += pick("a", "b", "c", "é", "─", "two words", hasWide ? "日" : "d")
      case 3: text += pick("a text that wraps at the end", "\u{1B}[31m", hasWide ? "日本語" : "def")
      default:
        text += "\u{1B}[\(number(1...7));\(number(1...16))H"
        switch number(0...12) {
        case 0: text += "\u{1B}[\(number(1...20))" + pick("A", "B", "C", "D", "E", "F")
        case 1: text += "\u{1B}[\(number(1...16))" + pick("G", "d")
        case 2: text += "\u{1B}[\(number(0...2))" + pick("J", "K")
        case 3: text += "\u{1B}[\(number(1...20))X"
        case 4: if !hasWide { text += "\u{1B}[\(number(1...8))P" }
        case 5: if !hasWide { text += "\u{1B}[\(number(2...8))G\u{1B}[\(number(1...4))@" }
        case 6: text += "\u{1B}[4d\u{1B}[\(number(1...3))" + pick("L\r", "M\r")
        case 7: text += "\u{1B}[\(number(1...4))" + pick("S", "T")
        case 8: text += "\u{1B}[\(number(1...3));\(number(4...7))r"
        case 9: text += "\u{1B}[r"
        case 10: text += pick("\r", "\n", "\r\n", "\u{8}", "\t", "\u{1B}M", "\u{1B}D", "\u{1B}E")
        case 11: text += "\rx\u{1B}[\(number(1...15))b"
        default: text += "\u{1B}7\u{1B}[\(number(1...7))d\u{1B}8"
        }
      }
    }
    return Array((text + "\u{1B}[3;3H").utf8)
  }

  @Test(arguments: 0..<20)
  func randomOutput(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let bytes = Self.randomBytes(&random, hasWide: seed % 2 == 1)
    let expected = try tmux(bytes, seed: seed)
    var terminal = InMemoryTerminal(size: Self.size)
    terminal.feed(bytes)
    #expect(
      terminal.lines == expected.lines, "\(String(decoding: bytes, as: UTF8.self).debugDescription)"
    )
    #expect(terminal.cursor == expected.cursor)
  }
}
