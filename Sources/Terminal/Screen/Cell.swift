/// One cell of the screen, packed into eight bytes so that cells are compared as one number.
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

  /// An empty cell in the terminal's default colours.
  static let blank = Cell(glyph: .blank, style: 0)

  /// A cell whose contents on the terminal are unknown: the right half of a glyph with no left
  /// half, which is never drawn and so differs from every cell.
  static let unknown = Cell(glyph: .continuation, style: 0)
}
