import Glibc

/// The old and new contents of a row.
private struct RowChange {
  let row: Int
  let old: UnsafeBufferPointer<Cell>
  let new: UnsafeBufferPointer<Cell>
  /// The styles as the terminal can show them, by their number.
  let styles: [Style]
  /// The column up to which cells are rewritten even if equal, because a cluster may have covered
  /// them.
  var forcedEnd = 0

  /// Whether the cell must be written.
  func isDirty(_ column: Int) -> Bool {
    column < forcedEnd || !looksEqual(new[column], old[column]) || needsRedrawForNeighbour(column)
  }

  /// Whether a block or line in a neighbouring cell disappears. In terminals with anti-aliased text
  /// (xterm, mlterm), it leaves a trace in this cell.
  private func needsRedrawForNeighbour(_ column: Int) -> Bool {
    edgeDisappears(from: column - 1) || edgeDisappears(from: column + 1)
  }

  /// Whether a block or line in a cell disappears. A line that only changes colour covers its own
  /// trace.
  private func edgeDisappears(from column: Int) -> Bool {
    guard old.indices.contains(column), new[column] != old[column] else { return false }
    let glyph = old[column].glyph
    return glyph.isBlock || glyph.isLine && new[column].glyph != glyph
  }

  /// Returns the first cell from `column` on that must be written; `nil` if there is none.
  func firstDirty(from column: Int) -> Int? {
    let start = column
    guard start < new.count else { return nil }
    if start < forcedEnd || edgeDisappears(from: start - 1) { return start }
    var next = firstDifference(from: start)
    while let column = next {
      guard looksEqual(new[column], old[column]) else {
        return column > start && edgeDisappears(from: column) ? column - 1 : column
      }
      next = firstDifference(from: column + 1)
    }
    return nil
  }

  /// Returns the first cell from `column` on that is another one; `nil` if there is none.
  private func firstDifference(from column: Int) -> Int? {
    var column = column
    // Most cells are equal. Without a way out of the inner loop, eight are compared at once.
    while column + 8 <= new.count {
      var difference: UInt64 = 0
      for offset in 0..<8 {
        difference |= new[column + offset].difference(from: old[column + offset])
      }
      if difference != 0 { break }
      column += 8
    }
    while column < new.count, new[column] == old[column] { column += 1 }
    return column < new.count ? column : nil
  }

  /// Whether two cells look the same.
  func looksEqual(_ one: Cell, _ other: Cell) -> Bool {
    guard one != other else { return true }
    guard one.glyph == .blank, other.glyph == .blank else { return false }
    return styles[Int(one.style)].blankLooksLike(styles[Int(other.style)])
  }

  /// Whether an old cell was a blank that looks like one in the style of the new cell `other`.
  func isBlank(_ column: Int, like other: Int) -> Bool {
    column < old.count && looksEqual(old[column], Cell(glyph: .blank, style: new[other].style))
  }

  /// Returns the end of the run of cells from `column` on that look the same.
  func endOfRun(from column: Int) -> Int {
    let cell = new[column]
    var end = column + 1
    while end < new.count, looksEqual(new[end], cell) { end += 1 }
    return end
  }
}

extension Screen {
  /// Writes the differences in some rows.
  func write(_ rows: Range<Int>) {
    forEachChange(in: rows) { change in
      write(change)
      return true
    }
  }

  /// The first of the blank rows at the bottom that can be erased together.
  var blankTail: Int {
    var index = back.cells.count
    guard index > 0 else { return 0 }
    let last = back.cells[index - 1]
    guard last.glyph == .blank, canErase(to: styles.reduced[Int(last.style)]) else {
      return back.size.rows
    }
    while index > 0, back.cells[index - 1] == last { index -= 1 }
    return (index + back.size.columns - 1) / back.size.columns
  }

  /// Erases from the first difference in the blank rows at the bottom to the end of the screen.
  func eraseBlankTail(from tail: Int) {
    forEachChange(in: tail..<back.size.rows) { change in
      guard let column = change.firstDirty(from: 0) else { return true }
      pen.move(to: Point(column: column, row: change.row))
      pen.useStyle(forBlanks: change.styles[Int(change.new[column].style)])
      pen.eraseBelow()
      return false
    }
  }

  /// Calls `body` with the old and new contents of each row that differs, until it returns `false`.
  private func forEachChange(in rows: Range<Int>, _ body: (RowChange) -> Bool) {
    let columns = back.size.columns
    if blankRow.count != columns { blankRow = Array(repeating: .blank, count: columns) }
    let (moved, reduced) = (moved, styles.reduced)
    back.cells.withUnsafeBufferPointer { drawn in
      front.cells.withUnsafeBufferPointer { shown in
        blankRow.withUnsafeBufferPointer { blank in
          for row in rows {
            let new = UnsafeBufferPointer(rebasing: drawn[row * columns..<(row + 1) * columns])
            let source = moved.map { $0.source(of: row) } ?? row
            let old =
              source.map {
                UnsafeBufferPointer(rebasing: shown[$0 * columns..<($0 + 1) * columns])
              } ?? blank
            let size = columns * MemoryLayout<Cell>.stride
            guard memcmp(old.baseAddress!, new.baseAddress!, size) != 0 else { continue }
            guard body(RowChange(row: row, old: old, new: new, styles: reduced)) else { return }
          }
        }
      }
    }
  }

