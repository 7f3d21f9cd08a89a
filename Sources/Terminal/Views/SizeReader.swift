/// Takes all the space offered and builds its content for that size.
///
///     SizeReader { size in
///       if size.columns >= 120 { WideScreen() } else { NarrowScreen() }
///     }
public struct SizeReader<Content: View>: PrimitiveView {
  private let content: @MainActor (Size) -> Content

  /// - Parameter content: Builds the view for the available size.
  public init(@ViewBuilder content: @escaping @MainActor (Size) -> Content) {
    self.content = content
  }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    let context = tree.captureContext()
    tree.add(
      SizeReaderElement(context: context) { size, tree in content(size).build(in: tree) })
  }
}

struct SizeReaderElement: Element {
  let context: BuildContext
  let build: @MainActor (Size, ViewTree) -> Void

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    proposal.filled(ideal: Size(columns: 10, rows: 1))
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    tree.build(under: node, context) {
      tree.add(StackElement(axis: .vertical, spacing: 0, alignment: .leading)) {
        build(rect.size, tree)
      }
    }
    tree.forEachChild(of: node) { child in
      let offer = Proposal(rect.size)
      tree.place(
        child, in: Rect(origin: rect.origin, size: tree.measure(child, offer)), proposal: offer)
    }
  }
}
