/// The screen: the frame being drawn, the frame that the terminal shows, and the bytes that turn
/// the latter into the former.
final class Screen {
  /// The maximum size drawn: a terminal can claim to have 65,535 × 65,535 cells.
  static let largestSize = Size(columns: 1_000, rows: 500)

  // Exempt from exclusivity checks, as is what is drawn with: no access to them overlaps another one,
  // and checking the thousands in each frame would take a tenth of its time.

  /// The frame being drawn.
  @exclusivity(unchecked) var back = CellBuffer()
  /// The frame that the terminal shows.
  @exclusivity(unchecked) private(set) var front = CellBuffer()
  /// Whether `front` is accurate. If not, the next frame repaints everything.
  @exclusivity(unchecked) private var isFrontKnown = false
  /// Whether frames are a few lines below the cursor rather than the whole screen.
  @exclusivity(unchecked) var isInline = false {
    didSet { pen.isInline = isInline }
  }
  /// Whether the terminal reflows its lines when its width changes.
  var reflows = false
  /// The texts to print above the next inline frame.
  var printed: [String] = []
  @exclusivity(unchecked) private(set) var styles: StyleTable
  @exclusivity(unchecked) private(set) var glyphs = GlyphTable()
  @exclusivity(unchecked) var pen: Pen
  /// The addresses that styles refer to.
  let links: LinkTable
  @exclusivity(unchecked) private var scrolls = ScrollDetector()
  /// The rows that have moved on the terminal since the shown frame.
  @exclusivity(unchecked) private(set) var moved: Scroll?
  /// What rows are that have become blank.
  @exclusivity(unchecked) var blankRow: [Cell] = []
  @exclusivity(unchecked) var pictures = PictureLayer()
  @exclusivity(unchecked) private var shownCursor = Cursor.unknown
  /// The cursor shape that the terminal shows; `nil` if unknown.
  @exclusivity(unchecked) private var shownShape: CursorShape? = .standard

  /// The optional features that the terminal supports.
  @exclusivity(unchecked) var features: ScreenFeatures = [] {
    didSet {
      pen.features = features
      if features != oldValue, styles.adapt(to: features, canvas: canvas) { isFrontKnown = false }
    }
  }

  /// The text and background colours painted in place of the terminal's defaults; plain to keep the
  /// defaults.
  var canvas = Style.plain {
    didSet {
      if canvas != oldValue, styles.adapt(to: features, canvas: canvas) { isFrontKnown = false }
    }
  }

  /// The size of a cell in pixels; `nil` if unknown.
  var cellPixels: Size?

  /// The terminal's colour depth.
  let depth: ColorDepth

  init(depth: ColorDepth = .trueColor, links: LinkTable = LinkTable()) {
    self.depth = depth
    self.links = links
    pen = Pen(links: links)
    styles = StyleTable(depth: depth)
  }

  /// The cursor's visibility on the terminal.
  private enum Cursor: Equatable {
    case unknown
    case hidden
    case visible
  }

  /// The number of entries at which the tables are emptied, to bound the memory of a program that
  /// runs for months and draws text from other people.
  private static let tableLimit = 8_192

  // MARK: Drawing

  /// Whether the tables must be emptied before the next frame, which invalidates all cells.
  var isFull: Bool { styles.count > Self.tableLimit || glyphs.count > Self.tableLimit }

  /// Starts a frame of blanks.
  func begin(size: Size, style: Style = .plain) {
    back.clear(size: size, to: Cell(glyph: .blank, style: styles.id(for: style)))
    pictures.begin()
  }

  /// Requests that the terminal, if it can, shows a picture in place of cells already drawn.
  /// - Parameters:
  ///   - rect: The cells, all of them on the screen.
  ///   - ground: The colour behind transparent pixels.
  func request(_ pixels: PixelBuffer, in rect: Rect, on ground: Pixel) {
    pictures.request(
      PictureLayer.ShownPicture(pixels: pixels, rect: rect, ground: ground), drawnOn: back)
  }

  /// Removes all styles and glyphs. The next frame must be redrawn and repainted completely.
  func emptyTables() {
    styles = StyleTable(depth: depth, features: features, canvas: canvas)
    glyphs = GlyphTable()
    isFrontKnown = false
  }

  /// Returns the number that represents a style in cells.
  func styleID(_ style: Style) -> StyleTable.ID { styles.id(for: style) }

