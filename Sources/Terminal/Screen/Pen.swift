/// Writes glyphs and moves so that the terminal's cursor and style are always known, or known to
/// be unknown.
struct Pen {
  var output = EscapeBuffer()
  /// Where the terminal's cursor stands; `nil` when that is not certain, as after the last column
  /// (terminals differ about the pending wrap) or after a cluster of disputed width.
  private(set) var position: Point?
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

  /// Forgets what is in force, so that the next output states everything.
  mutating func forget() {
    position = nil
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

  /// Moves the cursor by the fewest bytes.
  mutating func move(to target: Point) {
    guard position != target else { return }
    defer { position = target }
    guard let position else { return appendAbsolute(target) }
    let columns = target.column - position.column
    let rows = target.row - position.row
    if rows == 0 {
      if target.column == 0 { return output.append(0x0D) }
      if columns > 0 { return output.appendControl(columns, "C") }
      if columns >= -3 {
        for _ in columns..<0 { output.append(8) }
        return
      }
      return output.appendControl(-columns, "D")
    }
    if target.column == 0, (1...3).contains(rows) {
      for _ in 0..<rows { output.append("\r\n") }
      return
    }
    if columns == 0 {
      return output.appendControl(abs(rows), rows > 0 ? "B" : "A")
    }
    appendAbsolute(target)
  }

  private mutating func appendAbsolute(_ target: Point) {
    output.append("\u{1B}[")
    if target.row > 0 || target.column > 0 { output.append(number: target.row + 1) }
    if target.column > 0 {
      output.append(UInt8(ascii: ";"))
      output.append(number: target.column + 1)
    }
    output.append(UInt8(ascii: "H"))
  }

  /// Writes a glyph of one scalar at the cursor.
  mutating func write(_ glyph: Glyph) {
    output.append(scalar: glyph.value)
    advance(by: glyph.isWide ? 2 : 1)
  }

  /// Writes a cluster at the cursor. When terminals disagree about its width, the column is
  /// stated anew before whatever follows, and it may not wrap into the next row.
  mutating func write(cluster: String, isWide: Bool, spill: Int) {
    let width = isWide ? 2 : 1
    guard spill > 0 else {
      output.append(text: cluster)
      return advance(by: width)
    }
    let mayWrap = (position?.column ?? 0) + max(width, spill) > size.columns
    if mayWrap { output.append("\u{1B}[?7l") }
    output.append(text: cluster)
    if mayWrap { output.append("\u{1B}[?7h") }
    position = nil
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

  /// Moves rows; those that become free are plain blanks.
  mutating func scroll(_ scroll: Scroll) {
    use(.plain)
    output.append("\u{1B}[")
    output.append(number: scroll.region.lowerBound + 1)
    output.append(UInt8(ascii: ";"))
    output.append(number: scroll.region.upperBound)
    output.append(UInt8(ascii: "r"))
    output.appendControl(abs(scroll.distance), scroll.distance > 0 ? "S" : "T")
    output.append("\u{1B}[r")
    // Setting the region puts the cursor into the corner.
    position = .zero
  }

  /// Changes what the cursor looks like.
  mutating func setCursorShape(_ shape: CursorShape) {
    output.append("\u{1B}[")
    output.append(number: Int(shape.rawValue))
    output.append(" q")
  }

  /// Clears the screen to plain blanks.
  mutating func clearScreen() {
    output.append("\u{1B}[m\u{1B}[H\u{1B}[2J")
    if style == nil, features.contains(.hyperlinks) { output.appendLink(nil, id: .none) }
    position = .zero
    style = .plain
  }

  /// Forgets where the cursor is: what was just written may have moved it.
  mutating func forgetPosition() {
    position = nil
  }

  private mutating func advance(by columns: Int) {
    guard let point = position else { return }
    position = point.column + columns < size.columns ? point.offset(columns: columns) : nil
  }
}

extension Style {
  /// The part of the style that SGR sets.
  fileprivate var withoutLink: Style {
    var style = self
    style.link = .none
    return style
  }
}
