import struct Composable.SplitMix64
import TerminalTesting
import Testing

@testable import Terminal

@Suite("Inline frames") struct InlineScreenTests {
  /// A terminal with lines of a shell, and the frames below them.
  private struct Session {
    var terminal: InMemoryTerminal
    var shown: [String]
    let screen = Screen()

    init(rows: Int, columns: Int, lines: Int) {
      terminal = InMemoryTerminal(size: Size(columns: columns, rows: rows))
      shown = (0..<lines).map { "line \($0)" }
      for line in shown { terminal.feed(line + "\r\n") }
      screen.isInline = true
    }

    /// The rows that are above the cursor's frame, on the screen and scrolled off it.
    func above(cursor: Int) -> [String] {
      terminal.scrollback + terminal.lines.prefix(terminal.cursor.row - cursor)
    }
  }

  @Test("Random frames are shown cell by cell, and what is above them stays")
  func randomFrames() {
    let features: [ScreenFeatures] = [
      [], [.synchronizedUpdate, .repeatGlyph, .backgroundErase, .styledUnderlines, .hyperlinks],
    ]
    for seed in UInt64(0)..<120 {
      var random = SplitMix64(seed: seed)
      let size = Size(
        columns: Int.random(in: 12...24, using: &random),
        rows: Int.random(in: 1...5, using: &random)
      )
      var session = Session(
        rows: size.rows + Int.random(in: 0...4, using: &random), columns: size.columns,
        lines: Int.random(in: 0...6, using: &random))
      let screen = session.screen
      screen.features = features[Int(seed) % 2]
      var frames = RandomFrame()
      frames.texts = RandomFrame.undisputedTexts
      for step in 0..<14 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
          screen.printed = ["printed \(step)", "😀"]
          session.shown += screen.printed
          screen.invalidate()
        case 1: screen.invalidate()
        case 2:
          session.terminal.feed(screen.leaveLines(erasing: true))
          session.terminal.feed("shell \(step)\r\n")
          session.shown.append("shell \(step)")
        default: break
        }
        screen.begin(size: size)
        frames.draw(on: screen, using: &random)
        let cursor = Point(
          column: Int.random(in: 0..<size.columns, using: &random),
          row: Int.random(in: 0..<size.rows, using: &random))
        let expected = Frame(screen: screen)
        session.terminal.feed(screen.present(cursor: cursor, isCursorVisible: true))
        let top = session.terminal.cursor.row - cursor.row
        let place = "seed \(seed), step \(step)"
        #expect(session.terminal.cursor.column == cursor.column, "\(place)")
        guard session.above(cursor: cursor.row) == session.shown, session.terminal.unknown.isEmpty
        else {
          Issue.record("\(place): \(session.above(cursor: cursor.row)) above")
          return
        }
        for (index, cell) in expected.cells.enumerated() {
          let (row, column) = index.quotientAndRemainder(dividingBy: size.columns)
          let shown = session.terminal[column: column, row: top + row]
          let style = CellStyle(cell, features: screen.features, canvas: .plain)
          guard shown.text == cell.text, style.looks(like: shown) else {
            Issue.record("\(place): \(shown) at \(column), \(row) instead of \(cell)")
            return
          }
        }
        for row in top + size.rows..<max(top + size.rows, session.terminal.size.rows) {
          #expect(session.terminal.line(row).isEmpty, "\(place): below the frame")
        }
      }
    }
  }

  @Test("A frame with more lines than the window begins again when the window grows")
  func heights() {
    var session = Session(rows: 4, columns: 10, lines: 2)
    for rows in [4, 2, 1, 4] {
      session.terminal.resize(to: Size(columns: 10, rows: rows))
      session.screen.invalidate()
      session.screen.begin(size: Size(columns: 10, rows: min(3, rows)))
      let canvas = Canvas(screen: session.screen, glyphs: .unicode)
      for row in 0..<min(3, rows) {
        canvas.write("row \(row)", at: Point(column: 0, row: row), style: .plain)
      }
      session.terminal.feed(session.screen.present(cursor: nil, isCursorVisible: false))
      #expect(session.terminal.cursor.column == 0)
      #expect(session.terminal.line(session.terminal.cursor.row) == "row 0", "\(rows) rows")
      #expect(session.terminal.text.components("row 0") == 1, "\(rows) rows")
    }
  }

  @Test(
    "A line without an end stays, and the first frame begins below it",
    arguments: ["", "?", "Select an option:", String(repeating: "x", count: 19), "日本語"])
  func unfinishedLine(question: String) {
    for rows in [6, 3] {
      var session = Session(rows: rows, columns: 20, lines: 2)
      session.terminal.feed(question)
      for text in ["first", "second"] {
        session.screen.begin(size: Size(columns: 20, rows: 2))
        Canvas(screen: session.screen, glyphs: .unicode).write(text, at: .zero, style: .plain)
        session.terminal.feed(session.screen.present(cursor: nil, isCursorVisible: false))
        let shown = session.above(cursor: 0).map { $0.trimmingSuffix { $0 == " " } }
        #expect(shown == session.shown + (question.isEmpty ? [] : [question]), "\(rows) rows")
        #expect(session.terminal.line(session.terminal.cursor.row) == text)
      }
    }
  }

  @Test("If a narrower window reflows the lines, the frame replaces all of them")
  func narrower() {
    let screen = Screen()
    screen.isInline = true
    screen.reflows = true
    func bytes(_ columns: Int) -> String {
      screen.begin(size: Size(columns: columns, rows: 3))
      let canvas = Canvas(screen: screen, glyphs: .unicode)
      canvas.write("a line of 20 columns", at: .zero, style: .plain)
      return String(
        decoding: screen.present(
          cursor: Point(column: 9, row: 2), isCursorVisible: true), as: UTF8.self)
    }
    #expect(bytes(20).contains("\u{1B}[J\r\u{1B}[X\u{1B}[?7l\n\n\u{1B}[2A"))
    // The first line has taken three rows, the second one, and the cursor is in the second row of
    // the third.
    #expect(bytes(8).contains("\r\u{1B}[5A\u{1B}[C\u{1B}[J"))
  }
}

extension String {
  fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> String {
    var text = self
    while text.last.map(isTrimmed) == true { text.removeLast() }
    return text
  }

  fileprivate func components(_ part: String) -> Int {
    split(separator: part, omittingEmptySubsequences: false).count - 1
  }
}
