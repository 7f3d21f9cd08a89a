/// A mouse action and its position.
public struct MouseEvent: Hashable, Sendable {
  /// A button of the mouse.
  public enum Button: Hashable, Sendable {
    /// A button, named by its place on a mouse for the right hand.
    case left, middle, right
  }

  /// The kind of a mouse action.
  public enum Kind: Hashable, Sendable {
    /// The button was pressed.
    case press(Button)
    /// The button was released.
    case release(Button)
    /// The mouse moved while the button was held.
    case drag(Button)
    /// The mouse moved with no button held.
    case move
    /// The wheel was turned by a step.
    case wheelUp, wheelDown
    /// The wheel was pushed sideways, or two fingers moved on a touchpad.
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

/// The unit of mouse reports, according to the terminal's answers.
struct MouseUnit {
  /// Whether reports are in pixels (mode 1016) instead of cells (mode 1006).
  var isPixels = false
  /// The size of a cell in pixels.
  private var cell: Size?

  /// Updates the unit. Answers arrive in sequence with the reports, so each report is read in the
  /// unit the terminal used, no matter when it switches.
  mutating func update(with answer: TerminalAnswer) {
    switch answer {
    case .mode(1016, let setting): isPixels = setting == 1 || setting == 3
    case .cellPixels(let width, let height): cell = Size(columns: width, rows: height)
    default: break
    }
  }

  /// Returns the event with its position in cells; `nil` if the size of a cell is unknown.
  func inCells(_ event: MouseEvent) -> MouseEvent? {
    guard isPixels else { return event }
    guard let cell else { return nil }
    let (row, rest) = event.position.row.quotientAndRemainder(dividingBy: cell.rows)
    var event = event
    event.position = Point(column: event.position.column / cell.columns, row: row)
    event.rowFraction = Double(rest) / Double(cell.rows)
    return event
  }
}
