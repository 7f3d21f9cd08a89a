/// One of the sheets of glass that make a frame: the base, or something that stands over it.
struct Layer {
  enum Kind {
    case base
    /// Everything beneath is shown but does not answer, except to global commands.
    case modal
    /// Shown over everything else without taking keys.
    case floating
  }
  /// The node that fills the screen for this layer.
  let root: NodeID
  let kind: Kind
}

/// What is inherited by views that are built later than those around them.
struct BuildContext {
  let environment: ViewEnvironment
  let layer: Int
  /// The place in the order of responders.
  let responder: Int
}

/// A wish for the hardware cursor.
struct CursorRequest {
  let point: Point
  let layer: Int
  /// Whether it is seen, or only rests there for braille displays.
  let isVisible: Bool
  /// What it looks like where it is seen.
  var shape = CursorShape.standard
}