  /// Whether erased cells look like blanks in this style.
  func canErase(to style: Style) -> Bool {
    style.attributes.isDisjoint(with: .visibleOnBlank) && style.link == .none
      && (style.background == .standard || features.contains(.backgroundErase))
  }

  private func write(_ change: RowChange) {
    var change = change
    let new = change.new
    var next = change.firstDirty(from: 0)
    while var column = next {
      let cell = new[column]
      if cell.glyph.isContinuation {
        // The left half has just been written.
        next = change.firstDirty(from: column + 1)
        continue
      }
      bridgeGap(to: column, in: change)
      pen.move(to: Point(column: column, row: change.row))
      if cell.glyph == .blank {
        column = writeBlanks(at: column, in: change)
      } else {
        pen.use(change.styles[Int(cell.style)])
        column = write(cell.glyph, at: column, in: &change)
      }
      next = change.firstDirty(from: column)
    }
  }

  /// Writes a glyph and its repetitions; returns the column after them.
  private func write(_ glyph: Glyph, at column: Int, in change: inout RowChange) -> Int {
    let end = column + (glyph.isWide ? 2 : 1)
    if glyph.isCluster {
      let disputedWidth = glyphs.disputedWidth(of: glyph)
      if disputedWidth > 0, glyph.isWide, !change.isBlank(end - 1, like: column) {
        // A terminal that draws the cluster in one cell would leave the old contents in the second.
        pen.write(.blank)
        pen.write(.blank)
        pen.move(to: Point(column: column, row: change.row))
      }
      pen.write(
        cluster: glyphs.cluster(of: glyph), isWide: glyph.isWide, isDisputed: disputedWidth > 0)
      if disputedWidth > 0 {
        // A cluster before this one may reach further.
        change.forcedEnd = max(change.forcedEnd, min(change.new.count, column + disputedWidth))
      }
      return end
    }
    pen.write(glyph)
    if glyph == .picture { pictures.wasOverwritten = true }
    // Repeat only ASCII: tmux 3.3 ignores REP after any other character, and the missing cells
    // would shift the rest.
    guard features.contains(.repeatGlyph), glyph.bits < 0x80 else { return end }
    let count = change.endOfRun(from: column) - end
    guard count > EscapeBuffer.controlCost(count) else { return end }
    pen.repeatLast(count)
    return end + count
  }

  /// Writes blanks with the fewest bytes: as spaces, by repeating one, or by erasing. Returns the
  /// column after the last blank that had to be written.
  private func writeBlanks(at column: Int, in change: RowChange) -> Int {
    let style = change.styles[Int(change.new[column].style)]
    let runEnd = change.endOfRun(from: column)
    var end = runEnd
    while !change.isDirty(end - 1) { end -= 1 }
    let count = end - column
    let following = change.firstDirty(from: end)

    pen.useStyle(forBlanks: style)
    // Include the cost of moving the cursor to where it is needed next.
    let stepAfterSpaces = following.map { EscapeBuffer.stepCost($0 - end) } ?? 0
    let stepAfterErasing = following.map { EscapeBuffer.stepCost($0 - column) } ?? 0
    let canErase = canErase(to: style)
    let spaces = count + stepAfterSpaces
    let repeated =
      features.contains(.repeatGlyph) && count > 1
      ? 1 + EscapeBuffer.controlCost(count - 1) + stepAfterSpaces : .max
    let erased = canErase ? EscapeBuffer.controlCost(count) + stepAfterErasing : .max
    let cleared = canErase && runEnd == change.new.count ? 3 : Int.max

    switch min(min(spaces, repeated), min(erased, cleared)) {
    case spaces:
      for _ in 0..<count { pen.write(.blank) }
    case repeated:
      pen.write(.blank)
      pen.repeatLast(count - 1)
    case cleared:
      pen.eraseToEnd()
    default:
      pen.erase(count)
    }
    return end
  }

  /// Rewrites the unchanged cells between the cursor and the next difference if that takes fewer
  /// bytes than moving.
  private func bridgeGap(to column: Int, in change: RowChange) {
    guard let position = pen.position, position.row == change.row, position.column < column,
      let style = pen.style
    else { return }
    var cost = pen.cost(ofMovingTo: column)
    for index in position.column..<column {
      let cell = change.new[index]
      cost -= cell.glyph.byteCount
      guard cost > 0, !cell.glyph.isCluster, !cell.glyph.isContinuation, !cell.glyph.isWide,
        cell.glyph != .picture
      else { return }
      let wanted = change.styles[Int(cell.style)]
      guard style == wanted || cell.glyph == .blank && style.blankLooksLike(wanted) else { return }
    }
    for index in position.column..<column { pen.write(change.new[index].glyph) }
  }
}

extension EscapeBuffer {
  /// Returns the number of bytes needed to move right.
  fileprivate static func stepCost(_ columns: Int) -> Int {
    columns == 0 ? 0 : controlCost(columns)
  }
}

extension Glyph {
  /// The length of the scalar in UTF-8.
  fileprivate var byteCount: Int {
    value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x10000 ? 3 : 4
  }
}
