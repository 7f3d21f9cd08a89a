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

/// The change a modifier makes to the inherited style.
struct StyleChange: Hashable, Sendable {
  enum Paint: Hashable, Sendable {
    case role(ThemeRole)
    case color(Color)
  }
  var foreground: Paint?
  var background: Paint?
  var attributes: TextAttributes = []
  /// Rarely used properties, stored separately to keep the others small.
  var decoration: Decoration?

  /// The underline of a text, and its link.
  final class Decoration: Hashable, Sendable {
    let underlineStyle: UnderlineStyle?
    let underlineColor: Paint?
    let link: Hyperlink?

    init(
      underlineStyle: UnderlineStyle? = nil, underlineColor: Paint? = nil, link: Hyperlink? = nil
    ) {
      self.underlineStyle = underlineStyle
      self.underlineColor = underlineColor
      self.link = link
    }

    static func == (left: Decoration, right: Decoration) -> Bool {
      left.underlineStyle == right.underlineStyle && left.underlineColor == right.underlineColor
        && left.link == right.link
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(underlineStyle)
      hasher.combine(underlineColor)
      hasher.combine(link)
    }
  }

  /// - Parameter tree: Provides the theme, the numbers of links, and whether text can blink.
  @MainActor
  func apply(to style: inout Style, in tree: ViewTree) {
    switch background {
    case .role(let role):
      let filled = tree.theme.filled(role)
      style.background = filled.background
      if filled.foreground != .standard { style.foreground = filled.foreground }
      style.attributes.formUnion(filled.attributes)
    case .color(let color): style.background = color
    case nil: break
    }
    switch foreground {
    case .role(let role):
      let colored = tree.theme[role]
      if !tree.theme.usesFillTextColor(on: style.background) {
        style.foreground = colored.foreground
      }
      // On reversed text, dim would apply to the background and make it stand out.
      let isReversed = style.attributes.contains(.reverse)
      style.attributes.formUnion(
        isReversed ? colored.attributes.subtracting(.dim) : colored.attributes)
    case .color(let color): style.foreground = color
    case nil: break
    }
    style.attributes.formUnion(attributes)
    if style.attributes.contains(.blink), tree.environment.reducesMotion {
      style.attributes.remove(.blink)
    }
    if let decoration { decoration.apply(to: &style, in: tree) }
  }

  /// Returns this change followed by another one.
  func merged(with later: StyleChange) -> StyleChange {
    StyleChange(
      foreground: later.foreground ?? foreground, background: later.background ?? background,
      attributes: attributes.union(later.attributes),
      decoration: Decoration.merged(decoration, with: later.decoration))
  }
}

extension StyleChange.Decoration {
  @MainActor
  fileprivate func apply(to style: inout Style, in tree: ViewTree) {
    switch underlineColor {
    case .role(let role): style.underlineColor = tree.theme[role].foreground
    case .color(let color): style.underlineColor = color
    case nil: break
    }
    if let underlineStyle { style.underlineStyle = underlineStyle }
    if let link { style.link = tree.links.id(for: link) }
  }

  fileprivate static func merged(
    _ first: StyleChange.Decoration?, with later: StyleChange.Decoration?
  ) -> StyleChange.Decoration? {
    guard let first, let later else { return later ?? first }
    return StyleChange.Decoration(
      underlineStyle: later.underlineStyle ?? first.underlineStyle,
      underlineColor: later.underlineColor ?? first.underlineColor,
      link: later.link ?? first.link)
  }
}

extension StyleChange {
  /// Returns a change that underlines text.
  static func underline(_ style: UnderlineStyle, _ color: Paint?) -> StyleChange {
    StyleChange(
      attributes: .underline,
      decoration: Decoration(underlineStyle: style, underlineColor: color))
  }

  /// Returns a change that links text to an address, underlined so that it is recognisable in
  /// terminals without clickable links.
  static func link(_ link: Hyperlink?) -> StyleChange {
    link.map { StyleChange(attributes: .underline, decoration: Decoration(link: $0)) }
      ?? StyleChange()
  }
}
