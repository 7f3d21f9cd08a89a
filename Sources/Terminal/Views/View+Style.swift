/// A view around another one that changes the style of its text.
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
  /// Colours the text in the view by what it means.
  public func foreground(_ role: ThemeRole) -> some View {
    StyledView(content: self, change: StyleChange(foreground: .role(role)))
  }

  /// Colours the text in the view.
  public func foreground(_ color: Color) -> some View {
    StyledView(content: self, change: StyleChange(foreground: .color(color)))
  }

  /// Fills the view's rectangle with the ground of a role, and colours the text so that it can be
  /// read on it.
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

  /// Draws the text heavier.
  public func bold() -> some View { attributed(.bold) }
  /// Draws the text fainter, by the terminal's attribute; see also the role `dim`.
  public func dim() -> some View { attributed(.dim) }
  /// Draws the text slanted.
  public func italic() -> some View { attributed(.italic) }
  /// Draws a line under the text.
  /// - Parameters:
  ///   - style: The shape of the line, where the terminal has shapes.
  ///   - color: The role whose colour it has; `nil` for that of the text.
  public func underline(
    _ style: UnderlineStyle = .single, color: ThemeRole? = nil
  ) -> some View {
    StyledView(
      content: self, change: .underline(style, color.map(StyleChange.Paint.role)))
  }
  /// Lets the text in the view lead to an address, with a line under it. Without a link nothing
  /// changes.
  public func link(_ link: Hyperlink?) -> some View {
    StyledView(content: self, change: .link(link))
  }
  /// Draws the text with its colours exchanged.
  public func reverse() -> some View { attributed(.reverse) }
  /// Draws a line through the text.
  public func strike() -> some View { attributed(.strike) }
  /// Lets the text blink, for an alert that is on and nothing else.
  public func blink() -> some View { attributed(.blink) }

  private func attributed(_ attributes: TextAttributes) -> some View {
    StyledView(content: self, change: StyleChange(attributes: attributes))
  }

  /// The most lines that each text in the view takes; `nil` for no limit.
  public func lineLimit(_ limit: Int?) -> some View {
    EnvironmentView(content: self) { $0.lineLimit = limit.map { max(1, $0) } }
  }

  /// Which end of a text gives way where it is too long.
  public func truncation(_ truncation: Truncation) -> some View {
    EnvironmentView(content: self) { $0.truncation = truncation }
  }

  /// How the lines of each text in the view stand to each other.
  public func multilineTextAlignment(_ alignment: HorizontalAlignment) -> some View {
    EnvironmentView(content: self) { $0.textAlignment = alignment }
  }
}

/// Fills its rectangle with its style.
struct BackgroundElement: Element {
  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    canvas.fill(tree.rect(of: node), style: tree.style(of: node))
    tree.drawChildren(of: node, on: canvas)
  }
}
