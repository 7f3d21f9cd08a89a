/// Draws views above its first child without changing its size.
struct OverlayElement: Element {
  let alignment: Alignment

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    guard let base = tree.firstChild(of: node) else { return }
    tree.place(base, in: rect, proposal: proposal)
    var child = tree.nextSibling(of: base)
    while let overlay = child {
      let offer = Proposal(rect.size)
      let size = tree.measure(overlay, offer)
      tree.place(overlay, in: alignment.place(size, in: rect), proposal: offer)
      child = tree.nextSibling(of: overlay)
    }
  }
}

struct OverlayView<Content: View, Overlay: View>: PrimitiveView {
  let content: Content
  let overlay: Overlay
  let alignment: Alignment

  func build(in tree: ViewTree) {
    tree.add(OverlayElement(alignment: alignment)) {
      tree.addWrapping(TransparentElement()) { content.build(in: tree) }
      overlay.build(in: tree)
    }
  }
}

extension View {
  /// Draws views above this one, inside its rectangle.
  public func overlay(
    alignment: Alignment = .center, @ViewBuilder content: () -> some View
  ) -> some View {
    OverlayView(content: self, overlay: content(), alignment: alignment)
  }
}
