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

  init(depth: ColorDepth) {
    self.depth = depth
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
      reduced.append(style.reduced(to: depth))
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
    let bits = foreground.packed ^ (background.packed &* 31) ^ UInt32(attributes.rawValue) << 3
    return Int((bits &* 0x9E37_79B1) >> 26)
  }
}
