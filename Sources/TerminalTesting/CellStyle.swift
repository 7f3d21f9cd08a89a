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

  /// The colour of the text.
  public var foreground = Color.standard
  /// The colour of the ground.
  public var background = Color.standard
  /// The colour of the line under the text (SGR 58); `standard` is that of the text.
  public var underlineColor = Color.standard
  /// The line under the text.
  public var underline = Underline.none
  /// SGR 1.
  public var isBold = false
  /// SGR 2.
  public var isDim = false
  /// SGR 3.
  public var isItalic = false
  /// SGR 5.
  public var isBlinking = false
  /// SGR 7.
  public var isReversed = false
  /// SGR 8.
  public var isHidden = false
  /// SGR 9.
  public var isStruck = false
  /// The address that the cell links to (OSC 8).
  public var hyperlink: String?

  /// No attributes, as after SGR 0.
  public init() {}
}
