/// A mouse action and its position.
public struct MouseEvent: Hashable, Sendable {
  /// A button of the mouse.
  public enum Button: Hashable, Sendable {
    case left, middle, right
  }

  /// The kind of a mouse action.
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

  /// The kind of action.
  public var kind: Kind
  /// The cell under the mouse, counted from 0 at the top left.
  public var position: Point
  /// The vertical position within the cell, from 0 up to 1; 0.5 if the terminal doesn't report
  /// pixels.
  public var rowFraction: Double
  /// The modifier keys held at the same time.
  public var modifiers: Modifiers

  /// Creates a mouse event.
  public init(
    _ kind: Kind, at position: Point, rowFraction: Double = 0.5, modifiers: Modifiers = []
  ) {
    self.kind = kind
    self.position = position
    self.rowFraction = rowFraction
    self.modifiers = modifiers
  }
}
