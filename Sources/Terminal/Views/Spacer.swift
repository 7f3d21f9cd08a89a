/// Flexible empty space that takes what its stack has left.
public struct Spacer: PrimitiveView {
  private let minLength: Int

  /// - Parameter minLength: The minimum length along the stack, in cells.
  public init(minLength: Int = 0) {
    self.minLength = max(0, minLength)
  }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    tree.add(SpacerElement(axis: tree.stackAxis, minLength: minLength))
  }
}

struct SpacerElement: Element {
  /// The axis of the enclosing stack; `nil`, meaning both, if there is none.
  let axis: Axis?
  let minLength: Int

  /// Stacks serve everything else before empty space.
  var priority: Double { -.infinity }

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    Size(
      columns: axis == .vertical ? 0 : extent(proposal.columns),
      rows: axis == .horizontal ? 0 : extent(proposal.rows))
  }

  func extents(along axis: Axis, across: Int) -> Extents? {
    guard axis == self.axis else { return Extents(minimum: 0, ideal: 0, maximum: 0) }
    return Extents(minimum: minLength, ideal: minLength, maximum: Proposal.infinite)
  }

  private func extent(_ offered: Int) -> Int {
    offered == Proposal.ideal ? minLength : max(minLength, offered)
  }
}
