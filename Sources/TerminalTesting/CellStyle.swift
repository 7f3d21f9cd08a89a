/// The attributes of a cell as a terminal shows them.
public struct CellStyle: Hashable, Sendable {
  /// A colour that SGR can set.
  public enum Color: Hashable, Sendable {
    /// The terminal's default foreground or background.
    case standard
    /// An entry of the palette, 0 to 255.
    case palette(UInt8)
    /// A colour by its components.
    case rgb(UInt8, UInt8, UInt8)
  }

  /// The shape of the underline (`SGR 4:n`).
  public enum Underline: UInt8, Hashable, Sendable {
    case none, single, double, curly, dotted, dashed
  }

  /// The text colour.
  public var foreground = Color.standard
  /// The background colour.
  public var background = Color.standard
  /// The underline colour (SGR 58); `standard` means the text colour.
  public var underlineColor = Color.standard
  /// The shape of the underline.
  public var underline = Underline.none
  /// Bold (SGR 1).
  public var isBold = false
  /// Faint (SGR 2).
  public var isDim = false
  /// Italic (SGR 3).
  public var isItalic = false
  /// Blinking (SGR 5).
  public var isBlinking = false
  /// Reversed (SGR 7).
  public var isReversed = false
  /// Hidden (SGR 8).
  public var isHidden = false
  /// Struck through (SGR 9).
  public var isStruck = false
  /// The address that the cell links to (OSC 8), if any.
  public var hyperlink: String?

  /// Creates a style without attributes, as after SGR 0.
  public init() {}
}
