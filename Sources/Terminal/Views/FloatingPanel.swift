/// Shows its content in the middle of the screen, over everything else, and takes no keys: what is
/// beneath goes on answering.
public struct FloatingPanel<Content: View>: PrimitiveView {
  private let content: Content

  /// - Parameter content: What is shown.
  public init(@ViewBuilder content: () -> Content) {
    self.content = content()
  }

  /// Adds the view to the tree of the frame.
  public func build(in tree: ViewTree) {
    tree.addLayer(.floating) {
      content.background(.standard)
        .frame(maxWidth: .max, maxHeight: .max, alignment: .center)
        .build(in: tree)
    }
  }
}