  /// Returns the glyph that represents a grapheme in cells.
  func glyph(for grapheme: Grapheme) -> Glyph { glyphs.glyph(for: grapheme) }

  /// Fills a rectangle, all of it on the screen, with a cell.
  func fill(_ rect: Rect, with cell: Cell) {
    for row in rect.minRow..<rect.maxRow {
      back.fill(rect.minColumn..<rect.maxColumn, row: row, with: cell)
    }
  }

  /// Changes the style of every cell, or of those in a rectangle of the screen, calling `change` once
  /// for each distinct style.
  func restyle(in rect: Rect? = nil, _ change: (Style) -> Style) {
    var changed: [StyleTable.ID: StyleTable.ID] = [:]
    back.restyle(in: rect) { id in
      if let known = changed[id] { return known }
      let new = styles.id(for: change(styles[id]))
      changed[id] = new
      return new
    }
  }

  /// Writes printable ASCII text without segmenting it into grapheme clusters.
  ///
  /// - Parameter clip: A rectangle on the screen.
  /// - Returns: The width of the text in columns, or `nil` if it isn't printable ASCII.
  func write(ascii text: String, at point: Point, style: StyleTable.ID, clip: Rect) -> Int? {
    text.utf8.withContiguousStorageIfAvailable { bytes -> Int? in
      guard bytes.isPrintableASCII else { return nil }
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

  /// Goes on where another screen is on the terminal.
  func takePlace(of other: Screen) {
    features = other.features
    cellPixels = other.cellPixels
    isInline = other.isInline
    reflows = other.reflows
    printed = other.printed
    pen.takePlace(of: other.pen)
    front = other.front
  }

  // MARK: Presenting

  /// Discards what is known about the terminal's contents, so that the next frame repaints
  /// everything: after a resize, a suspension, or output from another source.
  func invalidate() {
    isFrontKnown = false
    shownCursor = .unknown
    shownShape = nil
  }

  /// The size up to which a frame isn't marked as a synchronized update: so few bytes reach the
  /// terminal in one piece, and nobody sees it half drawn (docs/decisions/0008-small-frames.md).
  private static let pieceLimit = 512

  /// Returns the bytes to write so that the terminal shows the frame, none if it already does.
  ///
  /// - Parameters:
  ///   - cursor: The position of the cursor.
  ///   - isCursorVisible: Whether the cursor is visible.
  ///   - shape: The shape of the cursor.
  /// - Complexity: O(cells), without allocating once the buffers have grown.
  func present(
    cursor: Point?, isCursorVisible: Bool, shape: CursorShape = .standard
  ) -> [UInt8] {
    back.finish()
    let wanted: Cursor = cursor != nil && isCursorVisible ? .visible : .hidden
    pictures.resolve(on: &back, features: features)
    pen.output.removeAll()
    pen.size = back.size
    if features.contains(.synchronizedUpdate) { pen.output.append("\u{1B}[?2026h") }
    if shownCursor != .hidden { pen.output.append("\u{1B}[?25l") }
    let start = pen.output.count
    writeFrame()
    pictures.write(with: &pen, cellPixels: cellPixels)
    if pen.style != .plain, pen.output.count > start { pen.use(.plain) }
    if let cursor = cursor ?? (isInline ? .zero : nil), back.size.columns > 0, back.size.rows > 0 {
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

  /// Writes the changes from the shown frame to the drawn one.
  private func writeFrame() {
    // The style of new rows and of a cleared screen.
    let blank = styles.reduced[0]
    let canErase = canErase(to: blank)
    moved = nil
    let canMoveRows =
      isFrontKnown && features.contains(.insertLines) && back.size.columns > 0
      && !pictures.isActive && canErase
      // Below the maximum height there may be more of the window, into which rows would move.
      && back.size.rows < Self.largestSize.rows
    if canMoveRows { moved = scrolls.find(from: front, to: back) } else { scrolls.forget() }
    if !isFrontKnown || front.size != back.size {
      if isInline {
        makeRoom()
      } else {
        pen.forget()
        pen.clearScreen(to: canErase ? blank : .plain)
      }
      pictures.forget(&pen)
      front.clear(size: back.size, to: canErase ? .blank : .unknown)
      front.finish()
      isFrontKnown = true
    } else if let moved {
      pen.scroll(moved, blank: blank)
    }
    guard back.size.columns > 0 else { return }
    let tail = isInline ? back.size.rows : blankTail
    write(0..<tail)
    eraseBlankTail(from: tail)
  }
}
