/// The behaviour of a node in the tree: how large it is, where its children go, what it draws.
///
/// Views that draw or lay out other views become elements. A frame is measured, then placed, then
/// drawn, each in one pass over the tree.
@MainActor
protocol Element {
  /// Returns the size the node takes when offered `proposal`.
  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size

  /// Assigns each visible child its place in `rect` by calling `tree.place`.
  /// - Parameter proposal: The proposal with which the node was measured.
  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree)

  /// Draws the node, and its children by calling `tree.drawChildren`.
  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas)

  /// Returns the node's minimum, ideal and maximum length along an axis, as a stack needs to know
  /// of each child; `nil` if this requires measuring. Elements that know it save time.
  func extents(along axis: Axis, across: Int) -> Extents?

  /// The priority with which the parent stack gives the node space; higher comes first.
  var priority: Double { get }

  /// The kind of element, for ancestors and descendants that treat some kinds specially.
  var role: ElementRole { get }
}

/// The kinds of elements that others treat specially.
enum ElementRole {
  /// Lays out its children along the axis, which its spacers and dividers follow.
  case stack(Axis)
  /// A line along the axis, which an enclosing border joins.
  case divider(Axis)
  case other
}

/// The minimum, ideal and maximum length of a view along an axis.
struct Extents {
  var minimum: Int
  var ideal: Int
  var maximum: Int
}

extension Element {
  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    tree.measureChild(of: node, proposal)
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    tree.forEachChild(of: node) { tree.place($0, in: rect, proposal: proposal) }
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    tree.drawChildren(of: node, on: canvas)
  }

  func extents(along axis: Axis, across: Int) -> Extents? { nil }

  var priority: Double { 0 }

  var role: ElementRole { .other }
}
