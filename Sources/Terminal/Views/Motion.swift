extension View {
  /// Sets whether the view avoids motion: spinners stand still, sheets don't slide, nothing blinks,
  /// and views that fill by themselves are left out. The default is ``ViewHost/reducesMotion``.
  public func reducedMotion(_ isReduced: Bool = true) -> some View {
    EnvironmentView(content: self) { $0.reducesMotion = isReduced }
  }

  /// Leaves the view out if motion is reduced: for an animation that says nothing beyond the text
  /// beside it.
  public func omittedWithReducedMotion() -> some View {
    OmittedWithReducedMotionView(content: self)
  }
}

private struct OmittedWithReducedMotionView<Content: View>: PrimitiveView {
  let content: Content

  func build(in tree: ViewTree) {
    if !tree.environment.reducesMotion { content.build(in: tree) }
  }
}

/// Takes all the space offered and shows its child a number of rows below the centre.
struct VerticalOffsetElement: Element {
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
