/// One row: its background and, if it is selected, its mark.
struct ListRowElement: Element {
  let isSelected: Bool
  let isFocused: Bool
  let mark: Unicode.Scalar

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    guard let child = tree.firstChild(of: node) else { return }
    let inner = rect.inset(leading: 1)
    let offer = Proposal(inner.size)
    let size = tree.measure(child, offer)
    tree.place(child, in: Rect(origin: inner.origin, size: size), proposal: offer)
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    let rect = tree.rect(of: node)
    if isSelected {
      let style = tree.style(of: node)
      canvas.fill(rect, style: style)
      var markStyle = style
      if isFocused, tree.theme[.accent].foreground != .standard, !tree.theme.usesFillTextColor {
        markStyle.foreground = tree.theme[.accent].foreground
      }
      canvas.fill(
        Rect(column: rect.minColumn, row: rect.minRow, columns: 1, rows: rect.rows),
        with: tree.theme.glyphs != .unicode ? ">" : mark, style: markStyle)
    }
    tree.drawChildren(of: node, on: canvas)
  }
}
