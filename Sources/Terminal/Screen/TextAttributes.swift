/// What a terminal can do to text beside colouring it.
public struct TextAttributes: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  public static let bold = TextAttributes(rawValue: 1)
  public static let dim = TextAttributes(rawValue: 2)
  public static let italic = TextAttributes(rawValue: 4)
  public static let underline = TextAttributes(rawValue: 8)
  public static let blink = TextAttributes(rawValue: 16)
  public static let reverse = TextAttributes(rawValue: 32)
  public static let strike = TextAttributes(rawValue: 64)

  /// Those that show on a blank cell too, so that a blank may not be drawn by erasing.
  static let visibleOnBlank: TextAttributes = [.underline, .reverse, .strike, .blink]
}
