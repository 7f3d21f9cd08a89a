import struct Composable.SplitMix64
import TerminalTesting
import Testing

@testable import Terminal

/// For any two frames, an independent terminal that receives the output shows the second frame.
struct ScreenPropertyTests {
  struct Setting: CustomTestStringConvertible, Sendable {
    var name: String
    var features: ScreenFeatures
    var clusterWidth: InMemoryTerminal.ClusterWidth = .whole
    var canvas = Style.plain
    var testDescription: String { name }
  }

  static let settings = [
    Setting(name: "plain", features: []),
    Setting(
      name: "everything",
      features: [
        .synchronizedUpdate, .repeatGlyph, .backgroundErase, .insertLines, .styledUnderlines,
        .hyperlinks, .cursorShapes,
      ]),
    Setting(name: "links", features: [.hyperlinks]),
    Setting(name: "disputed widths", features: [], clusterWidth: .sumOfScalars),
    Setting(name: "painted", features: [.backgroundErase, .insertLines], canvas: painted),
    Setting(name: "painted cell by cell", features: [.insertLines], canvas: painted),
  ]
  private static let painted = Style(foreground: .hex(0x102030), background: .palette(231))

  @Test(arguments: settings) func randomFrames_areShownCellByCell(_ setting: Setting) {
    for seed in UInt64(0)..<60 {
      var random = SplitMix64(seed: seed)
      let size = Size(
        columns: Int.random(in: 1...24, using: &random), rows: Int.random(in: 1...6, using: &random)
      )
      var frames = RandomFrame()
      let screen = Screen()
      screen.features = setting.features
      screen.canvas = setting.canvas
      var terminal = InMemoryTerminal(size: size, clusterWidth: setting.clusterWidth)
      for step in 0..<12 {
        if Int.random(in: 0..<8, using: &random) == 0 {
          terminal.feed("\u{1B}[3;1Hforeign \u{1B}[41;4:3moutput")
          if setting.features.contains(.hyperlinks) {
            terminal.feed("\u{1B}]8;;https://elsewhere\u{1B}\\link")
          }
          screen.invalidate()
        }
        screen.begin(size: size)
        frames.draw(on: screen, using: &random)
        let cursor =
          Bool.random(using: &random)
          ? Point(
            column: Int.random(in: 0..<size.columns, using: &random),
            row: Int.random(in: 0..<size.rows, using: &random)) : nil
        let expected = Frame(screen: screen)
        terminal.feed(screen.present(cursor: cursor, isCursorVisible: true))
        let problem = firstDifference(terminal, expected, setting)
        guard problem == nil else {
          Issue.record("seed \(seed), step \(step): \(problem!)")
          return
        }
        #expect(terminal.isCursorVisible == (cursor != nil))
        if let cursor { #expect(terminal.cursor == cursor, "seed \(seed), step \(step)") }
        #expect(terminal.unknown.isEmpty)
      }
    }
  }

  /// Only part of a huge window is drawn; moving rows must not enter or leave that part.
  @Test func rowsThatMove_stayInsideTheLargestFrame() {
    let screen = Screen()
    screen.features = [.insertLines]
    let size = Size(columns: 10, rows: Screen.largestSize.rows)
    var terminal = InMemoryTerminal(size: Size(columns: 15, rows: size.rows + 20))
    for offset in [0, 3, 1, 0, 10, 40, 0] {
      screen.begin(size: size)
      let canvas = Canvas(screen: screen, glyphs: .unicode)
      for row in 0..<size.rows {
        canvas.write("row \(row + offset)", at: Point(column: 0, row: row), style: .plain)
      }
      terminal.feed(screen.present(cursor: nil, isCursorVisible: false))
      for row in 0..<size.rows { #expect(terminal.line(row) == "row \(row + offset)") }
      for row in size.rows..<size.rows + 20 { #expect(terminal.line(row).isEmpty) }
    }
  }

  /// A terminal's features may become known after something has been drawn.
  @Test func newFeatures_areShownInTheNextFrame() {
    let screen = Screen()
    let size = Size(columns: 8, rows: 1)
    var terminal = InMemoryTerminal(size: size)
    let link = Hyperlink("https://example.org")!
    var style = Style(attributes: .underline, underlineStyle: .curly)
    style.link = screen.links.id(for: link)
    for features in [[], [.hyperlinks], [.hyperlinks, .styledUnderlines]] as [ScreenFeatures] {
      screen.features = features
      screen.begin(size: size)
      Canvas(screen: screen, glyphs: .unicode).write("linked", at: .zero, style: style)
      terminal.feed(screen.present(cursor: nil, isCursorVisible: false))
      let shown = terminal[column: 0, row: 0].style
      #expect(shown.hyperlink == (features.contains(.hyperlinks) ? link.address : nil))
      #expect(shown.underline == (features.contains(.styledUnderlines) ? .curly : .single))
    }
  }

  /// The theme can change after something has been drawn.
  @MainActor @Test func anotherCanvas_isShownInTheNextFrame() {
    let host = ViewHost(theme: .light)
    let size = Size(columns: 8, rows: 2)
    var terminal = InMemoryTerminal(size: size)
    func ground(_ theme: Theme) -> Set<CellStyle.Color> {
      host.theme = theme
      terminal.feed(host.render(Text("text"), size: size))
      return Set(terminal.cells.map(\.style.background))
    }
    #expect(ground(.light) == [.standard])
    #expect(ground(.light.adapted(toBackground: .hex(0x000000))) == [.rgb(255, 255, 255)])
    #expect(ground(.dark.adapted(toBackground: nil)) == [.rgb(0x16, 0x18, 0x1D)])
    #expect(ground(.dark.adapted(toBackground: .hex(0x000000))) == [.standard])
    host.colorDepth = .ansi16
    #expect(ground(.dark.adapted(toBackground: .hex(0xFFFFFF))) == [.palette(0)])
    host.colorDepth = .none
    #expect(ground(.dark.adapted(toBackground: .hex(0xFFFFFF))) == [.standard])
  }

  /// A short cluster after a long one doesn't reduce the area that the long one may have covered.
  @Test func cellsThatALongClusterMayHaveCovered_areWrittenAgain() {
    let screen = Screen()
    let size = Size(columns: 16, rows: 1)
    var terminal = InMemoryTerminal(size: size, clusterWidth: .sumOfScalars)
    for first in ["ab", "👨‍👩‍👧‍👦"] {
      screen.begin(size: size)
      let canvas = Canvas(screen: screen, glyphs: .unicode)
      canvas.write(first, at: .zero, style: .plain)
      canvas.write("🇫🇷abcdef", at: Point(column: 2, row: 0), style: .plain)
      terminal.feed(screen.present(cursor: nil, isCursorVisible: false))
    }
    #expect((4..<10).map { terminal[column: $0, row: 0].text } == ["a", "b", "c", "d", "e", "f"])
  }

  @Test func equalFrames_writeNothing() {
    var random = SplitMix64(seed: 7)
    let screen = Screen()
    screen.features = [.synchronizedUpdate]
    let size = Size(columns: 30, rows: 5)
    screen.begin(size: size)
    var frames = RandomFrame()
    frames.draw(on: screen, using: &random)
    let copy = screen.back
    #expect(!screen.present(cursor: Point(column: 2, row: 2), isCursorVisible: true).isEmpty)
    screen.back = copy
    #expect(screen.present(cursor: Point(column: 2, row: 2), isCursorVisible: true).isEmpty)
    screen.invalidate()
    screen.back = copy
    #expect(!screen.present(cursor: Point(column: 2, row: 2), isCursorVisible: true).isEmpty)
  }

  /// Returns a description of the first cell that the terminal shows differently, if any.
  ///
  /// If the terminal measures clusters differently, cells of clusters with a disputed width are
  /// skipped.
  private func firstDifference(
    _ terminal: InMemoryTerminal, _ frame: Frame, _ setting: Setting
  ) -> String? {
    for row in 0..<frame.size.rows {
      for column in 0..<frame.size.columns {
        let expected = frame[column, row]
        if setting.clusterWidth != .whole {
          let owner = expected.text.isEmpty && column > 0 ? frame[column - 1, row] : expected
          if owner.text.unicodeScalars.count > 1 { continue }
        }
        let shown = terminal[column: column, row: row]
        guard shown.text == expected.text,
          CellStyle(expected, features: setting.features, canvas: setting.canvas).looks(like: shown)
        else {
          return """
            at column \(column), row \(row) of \(frame.size) \
            expected \(expected), the terminal shows \(shown)
            \(frame.text)
            --
            \(terminal.text)
            """
        }
      }
    }
    return nil
  }
}
