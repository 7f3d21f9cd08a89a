/// The nodes of a frame, in blocks that are used again for the next frame.
///
/// A node keeps its address as long as it lives, so that nodes can be added while others are being
/// laid out, and nothing is copied or counted to look at one.
final class NodeArena {
  private static let blockSize = 256

  private var blocks: [UnsafeMutablePointer<Node>] = []
  /// How many nodes there are.
  private(set) var count = 0

  deinit {
    removeAll()
    for block in blocks { block.deallocate() }
  }

  /// The node with a number below `count`.
  subscript(id: NodeID) -> UnsafeMutablePointer<Node> {
    assert(id >= 0 && id < count, "There is no node \(id).")
    return blocks[id / Self.blockSize] + id % Self.blockSize
  }

  func append(_ node: consuming Node) {
    if count == blocks.count * Self.blockSize { blocks.append(.allocate(capacity: Self.blockSize)) }
    (blocks[count / Self.blockSize] + count % Self.blockSize).initialize(to: node)
    count += 1
  }

  /// Removes all nodes and keeps their storage.
  func removeAll() {
    for block in blocks.indices {
      let used = min(Self.blockSize, count - block * Self.blockSize)
      if used > 0 { blocks[block].deinitialize(count: used) }
    }
    count = 0
  }
}
