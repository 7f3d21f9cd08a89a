/// A snapshot of the screen: the contents of each cell, independent of any terminal.
///
/// It can be exported as plain text, as text with colours for a terminal, or as SVG.
public struct Frame: Hashable, Sendable {
  /// One cell of a frame.
  public struct Cell: Hashable, Sendable {
    /// The character shown; empty for the right half of a wide one.
    public var text: String
    /// The style of the cell.
    public var style: Style
    /// The link that the cell is part of, if any.
    public var link: Hyperlink?
  }

  /// The size in columns and rows.
  public let size: Size
  /// The cells, row by row.
  public let cells: [Cell]
  /// The position of the cursor; `nil` if it is hidden.
  public let cursor: Point?
  /// The text and background colours of cells that have the terminal's defaults.
  let canvas: Style

  /// The cell at a position.
  /// - Precondition: The position is within the frame.
  public subscript(column: Int, row: Int) -> Cell { cells[row * size.columns + column] }

  /// Takes a snapshot of a screen's back buffer.
  init(
    screen: Screen, canvas: Style = .plain, cursor: Point? = nil
  ) {
    size = screen.back.size
    self.canvas = canvas
    self.cursor = cursor
    screen.back.finish()
    cells = screen.back.cells.map { cell in
      var style = screen.styles[cell.style]
      let link = screen.links[style.link]
      // Link numbers are meaningless outside this screen.
      style.link = .none
      return Cell(text: screen.text(of: cell.glyph), style: style, link: link)
    }
  }

  /// The rows as plain text, without trailing blanks.
  public var lines: [String] {
    (0..<size.rows).map { row in
      var line = ""
      for column in 0..<size.columns { line += self[column, row].text }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// The frame as plain text.
  public var text: String { lines.joined(separator: "\n") }
}

extension Frame {
  /// Returns the rows with their colours as SGR sequences, for a terminal or a pager. Each row ends
  /// in the plain style. Links and shaped underlines are left out, since not every reader
  /// understands them.
  public func ansiText(colorDepth: ColorDepth = .trueColor) -> String {
    var buffer = EscapeBuffer()
    for row in 0..<size.rows {
      if row > 0 { buffer.append("\n") }
      var style = Style.plain
      for column in 0..<lineEnd(row) {
        let cell = self[column, row]
        let shown = cell.style.reduced(to: colorDepth, features: [])
        buffer.appendStyle(shown, after: style)
        style = shown
        buffer.append(text: cell.text)
      }
      buffer.appendStyle(.plain, after: style)
    }
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  /// Returns the end of a row's contents: the index after its last cell that isn't a plain blank.
  private func lineEnd(_ row: Int) -> Int {
    var end = size.columns
    while end > 0, self[end - 1, row] == Cell(text: " ", style: .plain) { end -= 1 }
    return end
  }
}

extension Screen {
  /// Returns what a glyph shows; nothing for the right half of a wide one.
  fileprivate func text(of glyph: Glyph) -> String {
    if glyph.isContinuation { return "" }
    if glyph.isCluster { return glyphs.cluster(of: glyph) }
    return Unicode.Scalar(glyph.value).map { String(Character($0)) } ?? " "
  }

  /// Returns the text of the drawn frame in a rectangle of it, without the space around the text.
  func drawnText(in rect: Rect) -> String {
    var lines = (rect.minRow..<rect.maxRow).map { row in
      var line = (rect.minColumn..<rect.maxColumn).map { text(of: back[$0, row].glyph) }.joined()
      while line.last == " " { line.removeLast() }
      return line
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    lines = Array(lines.drop(while: \.isEmpty))
    let margin = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(margin)) }.joined(separator: "\n")
  }
}
