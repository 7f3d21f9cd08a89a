/// How a cell looks apart from its glyph.
public struct Style: Hashable, Sendable {
  /// The colour of the text.
  public var foreground: Color
  /// The colour behind the text.
  public var background: Color
  /// What is done to the text beside colouring it.
  public var attributes: TextAttributes
  /// The shape of the line under the text, where `attributes` has one.
  public var underlineStyle: UnderlineStyle
  /// The colour of the line under the text; the standard colour is that of the text.
  public var underlineColor: Color
  /// The number of the address that the text leads to, in the frame's ``LinkTable``.
  var link: LinkTable.ID = .none

  /// A style; what is left out is as the terminal has it.
  public init(
    foreground: Color = .standard, background: Color = .standard, attributes: TextAttributes = [],
    underlineStyle: UnderlineStyle = .single, underlineColor: Color = .standard
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
    self.underlineStyle = underlineStyle
    self.underlineColor = underlineColor
  }

  /// The terminal's own colours, plain.
  public static let plain = Style()

  /// The style that a terminal of this depth and with these features shows in place of this one.
  /// Styles that look the same there are equal.
  func reduced(to depth: ColorDepth, features: ScreenFeatures) -> Style {
    var style = Style(
      foreground: foreground.reduced(to: depth), background: background.reduced(to: depth),
      attributes: attributes)
    // Many terminals show bold by the bright colour of the same name, so that black becomes grey.
    if depth == .ansi16, style.foreground.kind == .palette, style.foreground.paletteIndex < 8 {
      style.attributes.remove(.bold)
    }
    if attributes.contains(.underline), features.contains(.styledUnderlines) {
      style.underlineStyle = underlineStyle
      style.underlineColor = underlineColor.reduced(to: depth)
    }
    if features.contains(.hyperlinks) { style.link = link }
    return style
  }
}
