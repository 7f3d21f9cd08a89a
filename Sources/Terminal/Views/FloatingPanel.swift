/// Shows its content in the middle of the screen or at an edge, over everything else, and takes no keys: what is
/// beneath goes on answering.
public struct FloatingPanel<Content: View>: PrimitiveView {
  private let alignment: Alignment
  private let content: Content

  /// - Parameters:
  ///   - alignment: Where on the screen it stands.
  ///   - content: What is shown.
  public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
    self.alignment = alignment
    self.content = content()
  }

  /// Adds the view to the tree of the frame.
  public func build(in tree: ViewTree) {
    tree.addLayer(.floating) {
      content.background(.standard)
        .frame(maxWidth: .max, maxHeight: .max, alignment: alignment)
        .build(in: tree)
    }
  }
}
