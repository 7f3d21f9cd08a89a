import Glibc

/// The screen: the frame being drawn, the frame that the terminal shows, and the bytes that lead
/// from the second to the first.
final class Screen {
  /// The frame being drawn.
  var back = CellBuffer()
  /// What the terminal shows.
  private var front = CellBuffer()
  /// Whether `front` is right; otherwise everything is painted.
  private var isFrontKnown = false
  private(set) var styles: StyleTable
  private(set) var glyphs = GlyphTable()
  private var pen: Pen
  /// The addresses that styles refer to.
  let links: LinkTable
  private var scrolls = ScrollDetector()
  private var pictures = PictureLayer()
  private var shownCursor = Cursor.unknown
  /// The cursor's shape as the terminal shows it; `nil` when that is not known.
  private var shownShape: CursorShape? = .standard

  /// What the terminal understands.
  var features: ScreenFeatures = [] {
    didSet {
      pen.features = features
      if features != oldValue, styles.adapt(to: features) { isFrontKnown = false }
    }
  }

  /// The size of a cell in pixels; `nil` where it is not known.
  var cellPixels: Size?

  /// How many colours the terminal shows.
  let depth: ColorDepth

  init(depth: ColorDepth = .trueColor, links: LinkTable = LinkTable()) {
    self.depth = depth
    self.links = links
    pen = Pen(links: links)
    styles = StyleTable(depth: depth)
  }

  /// The cursor as the terminal shows it.
  private enum Cursor: Equatable {
    case unknown
    case hidden
    case visible
  }

  /// Numbers beyond which the tables are emptied: a bound on memory for a program that runs for
  /// months and draws what others send.
  private static let tableLimit = 8_192

  // MARK: Drawing

  /// Starts a frame of blanks.
  func begin(size: Size, style: Style = .plain) {
    if styles.count > Self.tableLimit || glyphs.count > Self.tableLimit { emptyTables() }
    back.clear(size: size, to: Cell(glyph: .blank, style: styles.id(for: style)))
    pictures.begin()
  }

  /// Asks the terminal, where it can, to show a picture in place of cells that have been drawn.
  /// - Parameters:
  ///   - rect: The cells, which lie on the screen.
  ///   - ground: What shows where the picture is transparent.
  func request(_ pixels: PixelBuffer, in rect: Rect, on ground: Pixel) {
    pictures.request(
      PictureLayer.ShownPicture(pixels: pixels, rect: rect, ground: ground), drawnOn: back)
  }

  /// Forgets all styles and glyphs: the next frame has to be drawn and painted whole.
  func emptyTables() {
    styles = StyleTable(depth: depth, features: features)
    glyphs = GlyphTable()
    isFrontKnown = false
  }

  /// The number that stands for a style in cells.
  func styleID(_ style: Style) -> StyleTable.ID { styles.id(for: style) }

  /// The glyph that stands for a grapheme in cells.
  func glyph(for grapheme: Grapheme) -> Glyph { glyphs.glyph(for: grapheme) }

  /// Makes the cells of a rectangle equal, which lies on the screen.
  func fill(_ rect: Rect, with cell: Cell) {
    for row in rect.minRow..<rect.maxRow {
      back.fill(rect.minColumn..<rect.maxColumn, row: row, with: cell)
    }
  }

  /// Changes the style of every cell, asking once for each style.
  func restyle(_ change: (Style) -> Style) {
    var changed: [StyleTable.ID: StyleTable.ID] = [:]
    for index in back.cells.indices {
      let id = back.cells[index].style
      if let known = changed[id] {
        back.cells[index].style = known
      } else {
        let new = styles.id(for: change(styles[id]))
        changed[id] = new
        back.cells[index].style = new
      }
    }
  }

