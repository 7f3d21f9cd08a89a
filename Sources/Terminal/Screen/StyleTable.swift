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
  /// The colours that are painted in place of the terminal's own.
  private(set) var canvas: Style

  init(depth: ColorDepth, features: ScreenFeatures = [], canvas: Style = .plain) {
    self.depth = depth
    self.features = features
    self.canvas = canvas
    reduced = [shown(.plain)]
  }

  /// Takes in that the terminal understands something else than was thought, or that other colours
  /// are painted.
  /// - Returns: Whether a style is shown differently from now on.
  mutating func adapt(to newFeatures: ScreenFeatures, canvas newCanvas: Style) -> Bool {
    features = newFeatures
    canvas = newCanvas
    let before = reduced
    reduced = styles.map { shown($0) }
    return reduced != before
  }

  private func shown(_ style: Style) -> Style {
    var style = style
    if style.foreground == .standard { style.foreground = canvas.foreground }
    if style.background == .standard { style.background = canvas.background }
    return style.reduced(to: depth, features: features)
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
      reduced.append(shown(style))
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
