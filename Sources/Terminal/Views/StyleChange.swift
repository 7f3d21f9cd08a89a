/// What a modifier changes in the style that it inherits.
struct StyleChange: Hashable, Sendable {
  enum Paint: Hashable, Sendable {
    case role(ThemeRole)
    case color(Color)
  }
  var foreground: Paint?
  var background: Paint?
  var attributes: TextAttributes = []

  func apply(to style: inout Style, theme: Theme) {
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
    style.attributes.formUnion(attributes)
  }

  /// This change followed by another one.
  func merged(with later: StyleChange) -> StyleChange {
    StyleChange(
      foreground: later.foreground ?? foreground, background: later.background ?? background,
      attributes: attributes.union(later.attributes))
  }
}
