/// The nodes of a frame, in blocks that are used again for the next frame.
///
/// A node keeps its address as long as it lives, so that nodes can be added while others are being
/// laid out, and nothing is copied or counted to look at one. The elements, which are counted, lie
/// apart from the rest, which is plain memory.
final class NodeArena {
  private struct Block {
    let nodes: UnsafeMutablePointer<Node>
    let elements: UnsafeMutablePointer<any Element>
  }

  private static let blockSize = 256

  private var blocks: [Block] = []
  /// How many nodes there are.
  private(set) var count = 0

  deinit {
    removeAll()
    for block in blocks {
      block.nodes.deallocate()
      block.elements.deallocate()
    }
  }

  /// The node with a number below `count`.
  subscript(id: NodeID) -> UnsafeMutablePointer<Node> {
    assert(id >= 0 && id < count, "There is no node \(id).")
    return blocks[id / Self.blockSize].nodes + id % Self.blockSize
  }

  /// What the node with a number below `count` does.
  func element(of id: NodeID) -> UnsafeMutablePointer<any Element> {
    assert(id >= 0 && id < count, "There is no node \(id).")
    return blocks[id / Self.blockSize].elements + id % Self.blockSize
  }

  func append(_ node: Node, element: some Element) {
    if count == blocks.count * Self.blockSize {
      blocks.append(
        Block(
          nodes: .allocate(capacity: Self.blockSize),
          elements: .allocate(capacity: Self.blockSize)))
    }
    let block = blocks[count / Self.blockSize]
    (block.nodes + count % Self.blockSize).initialize(to: node)
    (block.elements + count % Self.blockSize).initialize(to: element)
    count += 1
  }

  /// Removes all nodes and keeps their storage.
  func removeAll() {
    for (index, block) in blocks.enumerated() {
      let used = min(Self.blockSize, count - index * Self.blockSize)
      if used > 0 { block.elements.deinitialize(count: used) }
    }
    count = 0
  }
}
