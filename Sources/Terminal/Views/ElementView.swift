/// A view that lays out or decorates another one: the result of most modifiers.
struct ElementView<Kind: Element, Content: View>: PrimitiveView {
  let element: Kind
  let content: Content

  // Inlined so that the type is known statically; otherwise its metadata is looked up at run time.
  @inline(__always)
  func build(in tree: ViewTree) {
    tree.addWrapping(element) { content.build(in: tree) }
  }
}

/// A view that changes the environment inherited by its content.
struct EnvironmentView<Content: View>: PrimitiveView {
  let content: Content
  let change: @MainActor (inout ViewEnvironment) -> Void

  func build(in tree: ViewTree) {
    tree.withEnvironment(change) { content.build(in: tree) }
  }
}
