import TerminalTesting
import Testing

@testable import Terminal

struct ScrollDetectorTests {
  private func buffer(_ rows: [String]) -> CellBuffer {
    let screen = Screen()
    screen.begin(size: Size(columns: 12, rows: rows.count))
    let canvas = Canvas(screen: screen, glyphs: .unicode)
    for (row, text) in rows.enumerated() {
      canvas.write(text, at: Point(column: 0, row: row), style: .plain)
    }
    screen.back.finish()
    return screen.back
  }

  private func scroll(_ old: [String], _ new: [String]) -> Scroll? {
    var detector = ScrollDetector()
    return detector.find(from: buffer(old), to: buffer(new))
  }

  @Test func rowsThatMoveUp_areFound() {
    #expect(
      scroll(["top", "a", "b", "c", "d", "e"], ["top", "b", "c", "d", "e", "f"])
        == Scroll(region: 1..<6, distance: 1))
  }

  @Test func rowsThatMoveDown_areFound() {
    #expect(
      scroll(["top", "a", "b", "c", "d", "end"], ["top", "x", "y", "a", "b", "end"]) == nil)
    #expect(
      scroll(["t", "a", "b", "c", "d", "e", "end"], ["t", "x", "y", "a", "b", "c", "end"])
        == Scroll(region: 1..<6, distance: -2))
  }

  @Test func rowsThatStay_keepOthersFromMoving() {
    #expect(scroll(["a", "-", "-", "-", "-", "b"], ["b", "-", "-", "-", "-", "c"]) == nil)
    #expect(scroll(["a", "b", "c", "d"], ["a", "b", "c", "d"]) == nil)
  }

  @Test func aRowThatDiffers_doesNotHideTheScroll() {
    #expect(
      scroll(["a", "b", "c!", "d", "e", "f"], ["b", "c", "d!", "e", "f", "g"])
        == Scroll(region: 0..<6, distance: 1))
  }

  @Test func rowsThatComeCloser_moveToo() {
    #expect(
      scroll(
        ["title", "aaaa #", "bbbb |", "cccc |", "dddd |", "eeee |", "ffff |"],
        ["title", "bbbb #", "cccc |", "dddd |", "eeee |", "ffff |", "gggg |"])
        == Scroll(region: 1..<7, distance: 1))
  }

  @Test func terminalScrollsInFewBytes() {
    let screen = Screen()
    screen.features = [.insertLines]
    let size = Size(columns: 40, rows: 12)
    var terminal = InMemoryTerminal(size: size)
    var lengths: [Int] = []
    for first in 0..<3 {
      screen.begin(size: size)
      let canvas = Canvas(screen: screen, glyphs: .unicode)
      for row in 0..<12 {
        canvas.write(
          "a row of some length \(first + row)", at: Point(column: 0, row: row), style: .plain)
      }
      let bytes = screen.present(cursor: nil, isCursorVisible: false)
      lengths.append(bytes.count)
      terminal.feed(bytes)
      #expect(terminal.lines.first == "a row of some length \(first)")
      #expect(terminal.lines.last == "a row of some length \(first + 11)")
    }
    #expect(lengths[1] < 60 && lengths[2] < 60)
    #expect(terminal.unknown.isEmpty)
  }
}
