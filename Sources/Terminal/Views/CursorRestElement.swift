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
}
