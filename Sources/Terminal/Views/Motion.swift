extension View {
  /// Whether nothing in the view may move by itself: spinners stand still, sheets do not slide,
  /// nothing blinks, and what fills by itself is left out. By default as ``ViewHost/reducesMotion`` says.
  public func reducedMotion(_ isReduced: Bool = true) -> some View {
    EnvironmentView(content: self) { $0.reducesMotion = isReduced }
  }

  /// Leaves the view out where motion is reduced: for what moves by itself and says nothing that words
  /// beside it do not.
  public func omittedWithReducedMotion() -> some View {
    MovingView(content: self)
  }
}

private struct MovingView<Content: View>: PrimitiveView {
  let content: Content

  func build(in tree: ViewTree) {
    if !tree.environment.reducesMotion { content.build(in: tree) }
  }
}

/// Takes all the room on offer and shows its child below the middle of it.
struct LoweredElement: Element {
  let rows: Int

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    proposal.filled(ideal: tree.measureChild(of: node, proposal))
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    tree.forEachChild(of: node) { child in
      let place = Alignment.center.place(tree.measure(child, proposal), in: rect)
      tree.place(child, in: place.offset(rows: rows), proposal: proposal)
    }
  }
}
