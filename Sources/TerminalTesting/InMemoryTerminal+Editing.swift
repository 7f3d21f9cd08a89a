import Terminal

extension InMemoryTerminal {
  /// The row at which moving up stops: the top of the scroll region if the cursor is in or below
  /// it.
  var topLimit: Int { page.cursor.row >= scrollRegion.lowerBound ? scrollRegion.lowerBound : 0 }
  /// The row at which moving down stops.
  var bottomLimit: Int {
    page.cursor.row <= scrollRegion.upperBound ? scrollRegion.upperBound : size.rows - 1
  }

  /// An erased cell: blank, with the current background.
  private var blank: ScreenCell {
    var blankStyle = CellStyle()
    blankStyle.background = style.background
    return ScreenCell(style: blankStyle)
  }

  private var blankRow: [ScreenCell] { Array(repeating: blank, count: size.columns) }

  // MARK: The cursor

  mutating func moveCursor(toColumn column: Int? = nil, row: Int? = nil) {
    if let column { page.cursor.column = min(max(0, column), size.columns - 1) }
    if let row { page.cursor.row = min(max(0, row), size.rows - 1) }
    page.isWrapPending = false
    lastPlace = nil
  }

  /// Moves the cursor to a position as addressed by a program: relative to the screen, or with
  /// origin mode (DECOM) to the scroll region, which it then doesn't leave.
  mutating func moveCursor(toAddressed row: Int, column: Int? = nil) {
    guard modes.contains(6) else { return moveCursor(toColumn: column, row: row) }
    moveCursor(
      toColumn: column,
      row: min(max(0, row) + scrollRegion.lowerBound, scrollRegion.upperBound))
  }

  mutating func moveCursor(toRow row: Int) {
    moveCursor(toColumn: nil, row: row)
  }

  mutating func saveCursor() {
    page.savedCursor = page.cursor
    page.savedOriginMode = modes.contains(6)
    page.savedStyle = style
  }

  mutating func restoreCursor() {
    if page.savedOriginMode { modes.insert(6) } else { modes.remove(6) }
    moveCursor(toColumn: page.savedCursor.column, row: page.savedCursor.row)
    style = page.savedStyle
  }

  mutating func lineFeed() {
    if page.cursor.row == scrollRegion.upperBound {
      scrollUp(1)
    } else {
      moveCursor(toRow: page.cursor.row + 1)
    }
    page.isWrapPending = false
    lastPlace = nil
  }

  mutating func reverseLineFeed() {
    if page.cursor.row == scrollRegion.lowerBound {
      scrollDown(1)
    } else {
      moveCursor(toRow: page.cursor.row - 1)
    }
  }

  mutating func setScrollRegion(top: Int, bottom: Int) {
    let last = min(bottom, size.rows)
    guard top < last else { return }
    scrollRegion = (top - 1)...(last - 1)
    moveCursor(toAddressed: 0, column: 0)
  }

  // MARK: Characters

  mutating func put(_ scalar: Unicode.Scalar) {
    if join(scalar) { return }
    let columns = max(1, scalar.terminalColumns)
    guard columns <= size.columns else { return }
    if page.isWrapPending || page.cursor.column + columns > size.columns {
      if modes.contains(7) {
        page.cursor.column = 0
        lineFeed()
      } else {
        page.cursor.column = size.columns - columns
      }
    }
    let place = page.cursor
    let text = String(Character(scalar))
    set(text, columns: columns, at: place)
    lastCharacter = text
    lastPlace = place
    advance(past: place.column + columns)
  }

  /// Adds the scalar to the character before the cursor if they combine.
  private mutating func join(_ scalar: Unicode.Scalar) -> Bool {
    guard let place = lastPlace else { return scalar.terminalColumns == 0 }
    let cell = page.rows[place.row][place.column]
    let joined = cell.text + String(Character(scalar))
    if scalar.terminalColumns == 0 && clusterWidth == .sumOfScalars {
      page.rows[place.row][place.column].text = joined
      lastCharacter = joined
      return true
    }
    guard clusterWidth == .whole, joined.count == 1 else { return scalar.terminalColumns == 0 }
    let columns = max(1, joined.columns)
    lastCharacter = joined
    if columns == cell.columns {
      page.rows[place.row][place.column].text = joined
    } else if place.column + columns <= size.columns {
      let pen = style
      style = cell.style
      set(joined, columns: columns, at: place)
      style = pen
      page.isWrapPending = false
      advance(past: place.column + columns)
    }
    return true
  }

  private mutating func advance(past column: Int) {
    page.isWrapPending = column >= size.columns && modes.contains(7)
    page.cursor.column = min(column, size.columns - 1)
  }

  private mutating func set(_ text: String, columns: Int, at place: Point) {
    breakWide(row: place.row, column: place.column)
    if columns == 2 { breakWide(row: place.row, column: place.column + 1) }
    page.rows[place.row][place.column] = ScreenCell(text: text, columns: columns, style: style)
    if columns == 2 {
      page.rows[place.row][place.column + 1] = ScreenCell(text: "", columns: 0, style: style)
    }
  }

