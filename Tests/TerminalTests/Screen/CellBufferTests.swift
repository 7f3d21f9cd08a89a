import struct Composable.SplitMix64
import Testing

@testable import Terminal

/// The cells of a frame, of which rows are cleared when something is first drawn in them.
struct CellBufferTests {
  @Test("Rows that are cleared late hold the same as rows that are cleared at once")
  func clearedLate_isTheSame() {
    for seed in UInt64(0)..<60 {
      var random = SplitMix64(seed: seed)
      var (late, early) = (CellBuffer(), CellBuffer())
      var size = Size(columns: 9, rows: 4)
      for step in 0..<40 {
        if Int.random(in: 0..<6, using: &random) == 0 {
          size = Size(
            columns: Int.random(in: 0...9, using: &random),
            rows: Int.random(in: 0...4, using: &random))
        }
        let ground = Cell(glyph: .blank, style: UInt32.random(in: 0...2, using: &random))
        late.clear(size: size, to: ground)
        early.clear(size: size, to: ground)
        early.finish()
        for _ in 0..<Int.random(in: 0...8, using: &random) where !size.isEmpty {
          let seed = random.next()
          let read = (draw(on: &late, seed: seed), draw(on: &early, seed: seed))
          #expect(read.0 == read.1, "seed \(seed), step \(step)")
        }
        late.finish()
        guard late.cells == early.cells else {
          Issue.record("seed \(seed), step \(step)")
          return
        }
      }
    }
  }

  /// Draws or reads something somewhere.
  /// - Returns: The cells that were read.
  private func draw(on buffer: inout CellBuffer, seed: UInt64) -> [Cell?] {
    var random = SplitMix64(seed: seed)
    let row = Int.random(in: 0..<buffer.size.rows, using: &random)
    let column = Int.random(in: 0..<buffer.size.columns, using: &random)
    let end = Int.random(in: column...buffer.size.columns, using: &random)
    let bottom = Int.random(in: row + 1...buffer.size.rows, using: &random)
    let rect = Rect(column: column, row: row, columns: end - column, rows: bottom - row)
    let style = UInt32.random(in: 0...2, using: &random)
    switch Int.random(in: 0...8, using: &random) {
    case 0: buffer.put(Glyph(scalar: "x", isWide: false), style: style, column: column, row: row)
    case 1 where column + 1 < buffer.size.columns:
      buffer.putWide(Glyph(scalar: "日", isWide: true), style: style, column: column, row: row)
    case 2: buffer.fill(column..<end, row: row, with: Cell(glyph: .blank, style: style))
    case 3:
      Array("Hello, Ada".utf8.prefix(end - column)).withUnsafeBufferPointer {
        buffer.write(ascii: $0, column: column, row: row, style: style)
      }
    case 4:
      let cells = "abcdefghijklmnopqrstuvwxyzabcdefghij".unicodeScalars.map {
        Cell(glyph: Glyph(scalar: $0, isWide: false), style: style)
      }
      buffer.put(Array(cells.prefix(rect.columns * rect.rows)), in: rect)
    case 5: buffer.restyle(in: rect) { $0 ^ 1 }
    case 6: buffer[column, row] = Cell(glyph: .blank, style: style)
    case 7: return buffer.cells(of: rect)
    default: return [buffer[column, row], rect.isEmpty ? nil : buffer.uniformCell(of: rect)]
    }
    return []
  }
}
