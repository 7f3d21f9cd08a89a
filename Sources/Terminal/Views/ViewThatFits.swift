/// Shows the first of several views that fits the space offered, or else the last.
public struct ViewThatFits<Content: View>: PrimitiveView {
  private let content: Content

  /// - Parameter content: The views in order of preference.
  public init(@ViewBuilder content: () -> Content) {
    self.content = content()
  }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    tree.add(FittingElement()) { content.build(in: tree) }
  }
}

struct FittingElement: Element {
  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    choice(proposal, node: node, in: tree).map { tree.measure($0, proposal) } ?? .zero
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    guard let child = choice(proposal, node: node, in: tree) else { return }
    tree.place(child, in: rect, proposal: proposal)
  }

  private func choice(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> NodeID? {
    var child = tree.firstChild(of: node)
    while let candidate = child {
      let size = tree.measure(candidate, Proposal())
      let fits =
        (proposal.columns == Proposal.ideal || size.columns <= proposal.columns)
        && (proposal.rows == Proposal.ideal || size.rows <= proposal.rows)
      guard !fits, let next = tree.nextSibling(of: candidate) else { return candidate }
      child = next
    }
    return nil
  }
}
