/// Something that handles keys.
struct Responder {
  enum Kind {
    /// Reserves a position in the order for views that are built later.
    case marker
    case command(Command)
    case field(FieldResponder)
    case keys(KeyResponder)
  }
  let kind: Kind
  let layer: Int
  /// The node it belongs to. It only handles keys while the node is shown.
  let owner: NodeID
  var next: Int = -1
}

/// The text field that has the focus.
struct FieldResponder {
  /// The text of the field; `nil` for a view that only passes keys on.
  var input: TextInput?
  /// Whether the field handles a key.
  let takes: @MainActor (KeyPress) -> Bool
  /// Handles an event; returns `false` if the field has no use for it.
  let handle: @MainActor (Event) -> Bool
}

/// A view that handles keys itself, such as a list.
struct KeyResponder {
  /// The two rounds in which a view is asked to handle a key.
  enum Rank {
    /// In order, among the commands.
    case primary
    /// After no command has handled the key.
    case fallback
  }
  /// Handles a key; returns `false` if the view has no use for it.
  let handle: @MainActor (KeyPress, Rank) -> Bool
}

/// A rectangle that handles mouse events.
struct HitRegion {
  enum Action {
    /// The left button was pressed; the point is relative to the region's top left.
    case tap(@MainActor (Point) -> Void)
    /// The left button went down, or it was released or moved away.
    case hold(@MainActor (Bool) -> Void)
    /// The mouse moved with the left button held after a press in the region. The point is relative
    /// to the region's top left and can be outside; the number is the vertical position within the
    /// cell, from 0 up to 1.
    case drag(@MainActor (Point, Double) -> Void)
    /// Anything the mouse did; the position is relative to the region's top left. Returns whether it
    /// was handled.
    case any(@MainActor (MouseEvent) -> Bool)
    /// The wheel was turned: rows down, negative if up.
    case scroll(@MainActor (Int) -> Void)
    /// Handles nothing: what is in a box, which can be copied.
    case panel
  }
  let rect: Rect
  /// The visible part of the rectangle.
  let visible: Rect
  let layer: Int
  let action: Action
}
