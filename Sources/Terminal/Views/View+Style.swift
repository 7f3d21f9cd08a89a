/// A view that changes the style of the text in its content.
struct StyledView<Content: View>: PrimitiveView {
  let content: Content
  let change: StyleChange

  func build(in tree: ViewTree) {
    var style = tree.environment.style
    change.apply(to: &style, in: tree)
    tree.withEnvironment({ $0.style = style }) {
      content.build(in: tree)
    }
  }
}

extension View {
  /// Colours the text in the view by its meaning.
  public func foreground(_ role: ThemeRole) -> some View {
    StyledView(content: self, change: StyleChange(foreground: .role(role)))
  }

  /// Colours the text in the view.
  public func foreground(_ color: Color) -> some View {
    StyledView(content: self, change: StyleChange(foreground: .color(color)))
  }

  /// Fills the view's rectangle with the background of a role, and gives text a colour that is
  /// readable on it.
  public func background(_ role: ThemeRole) -> some View {
    StyledView(
      content: ElementView(element: BackgroundElement(), content: self),
      change: StyleChange(background: .role(role)))
  }

  /// Fills the view's rectangle with a colour.
  public func background(_ color: Color) -> some View {
    StyledView(
      content: ElementView(element: BackgroundElement(), content: self),
      change: StyleChange(background: .color(color)))
  }

  /// Makes the text bold.
  public func bold() -> some View { attributed(.bold) }
  /// Makes the text fainter with the terminal's dim attribute; see also the role `dim`.
  public func dim() -> some View { attributed(.dim) }
  /// Makes the text italic.
  public func italic() -> some View { attributed(.italic) }
  /// Underlines the text.
  /// - Parameters:
  ///   - style: The shape of the line, in terminals that support shapes.
  ///   - color: The role whose colour the line has; `nil` for that of the text.
  public func underline(
    _ style: UnderlineStyle = .single, color: ThemeRole? = nil
  ) -> some View {
    StyledView(
      content: self, change: .underline(style, color.map(StyleChange.Paint.role)))
  }
  /// Links the text in the view to an address and underlines it. Passing `nil` changes nothing.
  public func link(_ link: Hyperlink?) -> some View {
    StyledView(content: self, change: .link(link))
  }
  /// Swaps the text and background colours.
  public func reverse() -> some View { attributed(.reverse) }
  /// Strikes the text through.
  public func strike() -> some View { attributed(.strike) }
  /// Makes the text blink. Reserved for an active alert.
  public func blink() -> some View { attributed(.blink) }

  private func attributed(_ attributes: TextAttributes) -> some View {
    StyledView(content: self, change: StyleChange(attributes: attributes))
  }

  /// Sets the maximum number of lines for each text in the view; `nil` for no limit.
  public func lineLimit(_ limit: Int?) -> some View {
    EnvironmentView(content: self) { $0.lineLimit = limit.map { max(1, $0) } }
  }

  /// Sets which end of a text is cut off if it is too long.
  public func truncation(_ truncation: Truncation) -> some View {
    EnvironmentView(content: self) { $0.truncation = truncation }
  }

  /// Sets the alignment of lines within each text in the view.
  public func multilineTextAlignment(_ alignment: HorizontalAlignment) -> some View {
    EnvironmentView(content: self) { $0.textAlignment = alignment }
  }
}

/// Fills its rectangle with the background of its style.
struct BackgroundElement: Element {
  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    canvas.fill(tree.rect(of: node), style: tree.style(of: node))
    tree.drawChildren(of: node, on: canvas)
  }
}
