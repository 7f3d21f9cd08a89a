/// The cells of a frame, row by row.
struct CellBuffer {
  private(set) var size: Size
  var cells: [Cell]

  init(size: Size = .zero) {
    self.size = size
    cells = Array(repeating: .blank, count: size.columns * size.rows)
  }

  /// Blanks every cell, changing the size if needed. The storage is reused.
  mutating func clear(size newSize: Size, to cell: Cell = .blank) {
    let count = newSize.columns * newSize.rows
    size = newSize
    if cells.count != count {
      cells.removeAll(keepingCapacity: true)
      cells.reserveCapacity(count)
      cells.append(contentsOf: repeatElement(cell, count: count))
    } else {
      cells.withUnsafeMutableBufferPointer { $0.update(repeating: cell) }
    }
  }

  subscript(column: Int, row: Int) -> Cell {
    get { cells[row * size.columns + column] }
    set { cells[row * size.columns + column] = newValue }
  }

  /// Returns the place of a cell by its index.
  func place(of index: Int) -> Point {
    let (row, column) = index.quotientAndRemainder(dividingBy: size.columns)
    return Point(column: column, row: row)
  }

  /// Puts a glyph one column wide into a cell. If it overwrites half of a wide glyph, the other
  /// half is blanked.
  mutating func put(_ glyph: Glyph, style: StyleTable.ID, column: Int, row: Int) {
    let index = row * size.columns + column
    clearHalves(at: index, column: column)
    cells[index] = Cell(glyph: glyph, style: style)
  }

  /// Puts a glyph two columns wide into a cell and the one to its right.
  /// - Precondition: `column + 1` is a column of the buffer.
  mutating func putWide(_ glyph: Glyph, style: StyleTable.ID, column: Int, row: Int) {
    let index = row * size.columns + column
    clearHalves(at: index, column: column)
    clearHalves(at: index + 1, column: column + 1)
    cells[index] = Cell(glyph: glyph, style: style)
    cells[index + 1] = Cell(glyph: .continuation, style: style)
  }

  /// Fills part of a row with a cell.
  mutating func fill(_ columns: Range<Int>, row: Int, with cell: Cell) {
    clearHalves(around: columns, row: row)
    let start = row * size.columns
    cells.withUnsafeMutableBufferPointer { cells in
      for index in start + columns.lowerBound..<start + columns.upperBound { cells[index] = cell }
    }
  }

  /// Returns the cells of a rectangle, row by row.
  func cells(of rect: Rect) -> [Cell] {
    var result: [Cell] = []
    result.reserveCapacity(rect.columns * rect.rows)
    for row in rect.minRow..<rect.maxRow {
      let start = row * size.columns
      result += cells[start + rect.minColumn..<start + rect.maxColumn]
    }
    return result
  }

  /// Returns the cell that is everywhere in a rectangle, `nil` if they differ.
  func uniformCell(of rect: Rect) -> Cell? {
    let cell = self[rect.minColumn, rect.minRow]
    return cells.withUnsafeBufferPointer { cells in
      for row in rect.minRow..<rect.maxRow {
        let start = row * size.columns
        // Without a way out of the loop, many cells are compared at once.
        var difference: UInt64 = 0
        for index in start + rect.minColumn..<start + rect.maxColumn {
          difference |= cells[index].difference(from: cell)
        }
        if difference != 0 { return nil }
      }
      return cell
    }
  }

  /// Puts the cells of a rectangle, row by row.
  mutating func put(_ new: [Cell], in rect: Rect) {
    for row in rect.minRow..<rect.maxRow {
      clearHalves(around: rect.minColumn..<rect.maxColumn, row: row)
    }
    let (columns, width) = (rect.columns, size.columns)
    cells.withUnsafeMutableBufferPointer { cells in
      new.withUnsafeBufferPointer { new in
        for line in 0..<rect.rows {
          let start = (rect.minRow + line) * width + rect.minColumn
          _ = UnsafeMutableBufferPointer(rebasing: cells[start..<start + columns]).update(
            fromContentsOf: UnsafeBufferPointer(
              rebasing: new[line * columns..<(line + 1) * columns]))
        }
      }
    }
  }

  /// Writes printable ASCII characters into a row.
  mutating func write(
    ascii bytes: UnsafeBufferPointer<UInt8>, column: Int, row: Int, style: StyleTable.ID
  ) {
    clearHalves(around: column..<column + bytes.count, row: row)
    let start = row * size.columns + column
    cells.withUnsafeMutableBufferPointer { cells in
      let cells = UnsafeMutableBufferPointer(rebasing: cells[start..<start + bytes.count])
      for index in cells.indices {
        cells[index] = Cell(glyph: Glyph(ascii: bytes[index]), style: style)
      }
    }
  }

  /// Blanks the outer halves of wide glyphs that straddle the ends of part of a row.
  private mutating func clearHalves(around columns: Range<Int>, row: Int) {
    guard !columns.isEmpty else { return }
    let start = row * size.columns
    if columns.lowerBound > 0, cells[start + columns.lowerBound].glyph.isContinuation {
      cells[start + columns.lowerBound - 1].glyph = .blank
    }
    if columns.upperBound < size.columns, cells[start + columns.upperBound].glyph.isContinuation {
      cells[start + columns.upperBound].glyph = .blank
    }
  }

  /// Blanks the other half of the wide glyph that contains the cell.
  private mutating func clearHalves(at index: Int, column: Int) {
    let glyph = cells[index].glyph
    if glyph.isContinuation {
      if column > 0 { cells[index - 1].glyph = .blank }
    } else if glyph.isWide, column + 1 < size.columns {
      cells[index + 1].glyph = .blank
    }
  }
}

/// One cell of the screen, packed into eight bytes so that cells are compared as one number.
struct Cell: Hashable {
  private var bits: UInt64

  init(glyph: Glyph, style: StyleTable.ID) {
    bits = UInt64(style) << 32 | UInt64(glyph.bits)
  }

  /// Returns zero for the same cell.
  func difference(from other: Cell) -> UInt64 { bits ^ other.bits }

  var glyph: Glyph {
    get { Glyph(bits: UInt32(truncatingIfNeeded: bits)) }
    set { self = Cell(glyph: newValue, style: style) }
  }

  var style: StyleTable.ID {
    get { StyleTable.ID(truncatingIfNeeded: bits >> 32) }
    set { self = Cell(glyph: glyph, style: newValue) }
  }

  /// An empty cell in the terminal's default colours.
  static let blank = Cell(glyph: .blank, style: 0)

  /// A cell whose contents on the terminal are unknown: the right half of a glyph with no left
  /// half, which is never drawn and so differs from every cell.
  static let unknown = Cell(glyph: .continuation, style: 0)
}
