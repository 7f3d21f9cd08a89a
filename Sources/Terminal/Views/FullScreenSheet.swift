/// A sheet over the whole screen but for the line at the top and that of the keys, on a ground of its
/// own: for what nobody may overlook.
public struct FullScreenSheet<Content: View>: View {
  private let title: String
  private let rowsAbove: Int
  private let content: @MainActor (Size) -> Content

  /// - Parameters:
  ///   - title: The text in the top edge.
  ///   - rowsAbove: The rows at the top that stay in sight.
  ///   - content: Makes what is shown for the size that there is.
  public init(
    _ title: String, rowsAbove: Int = 1,
    @ViewBuilder content: @escaping @MainActor (Size) -> Content
  ) {
    self.title = title
    self.rowsAbove = rowsAbove
    self.content = content
  }

  /// What the view is made of.
  public var body: some View {
    ModalView(
      content: SizeReader(content: content)
        .padding(.horizontal, 1)
        .frame(maxWidth: .max, maxHeight: .max, alignment: .topLeading)
        .border(title: title, role: .alarm)
        .background(.alarm)
        .padding(.top, rowsAbove))
  }
}
