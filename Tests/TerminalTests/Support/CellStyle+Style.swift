import TerminalTesting

@testable import Terminal

extension CellStyle {
  /// Creates the style that a terminal should show for a cell of a frame.
  /// - Parameter canvas: The colours painted in place of the terminal's defaults.
  init(
    _ cell: Frame.Cell, depth: ColorDepth = .trueColor, features: ScreenFeatures,
    canvas: Style = .plain
  ) {
    var style = cell.style
    if style.foreground == .standard { style.foreground = canvas.foreground }
    if style.background == .standard { style.background = canvas.background }
    self.init(style.reduced(to: depth, features: features))
    if features.contains(.hyperlinks) { hyperlink = cell.link?.address }
  }

  /// Creates the style that a terminal should show for a style of a frame.
  init(_ style: Style) {
    self.init()
    foreground = CellStyle.Color(style.foreground)
    background = CellStyle.Color(style.background)
    isBold = style.attributes.contains(.bold)
    isDim = style.attributes.contains(.dim)
    isItalic = style.attributes.contains(.italic)
    isBlinking = style.attributes.contains(.blink)
    isReversed = style.attributes.contains(.reverse)
    isStruck = style.attributes.contains(.strike)
    if style.attributes.contains(.underline) {
      underline = CellStyle.Underline(style.underlineStyle)
      underlineColor = CellStyle.Color(style.underlineColor)
    }
  }

  /// Whether a cell of a terminal looks as this style requires. The text colour, bold, dim and
  /// italic don't show on a blank.
  func looks(like cell: ScreenCell) -> Bool {
    var wanted = self
    var shown = cell.style
    if cell.text == " ", !wanted.isReversed, wanted.underline == .none, !wanted.isStruck {
      for keyPath in [\CellStyle.isBold, \.isDim, \.isItalic] {
        wanted[keyPath: keyPath] = false
        shown[keyPath: keyPath] = false
      }
      wanted.foreground = .standard
      shown.foreground = .standard
    }
    return wanted == shown
  }
}

extension CellStyle.Underline {
  init(_ style: UnderlineStyle) {
    switch style {
    case .single: self = .single
    case .double: self = .double
    case .curly: self = .curly
    case .dotted: self = .dotted
    case .dashed: self = .dashed
    }
  }
}

extension CellStyle.Color {
  init(_ color: Color) {
    switch color.kind {
    case .standard: self = .standard
    case .palette: self = .palette(color.paletteIndex)
    case .rgb: self = .rgb(color.red, color.green, color.blue)
    }
  }
}
