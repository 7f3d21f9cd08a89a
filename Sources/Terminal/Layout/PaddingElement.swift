/// Leaves space around its child.
struct PaddingElement: Element {
  let top: Int
  let leading: Int
  let bottom: Int
  let trailing: Int

  init(_ edges: Edges, _ length: Int) {
    top = edges.contains(.top) ? length : 0
    leading = edges.contains(.leading) ? length : 0
    bottom = edges.contains(.bottom) ? length : 0
    trailing = edges.contains(.trailing) ? length : 0
  }

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    let own = tree.measureChild(of: node, offer(proposal))
    return Size(columns: own.columns + leading + trailing, rows: own.rows + top + bottom)
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    guard let child = tree.firstChild(of: node) else { return }
    let inner = rect.inset(top: top, leading: leading, bottom: bottom, trailing: trailing)
    tree.place(child, in: inner, proposal: offer(proposal))
  }

  private func offer(_ proposal: Proposal) -> Proposal {
    proposal.reduced(columns: leading + trailing, rows: top + bottom)
  }
}

extension View {
  /// Adds `length` blank cells on the given sides.
  public func padding(_ edges: Edges = .all, _ length: Int = 1) -> some View {
    ElementView(element: PaddingElement(edges, max(0, length)), content: self)
  }

  /// Adds `length` blank cells on all sides.
  public func padding(_ length: Int) -> some View {
    padding(.all, length)
  }
}