  /// Writes text of printable ASCII without looking at each character as a cluster.
  ///
  /// - Parameter clip: A rectangle that lies on the screen.
  /// - Returns: The columns that the text takes, or `nil` when it is other text.
  func write(ascii text: String, at point: Point, style: StyleTable.ID, clip: Rect) -> Int? {
    text.utf8.withContiguousStorageIfAvailable { bytes -> Int? in
      for byte in bytes where byte < 0x20 || byte >= 0x7F { return nil }
      let first = max(0, clip.minColumn - point.column)
      let end = min(bytes.count, clip.maxColumn - point.column)
      if first < end, point.row >= clip.minRow, point.row < clip.maxRow {
        back.write(
          ascii: UnsafeBufferPointer(rebasing: bytes[first..<end]), column: point.column + first,
          row: point.row, style: style)
      }
      return bytes.count
    } ?? nil
  }

  // MARK: Presenting

  /// Forgets what the terminal shows, so that the next frame paints everything: after a resize, a
  /// suspension, or output that was not ours.
  func invalidate() {
    isFrontKnown = false
    shownCursor = .unknown
    shownShape = nil
  }

  /// The bytes that make the terminal show the frame drawn; none when it already does.
  ///
  /// - Parameters:
  ///   - cursor: Where the cursor rests.
  ///   - isCursorVisible: Whether it is to be seen there.
  ///   - shape: What it looks like there.
  /// - Complexity: O(cells), without allocating once the buffers have grown.
  func present(
    cursor: Point?, isCursorVisible: Bool, shape: CursorShape = .standard
  ) -> [UInt8] {
    pictures.settle(on: &back, features: features)
    pen.output.removeAll()
    pen.size = back.size
    if features.contains(.synchronizedUpdate) { pen.output.append("\u{1B}[?2026h") }
    let start = pen.output.count
    if shownCursor != .hidden {
      pen.output.append("\u{1B}[?25l")
    }
    let drawingStart = pen.output.count
    if !isFrontKnown || front.size != back.size {
      pen.forget()
      pen.clearScreen()
      pictures.forget(&pen)
      front.clear(size: back.size)
      isFrontKnown = true
    } else if features.contains(.scrollRegion), back.size.columns > 0, !pictures.isActive,
      let scroll = scrolls.find(from: front, to: back)
    {
      pen.scroll(scroll)
      front.apply(scroll)
    }
    if back.size.columns > 0 {
      for row in 0..<back.size.rows { writeRow(row) }
    }
    pictures.write(with: &pen, cellPixels: cellPixels)
    if pen.style != .plain, pen.output.count > drawingStart { pen.use(.plain) }

    let wanted: Cursor = cursor != nil && isCursorVisible ? .visible : .hidden
    if let cursor, back.size.columns > 0, back.size.rows > 0 {
      pen.move(
        to: Point(
          column: min(max(0, cursor.column), back.size.columns - 1),
          row: min(max(0, cursor.row), back.size.rows - 1)))
    }
    if wanted == .visible, features.contains(.cursorShapes), shape != shownShape {
      pen.setCursorShape(shape)
      shownShape = shape
    }
    if pen.output.count == drawingStart, shownCursor == wanted {
      pen.output.removeAll()
      return pen.output.bytes
    }
    if shownCursor == .visible, wanted == .visible, pen.output.count == drawingStart {
      pen.output.remove(start..<drawingStart)
    }
    if wanted == .visible { pen.output.append("\u{1B}[?25h") }
    shownCursor = wanted
    if features.contains(.synchronizedUpdate) { pen.output.append("\u{1B}[?2026l") }
    swap(&front, &back)
    return pen.output.bytes
  }
}

extension Screen {
  /// Writes what differs in one row.
  private func writeRow(_ row: Int) {
    let columns = back.size.columns
    back.cells.withUnsafeBufferPointer { backCells in
      front.cells.withUnsafeBufferPointer { frontCells in
        let new = UnsafeBufferPointer(rebasing: backCells[row * columns..<(row + 1) * columns])
        let old = UnsafeBufferPointer(rebasing: frontCells[row * columns..<(row + 1) * columns])
        writeDifference(from: old, to: new, row: row)
      }
    }
  }

