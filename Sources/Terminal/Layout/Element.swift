/// What a node of the tree does: how large it is, where its children go, what it draws.
///
/// Views that are drawn or that lay others out become elements; a frame is measured, then placed,
/// then drawn, each by walking the tree once.
@MainActor
protocol Element {
  /// The size that the node takes when it is offered `proposal`.
  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size

  /// Gives each child that is shown a place in `rect` by `tree.place`.
  /// - Parameter proposal: The offer that the node was measured with to get its size.
  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree)

  /// Draws the node and, by `tree.drawChildren`, its children.
  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas)

  /// How soon the parent stack serves this node; higher first.
  var priority: Double { get }
}

extension Element {
  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    tree.measureChild(of: node, proposal)
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    tree.forEachChild(of: node) { tree.place($0, in: rect, proposal: proposal) }
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    tree.drawChildren(of: node, on: canvas)
  }

  var priority: Double { 0 }
}
