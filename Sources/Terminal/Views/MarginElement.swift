/// Clears one cell on each side of its child, if there is space.
struct MarginElement: Element {
  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    let own = tree.measureChild(of: node, proposal)
    let room = proposal.resolved(own)
    return Size(
      columns: own.columns + 2 <= room.columns ? own.columns + 2 : own.columns,
      // Keep the top line visible.
      rows: own.rows + 4 <= room.rows ? own.rows + 2 : own.rows)
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    guard let child = tree.firstChild(of: node) else { return }
    let size = tree.measure(child, proposal)
    tree.place(child, in: Alignment.center.place(size, in: rect), proposal: proposal)
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    canvas.fill(tree.rect(of: node), style: tree.style(of: node))
    tree.drawChildren(of: node, on: canvas)
  }
}
