/// One cell of the screen, packed into eight bytes that are compared as one number.
struct Cell: Hashable {
  private var bits: UInt64

  init(glyph: Glyph, style: StyleTable.ID) {
    bits = UInt64(style) << 32 | UInt64(glyph.bits)
  }

  var glyph: Glyph {
    get { Glyph(bits: UInt32(truncatingIfNeeded: bits)) }
    set { self = Cell(glyph: newValue, style: style) }
  }

  var style: StyleTable.ID {
    get { StyleTable.ID(truncatingIfNeeded: bits >> 32) }
    set { self = Cell(glyph: glyph, style: newValue) }
  }

  /// A cell without text in the terminal's own colours.
  static let blank = Cell(glyph: .blank, style: 0)

  /// A cell of which is not known what the terminal shows: the right half of nothing, as which no
  /// cell is ever drawn.
  static let unknown = Cell(glyph: .continuation, style: 0)
}
