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
