/// A view around another one that lays it out or draws beside it: what most modifiers return.
struct ElementView<Kind: Element, Content: View>: PrimitiveView {
  let element: Kind
  let content: Content

  // Inlined where the type is known, which would be looked up otherwise.
  @inline(__always)
  func build(in tree: ViewTree) {
    tree.addWrapping(element) { content.build(in: tree) }
  }
}

/// A view around another one that changes what is inherited.
struct EnvironmentView<Content: View>: PrimitiveView {
  let content: Content
  let change: @MainActor (inout ViewEnvironment) -> Void

  func build(in tree: ViewTree) {
    tree.withEnvironment(change) { content.build(in: tree) }
  }
}
