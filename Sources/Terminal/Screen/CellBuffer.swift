/// The cells of a frame, row by row.
///
/// A row is cleared when something is first drawn in it, so that what a list kept replaces the row of the
/// last frame without clearing it, and finding out what is beneath takes no look at the cells.
struct CellBuffer {
  private(set) var size: Size
  /// The cells, which mean nothing in rows that are still to be cleared.
  private var storage: [Cell]
  /// The cell that is everywhere in the rows that are still to be cleared.
  private var ground = Cell.blank
  /// Whether each row is still to be cleared.
  private var isPending: [Bool]
  /// Whether no row is still to be cleared.
  private var isFinished = true

  /// The cells of all rows, row by row.
  /// - Precondition: The frame is finished.
  var cells: [Cell] {
    assert(isFinished, "Finish the frame first.")
    return storage
  }

  init(size: Size = .zero) {
    self.size = size
    storage = Array(repeating: .blank, count: size.columns * size.rows)
    isPending = Array(repeating: false, count: size.rows)
  }

  /// Blanks every cell, changing the size if needed. The storage is reused.
  mutating func clear(size newSize: Size, to cell: Cell = .blank) {
    let count = newSize.columns * newSize.rows
    if storage.count != count {
      storage.removeAll(keepingCapacity: true)
      storage.reserveCapacity(count)
      storage.append(contentsOf: repeatElement(cell, count: count))
    }
    if isPending.count != newSize.rows {
      isPending = Array(repeating: true, count: newSize.rows)
    } else {
      for row in isPending.indices { isPending[row] = true }
    }
    size = newSize
    ground = cell
    isFinished = false
  }

  /// Clears the rows in which nothing was drawn.
  mutating func finish() {
    guard !isFinished else { return }
    for row in isPending.indices where isPending[row] { clear(row) }
    isFinished = true
  }

  /// Clears a row, apart from some columns.
  private mutating func clear(_ row: Int, outside columns: Range<Int> = 0..<0) {
    isPending[row] = false
    let (start, width, ground) = (row * size.columns, size.columns, ground)
    storage.withUnsafeMutableBufferPointer { cells in
      let row = UnsafeMutableBufferPointer(rebasing: cells[start..<start + width])
      for column in 0..<columns.lowerBound { row[column] = ground }
      for column in columns.upperBound..<width { row[column] = ground }
    }
  }

  subscript(column: Int, row: Int) -> Cell {
    get { isPending[row] ? ground : storage[row * size.columns + column] }
    set {
      if isPending[row] { clear(row) }
      storage[row * size.columns + column] = newValue
    }
  }

  /// Changes the style of every cell, or of those in a rectangle.
  mutating func restyle(in rect: Rect? = nil, _ change: (StyleTable.ID) -> StyleTable.ID) {
    finish()
    let screen = Rect(origin: .zero, size: size)
    let rect = rect?.intersection(screen) ?? screen
    for row in rect.minRow..<rect.maxRow {
      for index in row * size.columns + rect.minColumn..<row * size.columns + rect.maxColumn {
        storage[index].style = change(storage[index].style)
      }
    }
  }

  /// Puts a glyph one column wide into a cell. If it overwrites half of a wide glyph, the other
  /// half is blanked.
  mutating func put(_ glyph: Glyph, style: StyleTable.ID, column: Int, row: Int) {
    if isPending[row] { clear(row) }
    let index = row * size.columns + column
    clearHalves(at: index, column: column)
    storage[index] = Cell(glyph: glyph, style: style)
  }

  /// Puts a glyph two columns wide into a cell and the one to its right.
  /// - Precondition: `column + 1` is a column of the buffer.
  mutating func putWide(_ glyph: Glyph, style: StyleTable.ID, column: Int, row: Int) {
    if isPending[row] { clear(row) }
    let index = row * size.columns + column
    clearHalves(at: index, column: column)
    clearHalves(at: index + 1, column: column + 1)
    storage[index] = Cell(glyph: glyph, style: style)
    storage[index + 1] = Cell(glyph: .continuation, style: style)
  }

  /// Fills part of a row with a cell.
  mutating func fill(_ columns: Range<Int>, row: Int, with cell: Cell) {
    prepare(columns, row: row)
    let start = row * size.columns
    storage.withUnsafeMutableBufferPointer { cells in
      for index in start + columns.lowerBound..<start + columns.upperBound { cells[index] = cell }
    }
  }

  /// Returns the cells of a rectangle, row by row.
  func cells(of rect: Rect) -> [Cell] {
    var result: [Cell] = []
    result.reserveCapacity(rect.columns * rect.rows)
    for row in rect.minRow..<rect.maxRow {
      let start = row * size.columns
      if isPending[row] {
        result += repeatElement(ground, count: rect.columns)
      } else {
        result += storage[start + rect.minColumn..<start + rect.maxColumn]
      }
    }
    return result
  }

  /// Returns the cell that is everywhere in a rectangle, `nil` if they differ or are half of a wide glyph.
  func uniformCell(of rect: Rect) -> Cell? {
    let cell = self[rect.minColumn, rect.minRow]
    guard !cell.glyph.isWide, !cell.glyph.isContinuation else { return nil }
    return storage.withUnsafeBufferPointer { cells in
      for row in rect.minRow..<rect.maxRow {
        if isPending[row] {
          guard cell == ground else { return nil }
          continue
        }
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
      prepare(rect.minColumn..<rect.maxColumn, row: row)
    }
    let (columns, width) = (rect.columns, size.columns)
    storage.withUnsafeMutableBufferPointer { cells in
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
    prepare(column..<column + bytes.count, row: row)
    let start = row * size.columns + column
    storage.withUnsafeMutableBufferPointer { cells in
      let cells = UnsafeMutableBufferPointer(rebasing: cells[start..<start + bytes.count])
      for index in cells.indices {
        cells[index] = Cell(glyph: Glyph(ascii: bytes[index]), style: style)
      }
    }
  }

  /// Prepares part of a row, all of which is about to be overwritten: clears the rest of it if nothing was
  /// drawn in the row, or blanks the outer halves of wide glyphs that straddle the ends of the part.
  private mutating func prepare(_ columns: Range<Int>, row: Int) {
    guard !columns.isEmpty else { return }
    if isPending[row] { return clear(row, outside: columns) }
    let start = row * size.columns
    if columns.lowerBound > 0, storage[start + columns.lowerBound].glyph.isContinuation {
      storage[start + columns.lowerBound - 1].glyph = .blank
    }
    if columns.upperBound < size.columns, storage[start + columns.upperBound].glyph.isContinuation {
      storage[start + columns.upperBound].glyph = .blank
    }
  }

  /// Blanks the other half of the wide glyph that contains the cell.
  private mutating func clearHalves(at index: Int, column: Int) {
    let glyph = storage[index].glyph
    if glyph.isContinuation {
      if column > 0 { storage[index - 1].glyph = .blank }
    } else if glyph.isWide, column + 1 < size.columns {
      storage[index + 1].glyph = .blank
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
