/// The styles that cells refer to by number, so that a cell stays small and two cells are
/// compared as one word.
struct StyleTable {
  /// The number of a style in the table; 0 is the plain style.
  typealias ID = UInt32

  private(set) var styles: [Style] = [.plain]
  /// The same styles as the terminal can show them.
  private(set) var reduced: [Style] = [.plain]
  private var ids: [Style: ID] = [.plain: 0]
  private var last: (style: Style, id: ID) = (.plain, 0)

  /// How many colours the terminal shows.
  let depth: ColorDepth

  init(depth: ColorDepth) {
    self.depth = depth
  }

  /// How many styles there are.
  var count: Int { styles.count }

  /// The number of the style, which is added when it is new.
  mutating func id(for style: Style) -> ID {
    if last.style == style { return last.id }
    let id: ID
    if let known = ids[style] {
      id = known
    } else {
      id = ID(styles.count)
      styles.append(style)
      reduced.append(style.reduced(to: depth))
      ids[style] = id
    }
    last = (style, id)
    return id
  }

  subscript(id: ID) -> Style { styles[Int(id)] }
}
