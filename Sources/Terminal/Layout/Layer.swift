/// One of the sheets of glass that make a frame: the base, or something that stands over it.
struct Layer {
  enum Kind {
    case base
    /// Everything beneath is shown greyed and does not answer, except to global commands.
    case modal
    /// As modal, but what is beneath is not greyed.
    case docked
    /// Shown over everything else without taking keys.
    case floating

    /// Whether keys go to the layer and no further.
    var takesKeys: Bool { self == .modal || self == .docked }
  }
  /// The node that fills the screen for this layer.
  let root: NodeID
  let kind: Kind
  /// The title of a sheet. A sheet over another one is shown in its place, and its title begins with
  /// that of the other.
  var title: String?
}

/// Where in the tree views are built, and what they inherit there; kept for views that are built
/// later than those around them.
struct BuildPlace {
  var parent: NodeID = -1
  var environment = ViewEnvironment()
  var layer = 0
  /// The place in the order of responders.
  var responder = 0
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
