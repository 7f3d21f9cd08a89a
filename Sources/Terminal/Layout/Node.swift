/// The number of a node in the tree's arena.
typealias NodeID = Int

/// One node of the tree, apart from its element. Nodes are linked by their numbers; -1 stands for
/// none.
struct Node {
  /// The style that text below has where it says nothing else.
  let style: Style
  /// The layer that it belongs to.
  let layer: Int
  /// How soon the stack around serves the node.
  let priority: Double
  var firstChild: NodeID = -1
  var lastChild: NodeID = -1
  var nextSibling: NodeID = -1
  /// Where the node stands on the screen.
  var rect = Rect.zero
  /// Whether the node has been given a place in this frame.
  var isPlaced = false
  /// What the stack around gives the node.
  var share = StackShare()
  /// The proposal that the node, a stack, has divided among its children last.
  var dividedProposal: Proposal?
  /// The sizes already computed.
  var sizes = SizeCache()
}
