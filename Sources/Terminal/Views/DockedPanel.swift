/// A panel along the bottom of the screen, over everything else, sheets included. What is beneath is
/// seen as it is, not greyed as beneath a sheet.
///
/// It stands over the sheets that were met before it: put it into an overlay around all of them, in
/// a ``SizeReader`` if they are in one.
public struct DockedPanel<Content: View>: PrimitiveView {
  private let height: Int
  private let rowsBelow: Int
  private let takesKeys: Bool
  private let content: Content

  /// - Parameters:
  ///   - height: The rows that it takes where the screen has them.
  ///   - rowsBelow: The rows at the bottom that stay free, as for a ``HelpBar``.
  ///   - takesKeys: Whether the keys and the mouse go to the panel. If not, what is beneath goes on
  ///     answering.
  public init(
    height: Int, rowsBelow: Int = 0, takesKeys: Bool = true, @ViewBuilder content: () -> Content
  ) {
    self.height = height
    self.rowsBelow = rowsBelow
    self.takesKeys = takesKeys
    self.content = content()
  }

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
