/// Shows its content in the middle of the screen, over everything else, and takes no keys: what is
/// beneath goes on answering.
public struct FloatingPanel<Content: View>: PrimitiveView {
  private let content: Content

  public init(@ViewBuilder content: () -> Content) {
    self.content = content()
  }

  public func build(in tree: ViewTree) {
    tree.addLayer(.floating) {
      content.background(.standard)
        .frame(maxWidth: .max, maxHeight: .max, alignment: .center)
        .build(in: tree)
    }
  }
}
