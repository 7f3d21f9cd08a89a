/// One cell of the screen, packed into eight bytes.
struct Cell: Hashable {
  var glyph: Glyph
  var style: StyleTable.ID

  /// A cell without text in the terminal's own colours.
  static let blank = Cell(glyph: .blank, style: 0)
}
