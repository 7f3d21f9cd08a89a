/// What stands in a cell: a scalar, or the number of a cluster of several scalars.
///
/// The low 21 bits hold the value; two high bits say whether it is the number of a cluster, and
/// whether it takes two columns.
struct Glyph: Hashable {
  let bits: UInt32

  private static let clusterFlag: UInt32 = 1 << 31
  private static let wideFlag: UInt32 = 1 << 30
  private static let pictureFlag: UInt32 = 1 << 29
  private static let valueMask: UInt32 = 0x1F_FFFF

  static let blank = Glyph(scalar: " ", isWide: false)
  /// The right half of the wide glyph in the cell before.
  static let continuation = Glyph(bits: 0)

  /// A blank that a picture covers: it differs from every other glyph, so that the cell is written
  /// when the picture comes and when it goes.
  static let picture = Glyph(bits: blank.bits | pictureFlag)

  /// - Parameter bits: Those of another glyph.
  init(bits: UInt32) {
    self.bits = bits
  }

  init(scalar: Unicode.Scalar, isWide: Bool) {
    bits = scalar.value | (isWide ? Self.wideFlag : 0)
  }

  /// A printable character of ASCII.
  init(ascii: UInt8) {
    bits = UInt32(ascii)
  }

  init(cluster: Int, isWide: Bool) {
    bits = UInt32(cluster) | Self.clusterFlag | (isWide ? Self.wideFlag : 0)
  }

  var isWide: Bool { bits & Self.wideFlag != 0 }
  var isCluster: Bool { bits & Self.clusterFlag != 0 }
  var isContinuation: Bool { bits == 0 }
  /// Whether it is one of the block elements (U+2580 to U+259F), which are filled up to the neighbours.
  var isBlock: Bool { bits & ~0x1F == 0x2580 }
  /// Whether it is one of the lines for boxes (U+2500 to U+257F), which are drawn up to the neighbours.
  var isLine: Bool { bits & ~0x7F == 0x2500 }
  /// The scalar's value or the cluster's number.
  var value: UInt32 { bits & Self.valueMask }
}
