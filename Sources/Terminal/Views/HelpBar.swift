/// The line at the bottom: what the keys do here, most important first, cut to the width. It is
/// made of the commands that are declared in the frame, and they can be clicked.
public struct HelpBar: PrimitiveView {
  /// A line of the commands that work in the frame that it is part of.
  public init() {}

  /// Adds the view to the tree of the frame.
  public func build(in tree: ViewTree) {
    // The keys belong to the screen; who listens is asked in other ways.
    guard !tree.environment.isSpoken else { return }
    tree.add(HelpBarElement())
  }
}

struct HelpBarElement: Element {
  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    Size(
      columns: proposal.columns == Proposal.ideal ? tree.size.columns : proposal.columns, rows: 1)
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    let rect = tree.rect(of: node)
    let theme = tree.theme
    var keyStyle = theme[.accent]
    keyStyle.attributes.insert(.bold)
    var column = rect.minColumn + 1
    let field = tree.focusedField
    for command in tree.commands(above: tree.topModalLayer) where !command.isHidden {
      guard let press = command.key else { continue }
      // What would be typed into the field is no help.
      if let field, field.takes(press), !command.passesThroughFields { continue }
      let key = press.displayName(ascii: theme.glyphs == .ascii)
      let width = key.columns + 1 + command.title.columns
      // Commands that no longer fit are left out; a shorter one may still fit.
      guard column + width < rect.maxColumn else { continue }
      let start = column
      let isEnabled = command.isEnabled
      column += canvas.write(
        key, at: Point(column: column, row: rect.minRow), style: isEnabled ? keyStyle : theme[.dim])
      column += 1
      column += canvas.write(
        command.title, at: Point(column: column, row: rect.minRow), style: theme[.dim])
      if isEnabled {
        tree.addRegion(
          Rect(column: start, row: rect.minRow, columns: column - start, rows: 1),
          layer: tree.topModalLayer, .tap { _ in command.action() })
      }
      column += 3
    }
  }
}
