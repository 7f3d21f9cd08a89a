/// The screen: the frame being drawn, the frame that the terminal shows, and the bytes that lead
/// from the second to the first.
final class Screen {
  /// The most that is drawn on: a window may say that it has 65,535 × 65,535 cells.
  static let largestSize = Size(columns: 1_000, rows: 500)

  /// The frame being drawn.
  var back = CellBuffer()
  /// What the terminal shows.
  private(set) var front = CellBuffer()
  /// Whether `front` is right; otherwise everything is painted.
  private var isFrontKnown = false
  private(set) var styles: StyleTable
  private(set) var glyphs = GlyphTable()
  var pen: Pen
  /// The addresses that styles refer to.
  let links: LinkTable
  private var scrolls = ScrollDetector()
  var pictures = PictureLayer()
  private var shownCursor = Cursor.unknown
  /// The cursor's shape as the terminal shows it; `nil` when that is not known.
  private var shownShape: CursorShape? = .standard

  /// What the terminal understands.
  var features: ScreenFeatures = [] {
    didSet {
      pen.features = features
      if features != oldValue, styles.adapt(to: features, canvas: canvas) { isFrontKnown = false }
    }
  }

  /// The colours of text and ground that are painted where cells have the terminal's own; plain to
  /// leave those.
  var canvas = Style.plain {
    didSet {
      if canvas != oldValue, styles.adapt(to: features, canvas: canvas) { isFrontKnown = false }
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
    styles = StyleTable(depth: depth, features: features, canvas: canvas)
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

  /// A frame of at most so many bytes reaches a terminal that waits for it in one piece, so that
  /// nobody sees it half done: it is not marked as one update (docs/decisions/0008-small-frames.md).
  private static let pieceLimit = 512

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
    let wanted: Cursor = cursor != nil && isCursorVisible ? .visible : .hidden
    pictures.settle(on: &back, features: features)
    pen.output.removeAll()
    pen.size = back.size
    if features.contains(.synchronizedUpdate) { pen.output.append("\u{1B}[?2026h") }
    if shownCursor != .hidden { pen.output.append("\u{1B}[?25l") }
    let start = pen.output.count
    writeFrame()
    pictures.write(with: &pen, cellPixels: cellPixels)
    if pen.style != .plain, pen.output.count > start { pen.use(.plain) }
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
    swap(&front, &back)
    if pen.output.count - start <= Self.pieceLimit, shownCursor != .unknown {
      pen.output.remove(0..<start)
      if shownCursor != wanted {
        pen.output.append(wanted == .visible ? "\u{1B}[?25h" : "\u{1B}[?25l")
      }
    } else {
      if wanted == .visible { pen.output.append("\u{1B}[?25h") }
      if features.contains(.synchronizedUpdate) { pen.output.append("\u{1B}[?2026l") }
    }
    shownCursor = wanted
    return pen.output.bytes
  }

  /// Writes what turns the shown frame into the drawn one.
  private func writeFrame() {
    // What new rows and a cleared screen look like.
    let blank = styles.reduced[0]
    let canErase = canErase(to: blank)
    if !isFrontKnown || front.size != back.size {
      pen.forget()
      pen.clearScreen(to: canErase ? blank : .plain)
      pictures.forget(&pen)
      front.clear(size: back.size, to: canErase ? .blank : .unknown)
      isFrontKnown = true
    } else if features.contains(.insertLines), back.size.columns > 0, !pictures.isActive, canErase,
      // Below it there may be more of the window, to which rows would move.
      back.size.rows < Self.largestSize.rows,
      let scroll = scrolls.find(from: front, to: back)
    {
      pen.scroll(scroll, blank: blank)
      front.apply(scroll)
    }
    guard back.size.columns > 0 else { return }
    let tail = blankTail
    for row in 0..<tail { writeRow(row) }
    for row in tail..<back.size.rows where clearBelow(row) { return }
  }
}
