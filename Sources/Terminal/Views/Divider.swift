/// A thin line across its stack.
public struct Divider: PrimitiveView {
  public init() {}

  public func build(in tree: ViewTree) {
    tree.add(DividerElement(axis: tree.stackAxis == .horizontal ? .vertical : .horizontal))
  }
}

struct DividerElement: Element {
  /// The direction of the line.
  let axis: Axis

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    let offered = proposal.along(axis)
    return Size(axis, along: offered == Proposal.ideal ? 1 : offered, across: 1)
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    canvas.fill(
      tree.rect(of: node), with: axis == .horizontal ? "─" : "│", style: tree.theme[.border])
  }
}
