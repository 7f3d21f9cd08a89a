/// The nodes of a frame, in blocks that are reused for the next frame.
///
/// A node keeps its address while it exists, so nodes can be added while others are being laid out,
/// and accessing one involves no copying or reference counting. Elements, which are
/// reference-counted, are stored separately from the rest, which is plain memory.
final class NodeArena {
  private struct Block {
    let nodes: UnsafeMutablePointer<Node>
    let elements: UnsafeMutablePointer<ElementSlot>
  }

  /// The first block holds this many nodes, as a power of two, and each further block twice as many
  /// as the previous one. The table of blocks never grows, and finding a node is plain arithmetic.
  private static let firstBlockBits = 8
  private static let blockLimit = 32

  private let blocks = UnsafeMutablePointer<Block>.allocate(capacity: blockLimit)
  // Access is exempt from exclusivity checks; see `ViewTree.building`.
  @exclusivity(unchecked) private var blockCount = 0
  /// The number of nodes.
  @exclusivity(unchecked) private(set) var count = 0

  deinit {
    removeAll()
    for index in 0..<blockCount {
      blocks[index].nodes.deallocate()
      blocks[index].elements.deallocate()
    }
    blocks.deallocate()
  }

  /// The node with an index below `count`.
  @inline(__always)
  subscript(id: NodeID) -> UnsafeMutablePointer<Node> {
    assert(id >= 0 && id < count, "There is no node \(id).")
    let (block, offset) = Self.place(of: id)
    return blocks[block].nodes + offset
  }

  /// Returns the element of the node with an index below `count`.
  func element(of id: NodeID) -> UnsafeMutablePointer<ElementSlot> {
    assert(id >= 0 && id < count, "There is no node \(id).")
    let (block, offset) = Self.place(of: id)
    return blocks[block].elements + offset
  }

  /// - Returns: The index of the new node.
  @inline(__always)
  func append(_ node: Node, element: consuming any Element) -> NodeID {
    let id = count
    let (block, offset) = Self.place(of: id)
    if block == blockCount {
      let capacity = 1 << (Self.firstBlockBits + block)
      (blocks + block).initialize(
        to: Block(nodes: .allocate(capacity: capacity), elements: .allocate(capacity: capacity)))
      blockCount += 1
    }
    (blocks[block].nodes + offset).initialize(to: node)
    (blocks[block].elements + offset).initialize(to: ElementSlot(element))
    count = id + 1
    return id
  }

  /// Removes all nodes, keeping the storage.
  func removeAll() {
    var rest = count
    for index in 0..<blockCount {
      let used = min(1 << (Self.firstBlockBits + index), rest)
      blocks[index].elements.deinitialize(count: used)
      rest -= used
    }
    count = 0
  }

  /// Returns the block that contains a node, and the node's offset in it.
  @inline(__always)
  private static func place(of id: NodeID) -> (block: Int, offset: Int) {
    let position = id + (1 << firstBlockBits)
    let power = Int.bitWidth - 1 - position.leadingZeroBitCount
    return (power - firstBlockBits, position - (1 << power))
  }
}

/// The storage of a node's element, which is called in place. A bare `any Element` behind a pointer
/// would be copied for each call.
struct ElementSlot: ~Copyable {
  private let element: any Element

  init(_ element: consuming any Element) {
    self.element = element
  }
}

@MainActor
extension ElementSlot {
  var role: ElementRole { element.role }

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    element.measure(proposal, node: node, in: tree)
  }

  func extents(along axis: Axis, across: Int) -> Extents? {
    element.extents(along: axis, across: across)
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    element.place(in: rect, proposal: proposal, node: node, tree: tree)
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    element.draw(node: node, in: tree, on: canvas)
  }
}

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