  private func writeDifference(
    from old: UnsafeBufferPointer<Cell>, to new: UnsafeBufferPointer<Cell>, row: Int
  ) {
    guard memcmp(old.baseAddress!, new.baseAddress!, new.count * MemoryLayout<Cell>.stride) != 0
    else { return }
    var column = 0
    while new[column] == old[column] { column += 1 }
    var last = new.count - 1
    while new[last] == old[last] { last -= 1 }
    if new[column].glyph.isContinuation, column > 0 { column -= 1 }
    let erasable = erasableTail(of: new)
    // Up to here cells are written though they are equal, since a cluster may have covered them.
    var end = last + 1
    var forcedEnd = 0

    while column < end {
      let cell = new[column]
      if cell == old[column], column >= forcedEnd {
        column += 1
        continue
      }
      if cell.glyph.isContinuation {
        column += 1
        continue
      }
      if column >= erasable, end - column > 3 {
        pen.move(to: Point(column: column, row: row))
        pen.use(styles.reduced[Int(cell.style)])
        pen.eraseToEnd()
        return
      }
      bridgeGap(to: column, row: row, in: new)
      pen.move(to: Point(column: column, row: row))
      pen.use(styles.reduced[Int(cell.style)])
      let run = runLength(at: column, in: new)
      if run > 8, column + run < new.count, !features.contains(.repeatGlyph), isErasable(cell) {
        pen.erase(run)
        column += run
        continue
      }
      if cell.glyph.isCluster {
        let spill = glyphs.spill(of: cell.glyph)
        pen.write(
          cluster: glyphs.cluster(of: cell.glyph), isWide: cell.glyph.isWide, spill: spill)
        if spill > 0 {
          // A cluster before this one may reach further.
          forcedEnd = max(forcedEnd, min(new.count, column + spill))
          end = max(end, forcedEnd)
        }
      } else {
        pen.write(cell.glyph)
        if cell.glyph == .picture { pictures.isHurt = true }
        if features.contains(.repeatGlyph), !cell.glyph.isWide, isWorthRepeating(cell, run) {
          pen.repeatLast(run - 1)
          column += run
          continue
        }
      }
      column += cell.glyph.isWide ? 2 : 1
    }
  }

  /// Writes the equal cells between the cursor and the next difference again when that takes
  /// fewer bytes than a move.
  private func bridgeGap(to column: Int, row: Int, in new: UnsafeBufferPointer<Cell>) {
    guard let position = pen.position, position.row == row, position.column < column,
      column - position.column <= 3, let style = pen.style
    else { return }
    for cell in new[position.column..<column] {
      guard styles.reduced[Int(cell.style)] == style, (0x20..<0x7F).contains(cell.glyph.bits) else {
        return
      }
    }
    for cell in new[position.column..<column] { pen.write(cell.glyph) }
  }

  /// Whether `CSI n b` is shorter than the glyphs. Only ASCII is repeated: tmux
  /// 3.3 ignores REP after any other character, and a run that is not drawn shifts what follows.
  private func isWorthRepeating(_ cell: Cell, _ run: Int) -> Bool {
    cell.glyph.bits < 0x80 && run - 1 > (run > 10 ? 5 : 4)
  }

  /// How many equal cells start at a column.
  private func runLength(at column: Int, in new: UnsafeBufferPointer<Cell>) -> Int {
    let cell = new[column]
    var end = column + 1
    while end < new.count, new[end] == cell { end += 1 }
    return end - column
  }

  /// The column from which on the row is blank in one style that erasing gives.
  private func erasableTail(of new: UnsafeBufferPointer<Cell>) -> Int {
    guard let last = new.last, isErasable(last) else { return new.count }
    var column = new.count - 1
    while column > 0, new[column - 1] == last { column -= 1 }
    return column
  }

  private func isErasable(_ cell: Cell) -> Bool {
    guard cell.glyph == .blank else { return false }
    let style = styles.reduced[Int(cell.style)]
    return style.attributes.isDisjoint(with: .visibleOnBlank) && style.link == .none
      && (style.background == .standard || features.contains(.backgroundErase))
  }
}