  /// Blanks both halves of a wide character of which one is about to be overwritten.
  private mutating func breakWide(row: Int, column: Int) {
    guard column < size.columns else { return }
    let cell = page.rows[row][column]
    if cell.isContinuation, column > 0 { halve(row: row, column: column - 1) }
    if cell.columns == 2, column + 1 < size.columns { halve(row: row, column: column + 1) }
  }

  private mutating func halve(row: Int, column: Int) {
    page.rows[row][column] = ScreenCell(style: page.rows[row][column].style)
  }

  // MARK: Erasing, inserting, deleting

  /// Blanks the columns from `start` up to but not including `end`.
  mutating func erase(row: Int, from start: Int, to end: Int) {
    let end = min(end, size.columns)
    guard start < end else { return }
    breakWide(row: row, column: start)
    breakWide(row: row, column: end - 1)
    for column in start..<end { page.rows[row][column] = blank }
    page.isWrapPending = false
    lastPlace = nil
  }

  mutating func eraseLine(_ part: Int) -> Bool {
    let cursor = page.cursor
    switch part {
    case 0: erase(row: cursor.row, from: cursor.column, to: size.columns)
    case 1: erase(row: cursor.row, from: 0, to: cursor.column + 1)
    case 2: erase(row: cursor.row, from: 0, to: size.columns)
    default: return false
    }
    return true
  }

  mutating func eraseDisplay(_ part: Int) -> Bool {
    let row = page.cursor.row
    switch part {
    case 0:
      _ = eraseLine(0)
      for below in (row + 1)..<max(row + 1, size.rows) { page.rows[below] = blankRow }
    case 1:
      _ = eraseLine(1)
      for above in 0..<row { page.rows[above] = blankRow }
    case 2:
      for row in 0..<size.rows { page.rows[row] = blankRow }
    case 3:
      scrollback.removeAll()
    default: return false
    }
    page.isWrapPending = false
    lastPlace = nil
    return true
  }

  mutating func insertCells(_ count: Int) {
    let cursor = page.cursor
    let count = min(count, size.columns - cursor.column)
    breakWide(row: cursor.row, column: cursor.column)
    breakWide(row: cursor.row, column: size.columns - count)
    page.rows[cursor.row].removeLast(count)
    page.rows[cursor.row].insert(
      contentsOf: Array(repeating: blank, count: count), at: cursor.column)
    page.isWrapPending = false
    lastPlace = nil
  }

  mutating func deleteCells(_ count: Int) {
    let cursor = page.cursor
    let count = min(count, size.columns - cursor.column)
    breakWide(row: cursor.row, column: cursor.column)
    breakWide(row: cursor.row, column: cursor.column + count)
    page.rows[cursor.row].removeSubrange(cursor.column..<cursor.column + count)
    page.rows[cursor.row] += Array(repeating: blank, count: count)
    page.isWrapPending = false
    lastPlace = nil
  }

  mutating func insertLines(_ count: Int) {
    guard scrollRegion.contains(page.cursor.row) else { return }
    shiftDown(rows: page.cursor.row...scrollRegion.upperBound, by: count)
    moveCursor(toColumn: 0)
  }

  mutating func deleteLines(_ count: Int) {
    guard scrollRegion.contains(page.cursor.row) else { return }
    shiftUp(rows: page.cursor.row...scrollRegion.upperBound, by: count)
    moveCursor(toColumn: 0)
  }

  mutating func scrollUp(_ count: Int) {
    if !isAlternateScreen && scrollRegion == 0...(size.rows - 1) {
      scrollback += (0..<min(count, size.rows)).map(line)
    }
    shiftUp(rows: scrollRegion, by: count)
  }

  mutating func scrollDown(_ count: Int) {
    shiftDown(rows: scrollRegion, by: count)
  }

  private mutating func shiftUp(rows: ClosedRange<Int>, by count: Int) {
    let count = min(count, rows.count)
    page.rows.removeSubrange(rows.lowerBound..<rows.lowerBound + count)
    page.rows.insert(
      contentsOf: Array(repeating: blankRow, count: count), at: rows.upperBound + 1 - count)
    lastPlace = nil
  }

  private mutating func shiftDown(rows: ClosedRange<Int>, by count: Int) {
    let count = min(count, rows.count)
    page.rows.removeSubrange((rows.upperBound + 1 - count)...rows.upperBound)
    page.rows.insert(contentsOf: Array(repeating: blankRow, count: count), at: rows.lowerBound)
    lastPlace = nil
  }
}

extension Unicode.Scalar {
  /// The width of the scalar by itself; 0 if it combines with the previous character.
  var terminalColumns: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
    if properties.isVariationSelector { return 0 }
    return Character(self).columns
  }
}
