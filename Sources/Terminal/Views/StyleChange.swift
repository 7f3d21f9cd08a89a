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
