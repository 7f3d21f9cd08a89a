/// What a node of the tree does: how large it is, where its children go, what it draws.
///
/// Views that are drawn or that lay others out become elements; a frame is measured, then placed,
/// then drawn, each by walking the tree once.
@MainActor
protocol Element {
  /// The size that the node takes when it is offered `proposal`.
  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size

  /// Gives each child that is shown a place in `rect` by `tree.place`.
  /// - Parameter proposal: The offer that the node was measured with to get its size.
  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree)

  /// Draws the node and, by `tree.drawChildren`, its children.
  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas)

  /// What a stack asks each child: how long it is along the axis with nothing, with no wish and with
  /// everything on offer. `nil` where only measuring tells; an element that knows saves time.
  func extents(along axis: Axis, across: Int) -> Extents?

  /// How soon the parent stack serves this node; higher first.
  var priority: Double { get }

  /// What elements above or below this one have to know of it.
  var role: ElementRole { get }
}

/// Elements that others treat in their own way.
enum ElementRole {
  /// Lays its children out along the axis, which spacers and dividers in it follow.
  case stack(Axis)
  /// A line along the axis, which a border around it joins.
  case divider(Axis)
  case other
}

/// The least, the best and the most that a view can do with along an axis.
struct Extents {
  var least: Int
  var ideal: Int
  var most: Int
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
