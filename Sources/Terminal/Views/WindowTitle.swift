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
    tree.sheetPathRoot = title
    content.build(in: tree)
  }
}

extension View {
  /// Sets the name of the place that sheets in the view are opened from, such as `Profile`. When
  /// one sheet replaces another, its title is a path that starts with this name.
  public func sheetPathRoot(_ title: String) -> some View {
    SheetRootView(content: self, title: title)
  }

  /// Sets the title of the terminal window while the view is shown; the innermost one wins.
  public func windowTitle(_ title: String) -> some View {
    WindowTitleView(content: self, title: title.sanitized)
  }
}
