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
      // Link numbers are meaningless outside this screen.
      style.link = .none
      return Cell(text: text, style: style, link: link)
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
