/// Draws views over its first child, whose size they do not change.
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

/// Passes everything on to its child.
struct TransparentElement: Element {}

/// Takes the room of its child without showing it.
struct HiddenElement: Element {
  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {}
}

/// Says how soon a stack serves the child.
struct PriorityElement: Element {
  let priority: Double
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

struct HiddenView<Content: View>: PrimitiveView {
  let content: Content
  let isHidden: Bool

  func build(in tree: ViewTree) {
    guard isHidden else { return content.build(in: tree) }
    tree.addWrapping(HiddenElement()) { content.build(in: tree) }
  }
}

extension View {
  /// Draws views over this one, inside its rectangle.
  public func overlay(
    alignment: Alignment = .center, @ViewBuilder content: () -> some View
  ) -> some View {
    OverlayView(content: self, overlay: content(), alignment: alignment)
  }

  /// Keeps the view's room empty: it is not seen and answers to nothing.
  public func hidden(_ isHidden: Bool = true) -> some View {
    HiddenView(content: self, isHidden: isHidden)
  }

  /// How soon the stack around serves the view; those of higher priority take what they like
  /// before others get more than their least. Usually 0.
  public func layoutPriority(_ priority: Double) -> some View {
    ElementView(element: PriorityElement(priority: priority), content: self)
  }
}
