/// A text that covers all of the screen except the help bar, without borders or padding, so that it
/// can be selected with the mouse and copied.
public struct FullScreenText<Content: View>: View {
  private let content: Content

  /// - Parameter content: The lines.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  /// The view's content.
  public var body: some View {
    ModalView(
      content:
        content
        .frame(maxWidth: .max, maxHeight: .max, alignment: .topLeading)
        .background(.standard))
  }
}

/// A sheet with its own background that covers all of the screen except the top line and the help
/// bar, for what nobody must overlook.
public struct FullScreenSheet<Content: View>: View {
  private let title: String
  private let rowsAbove: Int
  private let content: @MainActor (Size) -> Content

  /// - Parameters:
  ///   - title: The text in the top edge.
  ///   - rowsAbove: The number of rows at the top that stay visible.
  ///   - content: Builds the content for the available size.
  public init(
    _ title: String, rowsAbove: Int = 1,
    @ViewBuilder content: @escaping @MainActor (Size) -> Content
  ) {
    self.title = title
    self.rowsAbove = rowsAbove
    self.content = content
  }

  /// The view's content.
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
