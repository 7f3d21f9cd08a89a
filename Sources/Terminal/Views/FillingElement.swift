/// Takes all the space offered and aligns its child in it.
struct FillingElement: Element {
  let alignment: Alignment

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    let own = tree.measureChild(of: node, proposal)
    return proposal.filled(ideal: own)
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    tree.forEachChild(of: node) { child in
      let offer = Proposal(rect.size)
      tree.place(
        child, in: alignment.place(tree.measure(child, offer), in: rect), proposal: offer)
    }
  }
}
