/// The character in a cell: a scalar, or the number of a cluster of several scalars.
///
/// The low 21 bits hold the value. High bits say whether it is the number of a cluster, whether it
/// takes two columns, and whether a picture covers it.
struct Glyph: Hashable {
  let bits: UInt32

  private static let clusterFlag: UInt32 = 1 << 31
  private static let wideFlag: UInt32 = 1 << 30
  private static let pictureFlag: UInt32 = 1 << 29
  private static let valueMask: UInt32 = 0x1F_FFFF

  static let blank = Glyph(scalar: " ", isWide: false)
  /// The right half of the wide glyph in the previous cell.
  static let continuation = Glyph(bits: 0)

  /// A blank covered by a picture. It differs from every other glyph, so the cell is written when
  /// the picture appears and when it goes.
  static let picture = Glyph(bits: blank.bits | pictureFlag)

  /// - Parameter bits: The bits of another glyph.
  init(bits: UInt32) {
    self.bits = bits
  }

  init(scalar: Unicode.Scalar, isWide: Bool) {
    bits = scalar.value | (isWide ? Self.wideFlag : 0)
  }

  /// Creates the glyph of a printable ASCII character.
  init(ascii: UInt8) {
    bits = UInt32(ascii)
  }

  init(cluster: Int, isWide: Bool) {
    bits = UInt32(cluster) | Self.clusterFlag | (isWide ? Self.wideFlag : 0)
  }

  var isWide: Bool { bits & Self.wideFlag != 0 }
  var isCluster: Bool { bits & Self.clusterFlag != 0 }
  var isContinuation: Bool { bits == 0 }
  /// Whether it is a block element (U+2580 to U+259F), drawn right up to the neighbouring cells.
  var isBlock: Bool { bits & ~0x1F == 0x2580 }
  /// Whether it is a box-drawing character (U+2500 to U+257F), drawn right up to the neighbouring
  /// cells.
  var isLine: Bool { bits & ~0x7F == 0x2500 }
  /// The scalar value or the cluster's number.
  var value: UInt32 { bits & Self.valueMask }
}

/// The clusters of several scalars, referred to by number in cells.
struct GlyphTable {
  private(set) var clusters: [String] = []
  /// The number of columns that a terminal may draw for a cluster whose width terminals disagree
  /// about; 0 for the others.
  private(set) var disputedWidths: [Int] = []
  private var numbers: [String: Int] = [:]

  /// The number of clusters.
  var count: Int { clusters.count }

  /// Returns the glyph for a grapheme, adding its cluster if it is new.
  mutating func glyph(for grapheme: Grapheme) -> Glyph {
    let isWide = grapheme.columns == 2
    guard let cluster = grapheme.cluster else {
      return Glyph(scalar: grapheme.scalar, isWide: isWide)
    }
    if let number = numbers[cluster] { return Glyph(cluster: number, isWide: isWide) }
    let number = clusters.count
    clusters.append(cluster)
    // In the worst case, each scalar is drawn as a separate wide glyph.
    disputedWidths.append(grapheme.isWidthDisputed ? 2 * cluster.unicodeScalars.count : 0)
    numbers[cluster] = number
    return Glyph(cluster: number, isWide: isWide)
  }

  func cluster(of glyph: Glyph) -> String { clusters[Int(glyph.value)] }
  func disputedWidth(of glyph: Glyph) -> Int { disputedWidths[Int(glyph.value)] }
}
