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
