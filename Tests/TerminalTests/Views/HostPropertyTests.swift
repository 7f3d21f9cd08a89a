import struct Composable.SplitMix64
import TerminalTesting
import Testing

@testable import Terminal

/// Whatever the user does, the terminal shows the frame that the views describe.
@MainActor
struct HostPropertyTests {
  @Test(arguments: [ColorDepth.trueColor, .palette256, .ansi16, .none])
  func randomUse_showsTheFrame(depth: ColorDepth) {
    for seed in UInt64(0)..<2 {
      var random = SplitMix64(seed: seed)
      let host = ViewHost(colorDepth: depth)
      host.features = [.synchronizedUpdate, .repeatGlyph, .backgroundErase, .insertLines]
      var size = Size(columns: 80, rows: 24)
      var terminal = InMemoryTerminal(size: size)
      var position = ListPosition()
      var input = TextInput("Ada")
      for step in 0..<12 {
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
          size = Size(
            columns: Int.random(in: 1...90, using: &random),
            rows: Int.random(in: 1...28, using: &random))
          terminal = InMemoryTerminal(size: size)
          host.invalidate()
        case 1: input.apply(.insert("日"))
        case 2: position = ListPosition(selected: Int.random(in: 0..<1000, using: &random))
        default:
          position = ListLines(rowCount: 1000).scrolled(
            position, by: Int.random(in: -2...2, using: &random), visible: 10)
        }
        let gallery = Gallery(position: position, input: input)
        let hasSheet = Int.random(in: 0..<4, using: &random) == 0
        let view = ZStack {
          gallery
          if hasSheet { Sheet("Keys", width: 30) { KeySheet() } }
        }
        terminal.feed(host.render(view, size: size))
        let frame = ViewHost(colorDepth: depth).frame(view, size: size)
        #expect(terminal.lines == frame.lines, "seed \(seed), step \(step)")
        for row in 0..<size.rows {
          for column in 0..<size.columns {
            let wanted = CellStyle(frame[column, row], depth: depth, features: host.features)
            let shown = terminal[column: column, row: row]
            guard wanted.looks(like: shown) else {
              Issue.record("seed \(seed), step \(step), \(column), \(row): \(wanted), \(shown)")
              return
            }
          }
        }
        #expect(terminal.unknown.isEmpty)
        if let cursor = frame.cursor, cursor.column < size.columns, cursor.row < size.rows {
          #expect(terminal.cursor == cursor && terminal.isCursorVisible)
        }
      }
    }
  }

  @Test func everySmallSize_isDrawnWithoutTrapping() {
    let host = ViewHost()
    let view = ZStack {
      Gallery()
      Sheet("Sheet") { KeySheet() }
      Dialog(title: "Sure?", message: "Really?", buttons: [DialogButton("Yes", key: "y") {}])
      Toast("Saved")
    }
    for columns in [0, 1, 2, 3, 4, 5, 8, 13, 21, 36] {
      for rows in [0, 1, 2, 3, 4, 5, 8, 13] {
        let frame = host.frame(view, size: Size(columns: columns, rows: rows))
        #expect(frame.cells.count == columns * rows)
      }
    }
  }

  @Test func unchangedView_writesNothing() {
    let host = ViewHost()
    host.features = [.synchronizedUpdate]
    let size = Size(columns: 80, rows: 24)
    #expect(!host.render(Gallery(), size: size).isEmpty)
    #expect(host.render(Gallery(), size: size).isEmpty)
    host.invalidate()
    #expect(!host.render(Gallery(), size: size).isEmpty)
  }
}
