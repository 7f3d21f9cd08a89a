/// Something that answers to keys.
struct Responder {
  enum Kind {
    /// Holds a place in the order for views that are built later.
    case marker
    case command(Command)
    case field(FieldResponder)
    case keys(KeyResponder)
  }
  let kind: Kind
  let layer: Int
  /// The node that it belongs to: it answers only when that is shown.
  let owner: NodeID
  var next: Int = -1
}

/// A text field that has the focus.
struct FieldResponder {
  /// What is in it; `nil` where keys go to a view that only passes them on.
  var input: TextInput?
  /// Whether the field has a use for a key.
  let takes: @MainActor (KeyPress) -> Bool
  /// Takes an event; `false` when the field has no use for it.
  let handle: @MainActor (Event) -> Bool
}

/// A view with keys of its own, such as a list.
struct KeyResponder {
  /// Whether it may take keys that commands also use, because no command does.
  enum Rank {
    /// Asked in its place among the commands.
    case primary
    /// Asked when no command takes the key.
    case fallback
  }
  /// Takes a key; `false` when the view has no use for it.
  let handle: @MainActor (KeyPress, Rank) -> Bool
}

/// A rectangle that answers to the mouse.
struct HitRegion {
  enum Action {
    /// A press of the left button; the point is counted from the region's top left.
    case tap(@MainActor (Point) -> Void)
    /// The mouse moves with the left button held since it was pressed in the region; the point is
    /// counted from the region's top left and may lie outside. With it comes how far down in its cell
    /// the mouse is, from 0 up to 1.
    case drag(@MainActor (Point, Double) -> Void)
    /// A turn of the wheel: rows down, negative when up.
    case scroll(@MainActor (Int) -> Void)
  }
  let rect: Rect
  /// The part of it that is to be seen.
  let visible: Rect
  let layer: Int
  let action: Action
}
