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
  /// The keys held meanwhile.
  public var modifiers: Modifiers

  /// Something that the mouse did at a cell.
  public init(_ kind: Kind, at position: Point, modifiers: Modifiers = []) {
    self.kind = kind
    self.position = position
    self.modifiers = modifiers
  }
}
