/// The appearance of a cell apart from its glyph.
public struct Style: Hashable, Sendable {
  /// The colour of the text.
  public var foreground: Color
  /// The colour behind the text.
  public var background: Color
  /// The attributes of the text, such as bold.
  public var attributes: TextAttributes
  /// The shape of the underline, if `attributes` includes one.
  public var underlineStyle: UnderlineStyle
  /// The colour of the underline; `standard` means the colour of the text.
  public var underlineColor: Color
  /// The number of the link's address in the frame's ``LinkTable``.
  var link: LinkTable.ID = .none

  /// Creates a style, by default with the terminal's colours and no attributes.
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

  /// The terminal's default colours without attributes.
  public static let plain = Style()

  /// Returns the style that a terminal with this depth and these features shows instead. Styles
  /// that look the same there are equal.
  func reduced(to depth: ColorDepth, features: ScreenFeatures) -> Style {
    var style = Style(
      foreground: foreground.reduced(to: depth), background: background.reduced(to: depth),
      attributes: attributes)
    // Many terminals show bold as the bright variant of a colour, which turns black into grey.
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

/// Text attributes other than colours.
public struct TextAttributes: OptionSet, Hashable, Sendable {
  /// One bit for each attribute.
  public let rawValue: UInt8

  /// Creates a set of attributes from its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Bold (SGR 1).
  public static let bold = TextAttributes(rawValue: 1)
  /// Faint (SGR 2).
  public static let dim = TextAttributes(rawValue: 2)
  /// Italic (SGR 3).
  public static let italic = TextAttributes(rawValue: 4)
  /// Underlined (SGR 4); see ``UnderlineStyle``.
  public static let underline = TextAttributes(rawValue: 8)
  /// Blinking (SGR 5).
  public static let blink = TextAttributes(rawValue: 16)
  /// Swapped text and background colours (SGR 7).
  public static let reverse = TextAttributes(rawValue: 32)
  /// Struck through (SGR 9).
  public static let strike = TextAttributes(rawValue: 64)

  /// The attributes that are visible on a blank cell, which therefore can't be drawn by erasing.
  static let visibleOnBlank: TextAttributes = [.underline, .reverse, .strike, .blink]
}

/// The shape of an underline.
public enum UnderlineStyle: UInt8, Hashable, Sendable, CaseIterable {
  /// One line, which every terminal supports; the others fall back to it.
  case single = 1
  /// Two lines.
  case double
  /// A wave, as under a misspelt word.
  case curly
  /// Dots.
  case dotted
  /// Dashes.
  case dashed
}
