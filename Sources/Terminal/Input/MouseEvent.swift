/// What the mouse did, and where.
public struct MouseEvent: Hashable, Sendable {
  /// A button of the mouse.
  public enum Button: Hashable, Sendable {
    case left, middle, right
  }

  /// What happened.
  public enum Kind: Hashable, Sendable {
    case press(Button)
    case release(Button)
    /// The mouse moved while the button was held.
    case drag(Button)
    /// The mouse moved with no button held.
    case move
    case wheelUp, wheelDown
    case wheelLeft, wheelRight
  }

  /// What happened.
  public var kind: Kind
  /// The cell under the mouse, counted from 0 at the top left.
  public var position: Point
  /// How far down in that cell it is, from 0 up to 1; the middle, where the terminal does not report
  /// pixels.
  public var rowFraction: Double
  /// The keys held at the same time.
  public var modifiers: Modifiers

  /// Something that the mouse did at a cell.
  public init(
    _ kind: Kind, at position: Point, rowFraction: Double = 0.5, modifiers: Modifiers = []
  ) {
    self.kind = kind
    self.position = position
    self.rowFraction = rowFraction
    self.modifiers = modifiers
  }
}
