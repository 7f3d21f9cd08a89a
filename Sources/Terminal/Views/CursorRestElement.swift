/// Places the invisible cursor at its first cell, for braille displays and magnifiers.
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
  /// Marks the view as focused: the invisible cursor is placed at it so that braille displays and
  /// magnifiers follow. Fields, buttons and lists do this themselves.
  @ViewBuilder public func focused(_ isFocused: Bool = true) -> some View {
    if isFocused { ElementView(element: CursorRestElement(), content: self) } else { self }
  }
}
