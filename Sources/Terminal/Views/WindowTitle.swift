struct WindowTitleView<Content: View>: PrimitiveView {
  let content: Content
  let title: String

  func build(in tree: ViewTree) {
    tree.windowTitle = title
    content.build(in: tree)
  }
}

struct SheetRootView<Content: View>: PrimitiveView {
  let content: Content
  let title: String

  func build(in tree: ViewTree) {
    tree.sheetRoot = title
    content.build(in: tree)
  }
}

extension View {
  /// What the sheets of the view are opened from, as `Profile`: where one stands in the place of
  /// another, its title is a path that begins with it.
  public func sheetRoot(_ title: String) -> some View {
    SheetRootView(content: self, title: title)
  }

  /// The title of the terminal's window while the view is shown; the innermost wins.
  public func windowTitle(_ title: String) -> some View {
    WindowTitleView(content: self, title: title.sanitized)
  }
}
