struct WindowTitleView<Content: View>: PrimitiveView {
  let content: Content
  let title: String

  func build(in tree: ViewTree) {
    tree.windowTitle = title
    content.build(in: tree)
  }
}

extension View {
  /// The title of the terminal's window while the view is shown; the innermost wins.
  public func windowTitle(_ title: String) -> some View {
    WindowTitleView(content: self, title: title.sanitized)
  }
}
