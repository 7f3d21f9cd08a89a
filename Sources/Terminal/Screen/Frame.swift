/// A picture of the screen: what each cell shows, apart from any terminal.
///
/// It can be written as plain text, as text with colours for a terminal, or as SVG for documents.
public struct Frame: Hashable, Sendable {
  /// One cell of the picture.
  public struct Cell: Hashable, Sendable {
    /// The glyph; empty for the right half of a wide one.
    public var text: String
    /// How it looks.
    public var style: Style
    /// What it leads to.
    public var link: Hyperlink?
  }

  /// The columns and rows.
  public let size: Size
  /// The cells, row by row.
  public let cells: [Cell]
  /// Where the cursor is seen; `nil` when it is hidden.
  public let cursor: Point?
  /// The colours of text and ground where a cell says nothing else.
  let canvas: Style

  /// The cell at a place.
  /// - Precondition: The place is in the picture.
  public subscript(column: Int, row: Int) -> Cell { cells[row * size.columns + column] }

  /// The frame that is drawn on a screen.
  init(
    screen: Screen, canvas: Style = .plain, cursor: Point? = nil
  ) {
    size = screen.back.size
    self.canvas = canvas
    self.cursor = cursor
    cells = screen.back.cells.map { cell in
      let text: String
      if cell.glyph.isContinuation {
        text = ""
      } else if cell.glyph.isCluster {
        text = screen.glyphs.cluster(of: cell.glyph)
      } else {
        text = Unicode.Scalar(cell.glyph.value).map { String(Character($0)) } ?? " "
      }
      var style = screen.styles[cell.style]
      let link = screen.links[style.link]
      // Numbers mean something on this screen only.
      style.link = .none
      return Cell(text: text, style: style, link: link)
    }
  }

  /// The rows as plain text, without blanks at their ends.
  public var lines: [String] {
    (0..<size.rows).map { row in
      var line = ""
      for column in 0..<size.columns { line += self[column, row].text }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// The picture as plain text.
  public var text: String { lines.joined(separator: "\n") }
}
