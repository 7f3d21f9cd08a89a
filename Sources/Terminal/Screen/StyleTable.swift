/// The styles that cells refer to by number, so that a cell stays small and two cells are
/// compared as one word.
struct StyleTable {
  /// The number of a style in the table; 0 is the plain style.
  typealias ID = UInt32

  private(set) var styles: [Style] = [.plain]
  /// The same styles as the terminal can show them.
  private(set) var reduced: [Style] = [.plain]
  private var ids: [Style: ID] = [.plain: 0]
  /// The numbers found last, by a few bits of the style: most lookups end here.
  private var recent = [ID](repeating: 0, count: 64)

  /// How many colours the terminal shows.
  let depth: ColorDepth
  /// What the terminal understands.
  private(set) var features: ScreenFeatures

  init(depth: ColorDepth, features: ScreenFeatures = []) {
    self.depth = depth
    self.features = features
  }

  /// Takes in that the terminal understands something else than was thought.
  /// - Returns: Whether a style is shown differently from now on.
  mutating func adapt(to newFeatures: ScreenFeatures) -> Bool {
    features = newFeatures
    let before = reduced
    reduced = styles.map { $0.reduced(to: depth, features: newFeatures) }
    return reduced != before
  }

  /// How many styles there are.
  var count: Int { styles.count }

  /// The number of the style, which is added when it is new.
  mutating func id(for style: Style) -> ID {
    let slot = style.slot
    let guess = recent[slot]
    if styles[Int(guess)] == style { return guess }
    let id: ID
    if let known = ids[style] {
      id = known
    } else {
      id = ID(styles.count)
      styles.append(style)
      reduced.append(style.reduced(to: depth, features: features))
      ids[style] = id
    }
    recent[slot] = id
    return id
  }

  subscript(id: ID) -> Style { styles[Int(id)] }
}

extension Style {
  /// A number from 0 to 63 that differs for most styles.
  fileprivate var slot: Int {
    let colors = foreground.packed ^ (background.packed &* 31) ^ (underlineColor.packed &* 7)
    let line = UInt32(attributes.rawValue) << 3 ^ UInt32(underlineStyle.rawValue) << 11
    let bits = colors ^ line ^ link.number << 16
    return Int((bits &* 0x9E37_79B1) >> 26)
  }
}
