/// One cell of the screen, packed into eight bytes.
struct Cell: Hashable {
  var glyph: Glyph
  var style: StyleTable.ID

  /// A cell without text in the terminal's own colours.
  static let blank = Cell(glyph: .blank, style: 0)

  /// A cell of which is not known what the terminal shows: the right half of nothing, as which no
  /// cell is ever drawn.
  static let unknown = Cell(glyph: .continuation, style: 0)
}
