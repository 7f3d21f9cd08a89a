/// The drawing surface of views: the screen's back buffer, restricted to a clip rectangle.
///
/// This is the only place where strings become cells. No control, bidirectional or other invisible
/// characters get past it, whatever a view is given.
struct Canvas {
  let screen: Screen
  /// The cells that can be drawn to.
  let clip: Rect
  let glyphs: GlyphSet

  init(screen: Screen, glyphs: GlyphSet) {
    self.screen = screen
    self.glyphs = glyphs
    clip = Rect(origin: .zero, size: screen.back.size)
  }

  private init(screen: Screen, clip: Rect, glyphs: GlyphSet) {
    self.screen = screen
    self.clip = clip
    self.glyphs = glyphs
  }

  /// Returns the canvas restricted further to a rectangle.
  func clipped(to rect: Rect) -> Canvas {
    Canvas(screen: screen, clip: clip.intersection(rect), glyphs: glyphs)
  }

  /// Fills a rectangle with blanks in a style.
  func fill(_ rect: Rect, style: Style) {
    fill(rect, with: " ", style: style)
  }

  /// Fills a rectangle with a scalar one column wide.
  func fill(_ rect: Rect, with scalar: Unicode.Scalar, style: Style) {
    let area = rect.intersection(clip)
    guard !area.isEmpty else { return }
    let glyph = Glyph(scalar: glyphs.shown(scalar), isWide: false)
    screen.fill(area, with: Cell(glyph: glyph, style: screen.styleID(style)))
  }

  /// Returns the cells of a rectangle, line by line.
  /// - Precondition: The rectangle is on the screen.
  func cells(in rect: Rect) -> [Cell] { screen.back.cells(of: rect) }

  /// Returns the cell that is everywhere in a rectangle; `nil` if they differ, or not all of them can be
  /// drawn to.
  func uniformCell(in rect: Rect) -> Cell? {
    guard !rect.isEmpty, rect.intersection(clip) == rect else { return nil }
    return screen.back.uniformCell(of: rect)
  }

  /// Puts cells that were drawn before.
  /// - Precondition: The rectangle has as many, and all of it can be drawn to.
  func put(_ cells: [Cell], in rect: Rect) { screen.back.put(cells, in: rect) }

  /// Changes the style of every cell drawn so far.
  func restyle(_ change: (Style) -> Style) {
    screen.restyle(change)
  }

  /// Puts a scalar one column wide into a cell.
  func put(_ scalar: Unicode.Scalar, at point: Point, style: Style) {
    guard clip.contains(point) else { return }
    screen.back.put(
      Glyph(scalar: glyphs.shown(scalar), isWide: false), style: screen.styleID(style),
      column: point.column, row: point.row)
  }

  /// Writes text into a row, starting at `point`.
  ///
  /// - Returns: The width of the text in columns, including any clipped part.
  @discardableResult
  func write(_ text: String, at point: Point, style: Style) -> Int {
    let id = screen.styleID(style)
    if let columns = screen.write(ascii: text, at: point, style: id, clip: clip) { return columns }
    var column = point.column
    for grapheme in text.graphemes {
      draw(grapheme, at: Point(column: column, row: point.row), style: id)
      column += grapheme.columns
    }
    return column - point.column
  }

  /// Puts a grapheme into its one or two cells. If it straddles the edge of the clip, the half
  /// inside becomes blank.
  func draw(_ grapheme: Grapheme, at point: Point, style: StyleTable.ID) {
    guard point.row >= clip.minRow, point.row < clip.maxRow else { return }
    let (column, row) = (point.column, point.row)
    let isFirstInside = column >= clip.minColumn && column < clip.maxColumn
    if grapheme.columns == 1 {
      guard isFirstInside else { return }
      let glyph =
        glyphs == .unicode
        ? screen.glyph(for: grapheme)
        : Glyph(scalar: glyphs.shown(grapheme.scalar), isWide: false)
      return screen.back.put(glyph, style: style, column: column, row: row)
    }
    let isSecondInside = column + 1 >= clip.minColumn && column + 1 < clip.maxColumn
    if isFirstInside, isSecondInside, glyphs == .unicode {
      let glyph = screen.glyph(for: grapheme)
      return screen.back.putWide(glyph, style: style, column: column, row: row)
    }
    if isFirstInside {
      let glyph = isSecondInside ? Glyph(scalar: "?", isWide: false) : .blank
      screen.back.put(glyph, style: style, column: column, row: row)
    }
    if isSecondInside {
      screen.back.put(.blank, style: style, column: column + 1, row: row)
    }
  }
}
