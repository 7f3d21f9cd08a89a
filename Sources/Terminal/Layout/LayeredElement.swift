/// Places children on top of each other, the first at the bottom.
struct LayeredElement: Element {
  let alignment: Alignment

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    var size = Size.zero
    tree.forEachChild(of: node) { child in
      let own = tree.measure(child, proposal)
      size = Size(columns: max(size.columns, own.columns), rows: max(size.rows, own.rows))
    }
    return size
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    tree.forEachChild(of: node) { child in
      let size = tree.measure(child, proposal)
      tree.place(child, in: alignment.place(size, in: rect), proposal: proposal)
    }
  }
}
