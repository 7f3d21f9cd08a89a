/// Produces output while tracking the terminal's cursor and style, each either known exactly or
/// marked unknown.
struct Pen {
  var output = EscapeBuffer()
  /// The row of the terminal's cursor; `nil` if unknown.
  private(set) var row: Int?
  /// The column of the terminal's cursor; `nil` if unknown, as it is after writing the last column
  /// (the cursor may stay or be about to wrap) or a cluster of disputed width.
  private(set) var column: Int?
  /// The current style; `nil` if unknown.
  var style: Style?
  /// The size of the screen.
  var size = Size.zero
  /// The optional features that the terminal supports.
  var features: ScreenFeatures = []
  /// Whether rows count from a line that can be anywhere on the screen.
  var isInline = false
  /// The addresses that styles refer to.
  let links: LinkTable

  init(links: LinkTable) {
    self.links = links
  }

  /// The position of the terminal's cursor; `nil` if unknown.
  var position: Point? {
    guard let row, let column else { return nil }
    return Point(column: column, row: row)
  }

  /// Marks everything as unknown, so that the next output sets it explicitly.
  mutating func forget() {
    row = nil
    column = nil
    style = nil
  }

  /// Takes over the position of another pen.
  mutating func takePlace(of other: Pen) {
    row = other.row
    column = other.column
  }

  /// Switches to a style.
  mutating func use(_ new: Style) {
    output.appendStyle(new.withoutLink, after: style?.withoutLink)
    if new.link != style?.link, style != nil || features.contains(.hyperlinks) {
      output.appendLink(links[new.link], id: new.link)
    }
    style = new
  }

  /// Switches to a style in which blanks look as in `new`. A different text colour, which blanks
  /// don't show, costs no output.
  mutating func useStyle(forBlanks new: Style) {
    if let style, style.blankLooksLike(new) { return }
    use(new)
  }

  /// Moves the cursor with the fewest bytes.
  mutating func move(to target: Point) {
    guard row != target.row || column != target.column else { return }
    CursorMove(fromRow: row, column: column, to: target, isRelative: isInline).append(to: &output)
    setPosition(target)
  }

  /// Returns the number of bytes needed to move within the row.
  func cost(ofMovingTo target: Int) -> Int {
    guard let row, column != target else { return 0 }
    return CursorMove(
      fromRow: row, column: column, to: Point(column: target, row: row), isRelative: isInline
    ).cost
  }

  /// Moves the cursor up without counting.
  mutating func moveUp(by rows: Int) {
    if rows > 0 { output.appendControl(rows, "A") }
  }

  /// Notes where the cursor is.
  mutating func setPosition(_ point: Point) {
    row = point.row
    column = point.column
  }

  /// Writes a single-scalar glyph at the cursor.
  mutating func write(_ glyph: Glyph) {
    output.append(scalar: glyph.value)
    advance(by: glyph.isWide ? 2 : 1)
  }

  /// Writes a cluster at the cursor. If terminals disagree about its width, the column is unknown
  /// afterwards.
  ///
  /// In the last column, wrapping is switched on so that the cursor leaves the cell: tmux attaches
  /// a combining mark to the cell before the cursor, which would otherwise be the wrong one.
  mutating func write(cluster: String, isWide: Bool, isDisputed: Bool) {
    let width = isWide ? 2 : 1
    if isDisputed {
      output.append(text: cluster)
      column = nil
    } else if let column, column + width >= size.columns {
      output.append("\u{1B}[?7h")
      output.append(text: cluster)
      output.append("\u{1B}[?7l")
      self.column = nil
    } else {
      output.append(text: cluster)
      advance(by: width)
    }
  }

  /// Repeats the last glyph written.
  mutating func repeatLast(_ count: Int) {
    output.appendControl(count, "b")
    advance(by: count)
  }

  /// Erases cells from the cursor on, in the current style. The cursor stays where it is.
  mutating func erase(_ count: Int) {
    output.appendControl(count, "X")
  }

  /// Erases the rest of the row in the current style. The cursor stays where it is.
  mutating func eraseToEnd() {
    output.append("\u{1B}[K")
  }

  /// Erases the rest of the row and all rows below in the current style. The cursor stays where it
  /// is.
  mutating func eraseBelow() {
    // tmux keeps what is erased in its scrollback if that is the whole screen, as with a frame as high
    // as the window. So the first cell of a frame is erased on its own.
    guard isInline, row == 0, column == 0 else { return output.append("\u{1B}[J") }
    output.append("\u{1B}[C\u{1B}[J\r\u{1B}[X")
  }

  /// Changes the shape of the cursor.
  mutating func setCursorShape(_ shape: CursorShape) {
    output.append("\u{1B}[")
    output.append(number: Int(shape.rawValue))
    output.append(" q")
  }

  /// Moves rows by deleting lines at one end of the region and inserting as many at the other. This
  /// takes fewer bytes than setting the scroll region, scrolling and restoring it, and leaves the
  /// cursor where the new rows are written. The new rows are blank in the given style.
  mutating func scroll(_ scroll: Scroll, blank: Style) {
    useStyle(forBlanks: blank)
    let count = abs(scroll.distance)
    let top = scroll.region.lowerBound
    let bottom = scroll.region.upperBound - count
    if scroll.distance > 0 {
      shift(row: top, by: count, "M")
      if scroll.region.upperBound < size.rows { shift(row: bottom, by: count, "L") }
    } else {
      if scroll.region.upperBound < size.rows { shift(row: bottom, by: count, "M") }
      shift(row: top, by: count, "L")
    }
  }

  /// Deletes or inserts lines, from the first column: terminals disagree about where any other
  /// column leaves the cursor.
  private mutating func shift(row: Int, by count: Int, _ final: Unicode.Scalar) {
    move(to: Point(column: 0, row: row))
    output.appendControl(count, final)
  }

  /// Clears the screen to blanks in a style and turns off wrapping, so that the last column behaves
  /// like any other and nothing drawn wider than expected reaches the next row.
  mutating func clearScreen(to blank: Style) {
    output.append("\u{1B}[m\u{1B}[?7l\u{1B}[H")
    if style == nil, features.contains(.hyperlinks) { output.appendLink(nil, id: .none) }
    style = .plain
    useStyle(forBlanks: blank)
    output.append("\u{1B}[2J")
    setPosition(.zero)
  }

  /// Marks the cursor position as unknown, because the last output may have moved it.
  mutating func forgetPosition() {
    row = nil
    column = nil
  }

  private mutating func advance(by columns: Int) {
    guard let column else { return }
    self.column = column + columns < size.columns ? column + columns : nil
  }
}

extension Style {
  /// Whether blanks look the same in both styles.
  func blankLooksLike(_ other: Style) -> Bool {
    self == other
      || background == other.background && link == other.link
        && attributes.isDisjoint(with: .visibleOnBlank)
        && other.attributes.isDisjoint(with: .visibleOnBlank)
  }

  /// The style without its link, which SGR doesn't cover.
  fileprivate var withoutLink: Style {
    var style = self
    style.link = .none
    return style
  }
}
