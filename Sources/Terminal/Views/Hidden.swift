/// Takes the space of its child without showing it.
struct HiddenElement: Element {
  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {}
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
  /// Hides the view but keeps its space. A hidden view receives no events.
  public func hidden(_ isHidden: Bool = true) -> some View {
    HiddenView(content: self, isHidden: isHidden)
  }
}
