/// What a modifier changes in the style that it inherits.
struct StyleChange: Hashable, Sendable {
  enum Paint: Hashable, Sendable {
    case role(ThemeRole)
    case color(Color)
  }
  var foreground: Paint?
  var background: Paint?
  var attributes: TextAttributes = []
  var underlineStyle: UnderlineStyle?
  var underlineColor: Paint?
  var link: Hyperlink?

  /// - Parameter tree: Has the theme, numbers the links, and says whether text may blink.
  @MainActor
  func apply(to style: inout Style, in tree: ViewTree) {
    let theme = tree.theme
    switch background {
    case .role(let role):
      let filled = theme.filled(role)
      style.background = filled.background
      if filled.foreground != .standard { style.foreground = filled.foreground }
      style.attributes.formUnion(filled.attributes)
    case .color(let color): style.background = color
    case nil: break
    }
    switch foreground {
    case .role(let role):
      style.foreground = theme[role].foreground
      style.attributes.formUnion(theme[role].attributes)
    case .color(let color): style.foreground = color
    case nil: break
    }
    switch underlineColor {
    case .role(let role): style.underlineColor = theme[role].foreground
    case .color(let color): style.underlineColor = color
    case nil: break
    }
    if let underlineStyle { style.underlineStyle = underlineStyle }
    if let link { style.link = tree.links.id(for: link) }
    style.attributes.formUnion(attributes)
    if tree.environment.reducesMotion { style.attributes.remove(.blink) }
  }

  /// This change followed by another one.
  func merged(with later: StyleChange) -> StyleChange {
    StyleChange(
      foreground: later.foreground ?? foreground, background: later.background ?? background,
      attributes: attributes.union(later.attributes),
      underlineStyle: later.underlineStyle ?? underlineStyle,
      underlineColor: later.underlineColor ?? underlineColor, link: later.link ?? link)
  }
}

extension StyleChange {
  /// A line under the text.
  static func underline(_ style: UnderlineStyle, _ color: Paint?) -> StyleChange {
    StyleChange(attributes: .underline, underlineStyle: style, underlineColor: color)
  }

  /// Text that leads somewhere, which is to be seen where links cannot be pointed at, too.
  static func link(_ link: Hyperlink?) -> StyleChange {
    link.map { StyleChange(attributes: .underline, link: $0) } ?? StyleChange()
  }
}
