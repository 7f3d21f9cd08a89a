/// The styles that cells refer to by number, which keeps cells small and comparable as one word.
struct StyleTable {
  /// The number of a style in the table; 0 is the plain style.
  typealias ID = UInt32

  private(set) var styles: [Style] = [.plain]
  /// The same styles as the terminal can show them.
  private(set) var reduced: [Style] = [.plain]
  private var ids: [Style: ID] = [.plain: 0]
  /// The most recently found numbers, hashed by style: most lookups end here.
  private var recent = [ID](repeating: 0, count: 64)

  /// The terminal's colour depth.
  let depth: ColorDepth
  /// The optional features that the terminal supports.
  private(set) var features: ScreenFeatures
  /// The colours painted in place of the terminal's defaults.
  private(set) var canvas: Style

  init(depth: ColorDepth, features: ScreenFeatures = [], canvas: Style = .plain) {
    self.depth = depth
    self.features = features
    self.canvas = canvas
    reduced = [shown(.plain)]
  }

  /// Adapts the styles to changed features or canvas colours.
  /// - Returns: Whether any style looks different from before.
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

  /// The number of styles.
  var count: Int { styles.count }

  /// Returns the number of a style, adding it if it is new.
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
  /// A hash from 0 to 63.
  fileprivate var slot: Int {
    let colors = foreground.packed ^ (background.packed &* 31) ^ (underlineColor.packed &* 7)
    let line = UInt32(attributes.rawValue) << 3 ^ UInt32(underlineStyle.rawValue) << 11
    let bits = colors ^ line ^ link.number << 16
    return Int((bits &* 0x9E37_79B1) >> 26)
  }
}
