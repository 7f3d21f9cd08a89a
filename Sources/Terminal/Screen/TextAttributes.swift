/// What a terminal can do to text beside colouring it.
public struct TextAttributes: OptionSet, Hashable, Sendable {
  /// One bit for each attribute.
  public let rawValue: UInt8

  /// The attributes of these bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Heavier (SGR 1).
  public static let bold = TextAttributes(rawValue: 1)
  /// Fainter (SGR 2).
  public static let dim = TextAttributes(rawValue: 2)
  /// Slanted (SGR 3).
  public static let italic = TextAttributes(rawValue: 4)
  /// A line under the text (SGR 4); see ``UnderlineStyle``.
  public static let underline = TextAttributes(rawValue: 8)
  /// Blinking (SGR 5).
  public static let blink = TextAttributes(rawValue: 16)
  /// Colours exchanged (SGR 7).
  public static let reverse = TextAttributes(rawValue: 32)
  /// A line through the text (SGR 9).
  public static let strike = TextAttributes(rawValue: 64)

  /// Those that show on a blank cell too, so that a blank may not be drawn by erasing.
  static let visibleOnBlank: TextAttributes = [.underline, .reverse, .strike, .blink]
}
