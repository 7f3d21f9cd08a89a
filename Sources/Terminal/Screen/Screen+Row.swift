import Glibc

/// One row as the terminal shows it, and as it is to be.
private struct RowChange {
  let row: Int
  let old: UnsafeBufferPointer<Cell>
  let new: UnsafeBufferPointer<Cell>
  /// The styles of the cells as the terminal can show them.
  let styles: [Style]
  /// Up to here cells are written though they are equal, since a cluster may have covered them.
  var forcedEnd = 0

  /// Whether the cell is not shown yet as it is to be.
  func isDirty(_ column: Int) -> Bool {
    column < forcedEnd || !looksLike(new[column], old[column]) || hasGhost(column)
  }

  /// Whether a block or a line beside the cell goes, of which smoothed type leaves a shade in this one
  /// (xterm, mlterm).
  private func hasGhost(_ column: Int) -> Bool {
    hasEdgeGone(from: column - 1) || hasEdgeGone(from: column + 1)
  }

  /// A line that only changes its colour covers the shade that it left.
  private func hasEdgeGone(from column: Int) -> Bool {
    guard old.indices.contains(column), new[column] != old[column] else { return false }
    let glyph = old[column].glyph
    return glyph.isBlock || glyph.isLine && new[column].glyph != glyph
  }

  /// The first cell from `column` on that is not shown yet; `nil` when all others are.
  func firstDirty(from column: Int) -> Int? {
    let start = column
    guard start < new.count else { return nil }
    if start < forcedEnd || hasEdgeGone(from: start - 1) { return start }
    // Most cells are equal: their loop is kept small.
    for column in start..<new.count
    where new[column] != old[column] && !looksLike(new[column], old[column]) {
      return column > start && hasEdgeGone(from: column) ? column - 1 : column
    }
    return nil
  }

  /// Whether two cells cannot be told apart.
  func looksLike(_ one: Cell, _ other: Cell) -> Bool {
    guard one != other else { return true }
    guard one.glyph == .blank, other.glyph == .blank else { return false }
    return styles[Int(one.style)].blankLooksLike(styles[Int(other.style)])
  }

  /// Whether a cell was blank, as a blank in the style of another new cell is.
  func isBlank(_ column: Int, like other: Int) -> Bool {
    column < old.count && looksLike(old[column], Cell(glyph: .blank, style: new[other].style))
  }

  /// One past the last of the cells from `column` on that look alike.
  func endOfRun(from column: Int) -> Int {
    let cell = new[column]
    var end = column + 1
    while end < new.count, looksLike(new[end], cell) { end += 1 }
    return end
  }
}

extension Screen {
  /// Writes what differs in one row.
  func writeRow(_ row: Int) {
    withChange(of: row) { write($0) }
  }

  /// The first of the rows at the bottom that are blank and can be erased together.
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

  /// Erases what differs in a row of the blank tail, and all below it; false when nothing differs in
  /// the row.
  func clearBelow(_ row: Int) -> Bool {
    var isCleared = false
    withChange(of: row) { change in
      guard let column = change.firstDirty(from: 0) else { return }
      pen.move(to: Point(column: column, row: row))
      pen.use(forBlanks: change.styles[Int(change.new[column].style)])
      pen.eraseBelow()
      isCleared = true
    }
    return isCleared
  }

  /// Shows what differs in a row, when something does.
  private func withChange(of row: Int, _ body: (RowChange) -> Void) {
    let columns = back.size.columns
    back.cells.withUnsafeBufferPointer { backCells in
      front.cells.withUnsafeBufferPointer { frontCells in
        let new = UnsafeBufferPointer(rebasing: backCells[row * columns..<(row + 1) * columns])
        let old = UnsafeBufferPointer(rebasing: frontCells[row * columns..<(row + 1) * columns])
        let size = columns * MemoryLayout<Cell>.stride
        guard memcmp(old.baseAddress!, new.baseAddress!, size) != 0 else { return }
        body(RowChange(row: row, old: old, new: new, styles: styles.reduced))
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
        // Its left half has just been written.
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

  /// Writes a glyph and what repeats it; returns the column after that.
  private func write(_ glyph: Glyph, at column: Int, in change: inout RowChange) -> Int {
    let end = column + (glyph.isWide ? 2 : 1)
    if glyph.isCluster {
      let spill = glyphs.spill(of: glyph)
      if spill > 0, glyph.isWide, !change.isBlank(end - 1, like: column) {
        // A terminal that shows the cluster in one cell would leave there what was in the second.
        pen.write(.blank)
        pen.write(.blank)
        pen.move(to: Point(column: column, row: change.row))
      }
      pen.write(
        cluster: glyphs.cluster(of: glyph), isWide: glyph.isWide, isDisputed: spill > 0)
      if spill > 0 {
        // A cluster before this one may reach further.
        change.forcedEnd = max(change.forcedEnd, min(change.new.count, column + spill))
      }
      return end
    }
    pen.write(glyph)
    if glyph == .picture { pictures.isHurt = true }
    // Only ASCII is repeated: tmux 3.3 ignores REP after any other character, and a run that is not
    // drawn shifts what follows.
    guard features.contains(.repeatGlyph), glyph.bits < 0x80 else { return end }
    let count = change.endOfRun(from: column) - end
    guard count > EscapeBuffer.controlCost(count) else { return end }
    pen.repeatLast(count)
    return end + count
  }

  /// Writes blanks by the fewest bytes: as spaces, by repeating one, or by erasing. Returns the
  /// column after the last one that had to be written.
  private func writeBlanks(at column: Int, in change: RowChange) -> Int {
    let style = change.styles[Int(change.new[column].style)]
    let runEnd = change.endOfRun(from: column)
    var end = runEnd
    while !change.isDirty(end - 1) { end -= 1 }
    let count = end - column
    let following = change.firstDirty(from: end)

    pen.use(forBlanks: style)
    // What it costs to have the cursor where it is needed next comes to what the blanks cost.
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

  /// Writes the equal cells between the cursor and the next difference again when that takes
  /// fewer bytes than a move.
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
  /// The bytes that moving to the right takes.
  fileprivate static func stepCost(_ columns: Int) -> Int {
    columns == 0 ? 0 : controlCost(columns)
  }
}

extension Glyph {
  /// The bytes of a scalar in UTF-8.
  fileprivate var byteCount: Int {
    value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x10000 ? 3 : 4
  }
}
