import TerminalTesting
import Testing

@testable import Terminal

struct CursorMoveTests {
  private func bytes(from start: Point?, to target: Point) -> [UInt8] {
    var output = EscapeBuffer()
    CursorMove(fromRow: start?.row, column: start?.column, to: target).append(to: &output)
    return output.bytes
  }

  private func text(from start: (Int, Int)?, to target: (Int, Int)) -> String {
    let start = start.map { Point(column: $0.0, row: $0.1) }
    let bytes = bytes(from: start, to: Point(column: target.0, row: target.1))
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func theShortestWayIsTaken() {
    #expect(text(from: (5, 3), to: (0, 3)) == "\r")
    #expect(text(from: (5, 3), to: (3, 3)) == "\u{8}\u{8}")
    #expect(text(from: (150, 3), to: (30, 3)) == "\u{1B}[31G")
    #expect(text(from: (50, 3), to: (41, 3)) == "\u{1B}[9D")
    #expect(text(from: (5, 3), to: (6, 3)) == "\u{1B}[C")
    #expect(text(from: (5, 3), to: (5, 4)) == "\n")
    #expect(text(from: (5, 3), to: (4, 4)) == "\u{8}\n")
    #expect(text(from: (5, 3), to: (0, 5)) == "\r\n\n")
    #expect(text(from: (5, 3), to: (5, 23)) == "\u{1B}[20B")
    #expect(text(from: (5, 3), to: (5, 2)) == "\u{1B}M")
    #expect(text(from: (5, 3), to: (5, 1)) == "\u{1B}[2A")
    #expect(text(from: (5, 3), to: (0, 0)) == "\u{1B}[H")
    #expect(text(from: (99, 3), to: (5, 40)) == "\u{1B}[41;6H")
    #expect(text(from: nil, to: (0, 40)) == "\u{1B}[41H")
    #expect(text(from: nil, to: (0, 0)) == "\u{1B}[H")
  }

  /// From any cell to any other, with no more bytes than the absolute move.
  @Test func everyMoveArrives() {
    let size = Size(columns: 13, rows: 12)
    let places = (0..<size.columns * size.rows).map {
      Point(column: $0 % size.columns, row: $0 / size.columns)
    }
    var terminal = InMemoryTerminal(size: size)
    for start in places {
      for target in places {
        terminal.feed("\u{1B}[\(start.row + 1);\(start.column + 1)H")
        let bytes = bytes(from: start, to: target)
        terminal.feed(bytes)
        let isShort = bytes.count <= self.bytes(from: nil, to: target).count
        if terminal.cursor != target || !isShort {
          Issue.record("\(start) to \(target): \(bytes)")
          return
        }
      }
    }
    #expect(terminal.text.isEmpty && terminal.unknown.isEmpty)
  }

  @Test func theCostIsThatOfTheBytes() {
    for column in 0..<120 {
      for row in [0, 1, 9, 99] {
        let target = Point(column: column, row: row)
        for start in [nil, Point(column: 50, row: 10), Point(column: column, row: 9)] {
          let move = CursorMove(fromRow: start?.row, column: start?.column, to: target)
          #expect(move.cost == bytes(from: start, to: target).count)
        }
      }
    }
  }
}
