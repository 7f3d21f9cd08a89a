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

/// A panel along the bottom of the screen, above everything else including sheets. Content below it
/// keeps its colours instead of being dimmed as it is below a sheet.
///
/// The panel is above the sheets built before it, so put it into an overlay around all of them,
/// inside a ``SizeReader`` if they are in one.
public struct DockedPanel<Content: View>: PrimitiveView {
  private let height: Int
  private let rowsBelow: Int
  private let takesKeys: Bool
  private let content: Content

  /// - Parameters:
  ///   - height: The height in rows, if the screen has that many.
  ///   - rowsBelow: The number of rows left free at the bottom, as for a ``HelpBar``.
  ///   - takesKeys: Whether keys and mouse events go to the panel. If not, the content below keeps
  ///     receiving them.
  ///   - content: The content of the panel.
  public init(
    height: Int, rowsBelow: Int = 0, takesKeys: Bool = true, @ViewBuilder content: () -> Content
  ) {
    self.height = height
    self.rowsBelow = rowsBelow
    self.takesKeys = takesKeys
    self.content = content()
  }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    tree.addLayer(takesKeys ? .docked : .floating) {
      content
        .frame(maxWidth: .max, maxHeight: .max, alignment: .topLeading)
        .frame(height: height)
        .background(.standard)
        .padding(.bottom, rowsBelow)
        .frame(maxWidth: .max, maxHeight: .max, alignment: .bottomLeading)
        .build(in: tree)
    }
  }
}
