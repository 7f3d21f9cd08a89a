/// Makes its rectangle answer to the mouse.
struct HitElement: Element {
  let action: HitRegion.Action

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    tree.addRegion(rect, node: node, action)
    tree.forEachChild(of: node) { tree.place($0, in: rect, proposal: proposal) }
  }
}

extension View {
  /// Does something when the left button is pressed on the view.
  public func onTap(perform action: @escaping @MainActor () -> Void) -> some View {
    ElementView(element: HitElement(action: .tap { _ in action() }), content: self)
  }

  /// Does something when the wheel is turned over the view.
  /// - Parameter action: Gets the steps down, negative when up.
  public func onScroll(perform action: @escaping @MainActor (Int) -> Void) -> some View {
    ElementView(element: HitElement(action: .scroll(action)), content: self)
  }
}
