/// Handles mouse events in its rectangle.
struct HitElement: Element {
  let action: HitRegion.Action

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    tree.addRegion(rect, node: node, action)
    tree.forEachChild(of: node) { tree.place($0, in: rect, proposal: proposal) }
  }
}

extension View {
  /// Adds an action for a left click on the view.
  public func onTap(perform action: @escaping @MainActor () -> Void) -> some View {
    ElementView(element: HitElement(action: .tap { _ in action() }), content: self)
  }

  /// Adds an action for the mouse wheel over the view.
  /// - Parameter action: Receives the number of steps: positive down, negative up.
  public func onScroll(perform action: @escaping @MainActor (Int) -> Void) -> some View {
    ElementView(element: HitElement(action: .scroll(action)), content: self)
  }
}
