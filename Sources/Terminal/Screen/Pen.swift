/// Writes glyphs and moves so that the terminal's cursor and style are always known, or known to
/// be unknown.
struct Pen {
  var output = EscapeBuffer()
  /// The row of the terminal's cursor; `nil` when that is not certain.
  private(set) var row: Int?
  /// Its column; `nil` when that is not certain, as after the last column (a terminal may stay on
  /// it or be about to wrap) or after a cluster of disputed width.
  private(set) var column: Int?
  /// The style in force; `nil` when that is not certain.
  private(set) var style: Style?
  /// The screen that is written to.
  var size = Size.zero
  /// What the terminal understands.
  var features: ScreenFeatures = []
  /// The addresses that styles refer to.
  let links: LinkTable

  init(links: LinkTable) {
    self.links = links
  }

  /// Where the terminal's cursor stands; `nil` when that is not certain.
  var position: Point? {
    guard let row, let column else { return nil }
    return Point(column: column, row: row)
  }

  /// Forgets what is in force, so that the next output states everything.
  mutating func forget() {
    row = nil
    column = nil
    style = nil
  }

  /// Makes `new` the style of what follows.
  mutating func use(_ new: Style) {
    output.appendStyle(new.withoutLink, after: style?.withoutLink)
    if new.link != style?.link, style != nil || features.contains(.hyperlinks) {
      output.appendLink(links[new.link], id: new.link)
    }
    style = new
  }

  /// Makes the style of what follows one in which blanks look as in `new`. Nothing has to be written
  /// for the colour of a text that is not there.
  mutating func use(forBlanks new: Style) {
    if let style, style.blankLooksLike(new) { return }
    use(new)
  }

  /// Moves the cursor by the fewest bytes.
  mutating func move(to target: Point) {
    guard row != target.row || column != target.column else { return }
    CursorMove(fromRow: row, column: column, to: target).append(to: &output)
    stand(at: target)
  }

  /// The bytes that moving within the row takes.
  func cost(ofMovingTo target: Int) -> Int {
    guard let row, column != target else { return 0 }
    return CursorMove(fromRow: row, column: column, to: Point(column: target, row: row)).cost
  }

  private mutating func stand(at point: Point) {
    row = point.row
    column = point.column
  }

  /// Writes a glyph of one scalar at the cursor.
  mutating func write(_ glyph: Glyph) {
    output.append(scalar: glyph.value)
    advance(by: glyph.isWide ? 2 : 1)
  }

  /// Writes a cluster at the cursor. When terminals disagree about its width, the column is
  /// stated again before whatever follows.
  ///
  /// In the last column the cursor has to leave its cell for the marks: tmux adds a mark to the cell
  /// before the cursor, and where nothing wraps that is the wrong one.
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

  /// Repeats the glyph just written.
  mutating func repeatLast(_ count: Int) {
    output.appendControl(count, "b")
    advance(by: count)
  }

  /// Erases cells from the cursor on, in the style in force; the cursor stays.
  mutating func erase(_ count: Int) {
    output.appendControl(count, "X")
  }

  /// Erases the rest of the row, in the style in force; the cursor stays.
  mutating func eraseToEnd() {
    output.append("\u{1B}[K")
  }

  /// Erases the rest of the row and all rows below, in the style in force; the cursor stays.
  mutating func eraseBelow() {
    output.append("\u{1B}[J")
  }

  /// Changes what the cursor looks like.
  mutating func setCursorShape(_ shape: CursorShape) {
    output.append("\u{1B}[")
    output.append(number: Int(shape.rawValue))
    output.append(" q")
  }

  /// Moves rows by deleting lines at one end of the region and inserting as many at the other: fewer
  /// bytes than setting the scroll region, scrolling and setting it back, and the cursor ends where
  /// the new rows are to be written. Those are blanks in a style.
  mutating func scroll(_ scroll: Scroll, blank: Style) {
    use(forBlanks: blank)
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

  /// Deletes or inserts lines. Terminals disagree about the column that this leaves the cursor in,
  /// unless it is the first.
  private mutating func shift(row: Int, by count: Int, _ final: Unicode.Scalar) {
    move(to: Point(column: 0, row: row))
    output.appendControl(count, final)
  }

  /// Clears the screen to blanks in a style. Nothing wraps from here on, so that the last column is as
  /// any other and nothing that comes out wider than expected reaches the next row.
  mutating func clearScreen(to blank: Style) {
    output.append("\u{1B}[m\u{1B}[?7l\u{1B}[H")
    if style == nil, features.contains(.hyperlinks) { output.appendLink(nil, id: .none) }
    style = .plain
    use(forBlanks: blank)
    output.append("\u{1B}[2J")
    stand(at: .zero)
  }

  /// Forgets where the cursor is: what was just written may have moved it.
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
  /// Whether a blank in this style looks as in the other.
  func blankLooksLike(_ other: Style) -> Bool {
    self == other
      || background == other.background && link == other.link
        && attributes.isDisjoint(with: .visibleOnBlank)
        && other.attributes.isDisjoint(with: .visibleOnBlank)
  }

  /// The part of the style that SGR sets.
  fileprivate var withoutLink: Style {
    var style = self
    style.link = .none
    return style
  }
}
