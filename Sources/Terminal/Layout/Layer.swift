/// One of the layers of a frame: the base, or something above it.
struct Layer {
  enum Kind {
    case base
    /// Everything below is dimmed and handles only global commands.
    case modal
    /// Like `modal`, but what is below isn't dimmed.
    case docked
    /// Shown above everything else without taking keys.
    case floating

    /// Whether the layer keeps keys from the layers below.
    var takesKeys: Bool { self == .modal || self == .docked }
  }
  /// The root node of the layer, which fills the screen.
  let root: NodeID
  let kind: Kind
  /// The title of a sheet. A sheet above another one replaces it, and its title begins with that of
  /// the other.
  var title: String?
}

/// A position in the tree under construction and the environment there; saved for views that are
/// built later than their surroundings.
struct BuildContext {
  var parent: NodeID = -1
  var environment = ViewEnvironment()
  var layer = 0
  /// The position in the order of responders.
  var responder = 0
}

/// A request for the position of the hardware cursor.
struct CursorRequest {
  let point: Point
  let layer: Int
  /// Whether the cursor is visible, or only there for braille displays.
  let isVisible: Bool
  /// The shape of the cursor if it is visible.
  var shape = CursorShape.standard
}
