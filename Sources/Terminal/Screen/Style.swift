/// How a cell looks apart from its glyph.
public struct Style: Hashable, Sendable {
  /// The colour of the text.
  public var foreground: Color
  /// The colour behind the text.
  public var background: Color
  /// What is done to the text beside colouring it.
  public var attributes: TextAttributes

  public init(
    foreground: Color = .standard, background: Color = .standard, attributes: TextAttributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// The terminal's own colours, plain.
  public static let plain = Style()

  /// The style that a terminal of this depth shows in place of this one.
  func reduced(to depth: ColorDepth) -> Style {
    Style(
      foreground: foreground.reduced(to: depth), background: background.reduced(to: depth),
      attributes: attributes)
  }
}
