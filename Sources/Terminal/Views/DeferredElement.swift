/// Builds its child when it is first measured. In a sheet, everything below has been placed by
/// then, so all of its commands are known.
struct DeferredElement: Element {
  let context: BuildContext
  let content: @MainActor (ViewTree) -> Void

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    if tree.firstChild(of: node) == nil {
      tree.build(under: node, context) {
        tree.addWrapping(TransparentElement()) { content(tree) }
      }
    }
    guard let child = tree.firstChild(of: node) else { return .zero }
    return tree.measure(child, proposal)
  }
}

extension ViewTree {
  /// Adds a view that is built from the commands of the layer below.
  func addDeferred(_ content: @escaping @MainActor ([Command], ViewTree) -> Void) {
    let context = captureContext()
    noteDependenceOnCommands()
    add(
      DeferredElement(context: context) { tree in
        content(tree.commands(beneath: context.layer), tree)
      })
  }
}
