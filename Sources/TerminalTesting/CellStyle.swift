/// The attributes of a cell as a terminal shows them.
public struct CellStyle: Hashable, Sendable {
  /// A colour as SGR names it.
  public enum Color: Hashable, Sendable {
    /// The terminal's own foreground or background.
    case standard
    /// An entry of the palette, 0 to 255.
    case palette(UInt8)
    /// A colour by its components.
    case rgb(UInt8, UInt8, UInt8)
  }

  /// The shape of the line under the text (`SGR 4:n`).
  public enum Underline: UInt8, Hashable, Sendable {
    case none, single, double, curly, dotted, dashed
  }

  public var foreground = Color.standard
  public var background = Color.standard
  public var underlineColor = Color.standard
  public var underline = Underline.none
  public var isBold = false
  public var isDim = false
  public var isItalic = false
  public var isBlinking = false
  public var isReversed = false
  public var isHidden = false
  public var isStruck = false
  /// The address that the cell links to (OSC 8).
  public var hyperlink: String?

  public init() {}
}
