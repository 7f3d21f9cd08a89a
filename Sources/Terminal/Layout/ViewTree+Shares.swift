/// What a stack gives a child. It is kept in the child's node, so that dividing allocates nothing.
struct StackShare {
  /// The least, the best and the most that the child can do with along the stack.
  var least = 0
  var ideal = 0
  var most = 0
  /// The offer that led to `size`.
  var proposal = Proposal()
  var size = Size.zero

  mutating func set(_ extents: Extents) {
    least = extents.least
    most = max(least, extents.most)
    ideal = min(most, max(least, extents.ideal))
  }

  /// Between what the child's extent may lie: from its best up where there is enough, else down.
  func bounds(canGrow: Bool) -> (low: Int, high: Int) {
    canGrow ? (ideal, most) : (least, ideal)
  }
}

/// The sums over the children of one priority, and what those of lower priority need at least.
struct ShareSums {
  var ideal = 0
  var most = 0
  var reserved = 0
}

/// The arithmetic of stacks over a list of siblings.
extension ViewTree {
  /// The highest priority that is lower than `limit`.
  func highestPriority(from first: NodeID, below limit: Double?) -> Double? {
    var highest: Double?
    var child = first
    while child >= 0 {
      let priority = nodes[child].pointee.priority
      let isCandidate = priority < limit ?? .greatestFiniteMagnitude
      if isCandidate, highest == nil || priority > highest! { highest = priority }
      child = nodes[child].pointee.nextSibling
    }
    return highest
  }

  func shares(from first: NodeID, priority: Double) -> ShareSums {
    var sums = ShareSums()
    var child = first
    while child >= 0 {
      if nodes[child].pointee.priority == priority {
        sums.ideal += nodes[child].pointee.share.ideal
        sums.most += nodes[child].pointee.share.most
      } else if nodes[child].pointee.priority < priority {
        sums.reserved += nodes[child].pointee.share.least
      }
      child = nodes[child].pointee.nextSibling
    }
    return sums
  }

  /// What the children of one priority took.
  func servedExtent(from first: NodeID, priority: Double, axis: Axis) -> Int {
    var sum = 0
    var child = first
    while child >= 0 {
      if nodes[child].pointee.priority == priority {
        sum += nodes[child].pointee.share.size.along(axis)
      }
      child = nodes[child].pointee.nextSibling
    }
    return sum
  }

  /// The greatest extent that all children of one priority may reach, each within its bounds,
  /// without the sum going beyond `extent`.
  func level(from first: NodeID, priority: Double, canGrow: Bool, extent: Int) -> Int {
    var low = 0
    var high = extent
    while low < high {
      let middle = (low + high + 1) / 2
      var sum = 0
      var child = first
      while child >= 0 {
        let node = nodes[child]
        if node.pointee.priority == priority {
          let bounds = node.pointee.share.bounds(canGrow: canGrow)
          sum += min(bounds.high, max(bounds.low, middle))
        }
        child = node.pointee.nextSibling
      }
      if sum <= extent { low = middle } else { high = middle - 1 }
    }
    return low
  }
}
