/// Shows its content at the centre or an edge of the screen, above everything else, without taking
/// keys: the content below keeps receiving them.
public struct FloatingPanel<Content: View>: PrimitiveView {
  private let alignment: Alignment
  private let content: Content

  /// - Parameters:
  ///   - alignment: The position on the screen.
  ///   - content: The content of the panel.
  public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
    self.alignment = alignment
    self.content = content()
  }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    tree.addLayer(.floating) {
      content.background(.standard)
        .frame(maxWidth: .max, maxHeight: .max, alignment: alignment)
        .build(in: tree)
    }
  }
}
