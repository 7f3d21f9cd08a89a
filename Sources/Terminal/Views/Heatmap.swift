/// A calendar of marks with, for example, a row for each day of the week and a column for each
/// week, newest on the right.
///
///     Heatmap(rows: ["Mon", "", "Wed"], cells: days)
public struct Heatmap: PrimitiveView {
  /// One day.
  public enum Cell: Hashable, Sendable {
    /// No mark, as for the days before the first.
    case none
    /// `▪` in the colour of the role.
    case filled(ThemeRole)
    /// `▫` in the colour of the role; distinguishable from a filled one without colour.
    case hollow(ThemeRole)
  }

  private let rows: [String]
  private let cells: [Cell]

  /// - Parameters:
  ///   - rows: The labels of the rows; empty for rows without one.
  ///   - cells: The cells, oldest first: one column after the other, each from top to bottom. Columns
  ///     that don't fit are omitted at the left.
  public init(rows: [String], cells: [Cell]) {
    self.rows = rows
    self.cells = cells
  }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    // A grid of marks can't be read aloud; use `accessibilityLabel`.
    guard !tree.environment.isSpoken else { return }
    tree.add(
      HeatmapElement(
        rows: rows, cells: cells, ground: tree.environment.style.background,
        labelColumns: rows.reduce(0) { max($0, $1.columns) }))
  }
}

struct HeatmapElement: Element {
  let rows: [String]
  let cells: [Heatmap.Cell]
  let ground: Color
  let labelColumns: Int

  private var indent: Int { labelColumns > 0 ? labelColumns + 1 : 0 }

  private var columns: Int { rows.isEmpty ? 0 : (cells.count + rows.count - 1) / rows.count }

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    let own = indent + columns
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
    let omitted = max(0, columns - max(0, rect.columns - indent)) * rows.count
    for (index, cell) in cells.dropFirst(omitted).enumerated() {
      let (column, row) = index.quotientAndRemainder(dividingBy: rows.count)
      let point = rect.origin.offset(columns: indent + column, rows: row)
      switch cell {
      case .none: break
      case .filled(let role): put("▪", role, at: point, tree: tree, canvas: canvas)
      case .hollow(let role): put("▫", role, at: point, tree: tree, canvas: canvas)
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
