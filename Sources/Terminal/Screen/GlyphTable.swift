/// The clusters of several scalars that cells refer to by number.
struct GlyphTable {
  private(set) var clusters: [String] = []
  /// Columns that a terminal may draw where terminals disagree about the cluster; 0 where they
  /// agree.
  private(set) var spills: [Int] = []
  private var numbers: [String: Int] = [:]

  /// How many clusters there are.
  var count: Int { clusters.count }

  /// The glyph for what a cell shows.
  mutating func glyph(for grapheme: Grapheme) -> Glyph {
    let isWide = grapheme.columns == 2
    guard let cluster = grapheme.cluster else {
      return Glyph(scalar: grapheme.scalar, isWide: isWide)
    }
    if let number = numbers[cluster] { return Glyph(cluster: number, isWide: isWide) }
    let number = clusters.count
    clusters.append(cluster)
    // In the worst case each scalar comes out as a wide glyph of its own.
    spills.append(grapheme.isWidthDisputed ? 2 * cluster.unicodeScalars.count : 0)
    numbers[cluster] = number
    return Glyph(cluster: number, isWide: isWide)
  }

  func cluster(of glyph: Glyph) -> String { clusters[Int(glyph.value)] }
  func spill(of glyph: Glyph) -> Int { spills[Int(glyph.value)] }
}
