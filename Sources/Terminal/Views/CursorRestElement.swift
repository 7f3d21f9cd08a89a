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
  /// Says whether the view has the focus: the cursor then rests at it, unseen, so that braille
  /// displays and magnifiers follow. Fields, buttons and lists do that by themselves.
  @ViewBuilder public func focused(_ isFocused: Bool = true) -> some View {
    if isFocused { ElementView(element: CursorRestElement(), content: self) } else { self }
  }
}
