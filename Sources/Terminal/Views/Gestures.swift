/// Makes its rectangle answer to the mouse.
struct HitElement: Element {
  let action: HitRegion.Action

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    tree.addRegion(rect, node: node, action)
    tree.forEachChild(of: node) { tree.place($0, in: rect, proposal: proposal) }
  }
}

/// Rests the cursor at its first cell, unseen, for braille displays and magnifiers.
struct CursorRestElement: Element {
  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    tree.cursorRequests.append(
      CursorRequest(
        point: tree.rect(of: node).origin, layer: tree.nodes[node].pointee.layer,
        isVisible: false))
    tree.drawChildren(of: node, on: canvas)
  }
}

extension View {
  /// Rests the cursor at the view while it has the focus.
  @ViewBuilder func cursorRests(_ isFocused: Bool) -> some View {
    if isFocused { ElementView(element: CursorRestElement(), content: self) } else { self }
  }

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
