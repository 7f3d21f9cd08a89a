/// A calendar of marks: a row for each day of the week or the like, a column for each week, the
/// newest at the right.
///
///     Heatmap(rows: ["Mon", "", "Wed"], columns: weeks)
public struct Heatmap: PrimitiveView {
  /// One day.
  public enum Cell: Hashable, Sendable {
    /// There is nothing to say, as before the first day.
    case none
    /// `▪` in the colour of the role.
    case filled(ThemeRole)
    /// `▫` in the colour of the role: told apart from a filled one without colour.
    case hollow(ThemeRole)
  }

  private let rows: [String]
  private let columns: [[Cell]]

  /// - Parameters:
  ///   - rows: The names of the rows; empty for those without.
  ///   - columns: The cells of each column from top to bottom, oldest first. Those that do not fit
  ///     are left out at the left.
  public init(rows: [String], columns: [[Cell]]) {
    self.rows = rows
    self.columns = columns
  }

  /// Adds the view to the tree of the frame.
  public func build(in tree: ViewTree) {
    // A calendar of marks cannot be read out; see `accessibilityLabel`.
    guard !tree.environment.isSpoken else { return }
    tree.add(
      HeatmapElement(
        rows: rows, columns: columns, ground: tree.environment.style.background,
        labelColumns: rows.reduce(0) { max($0, $1.columns) }))
  }
}

struct HeatmapElement: Element {
  let rows: [String]
  let columns: [[Heatmap.Cell]]
  let ground: Color
  let labelColumns: Int

  private var indent: Int { labelColumns > 0 ? labelColumns + 1 : 0 }

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    let own = indent + columns.count
    let offered = proposal.columns == Proposal.ideal ? own : proposal.columns
    return Size(columns: min(own, offered), rows: rows.count)
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    let rect = tree.rect(of: node)
    for (row, label) in rows.enumerated() {
      var style = tree.theme[.dim]
      style.background = ground
      canvas.write(label, at: rect.origin.offset(rows: row), style: style)
    }
    for (column, cells) in columns.suffix(max(0, rect.columns - indent)).enumerated() {
      for (row, cell) in cells.prefix(rows.count).enumerated() {
        let point = rect.origin.offset(columns: indent + column, rows: row)
        switch cell {
        case .none: break
        case .filled(let role): put("▪", role, at: point, tree: tree, canvas: canvas)
        case .hollow(let role): put("▫", role, at: point, tree: tree, canvas: canvas)
        }
      }
    }
  }

  private func put(
    _ scalar: Unicode.Scalar, _ role: ThemeRole, at point: Point, tree: ViewTree, canvas: Canvas
  ) {
    var style = tree.theme[role]
    style.background = ground
    canvas.put(scalar, at: point, style: style)
  }
}
