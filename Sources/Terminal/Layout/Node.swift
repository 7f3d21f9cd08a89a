/// The index of a node in the tree's arena.
typealias NodeID = Int

/// A node of the tree, without its element. Nodes are linked by index; -1 means none.
struct Node {
  /// The default style of text below the node.
  let style: Style
  /// The index of the layer that contains the node.
  let layer: Int
  /// The node's priority in the enclosing stack.
  let priority: Double
  var firstChild: NodeID = -1
  var lastChild: NodeID = -1
  var nextSibling: NodeID = -1
  /// The place of the node on the screen.
  var rect = Rect.zero
  /// Whether the node has been placed in this frame.
  var isPlaced = false
  /// The node's share of the enclosing stack.
  var share = StackShare()
  /// The proposal that this node, if it is a stack, last divided among its children.
  var dividedProposal: Proposal?
  /// The sizes computed so far.
  var sizes = SizeCache()
}
