/// A child's share of its stack. It is stored in the child's node, so that dividing space allocates
/// nothing.
struct StackShare {
  /// The minimum, ideal and maximum length of the child along the stack.
  var minimum = 0
  var ideal = 0
  var maximum = 0
  /// The proposal that resulted in `size`.
  var proposal = Proposal()
  var size = Size.zero

  mutating func set(_ extents: Extents) {
    minimum = extents.minimum
    maximum = max(minimum, extents.maximum)
    ideal = min(maximum, max(minimum, extents.ideal))
  }

  /// Returns the range for the child's length: from its ideal up if there is enough space,
  /// otherwise from its ideal down.
  func bounds(canGrow: Bool) -> (low: Int, high: Int) {
    canGrow ? (ideal, maximum) : (minimum, ideal)
  }
}

/// Totals over the children of one priority, and the minimum length required by those of lower
/// priority.
struct ShareTotals {
  var ideal = 0
  var maximum = 0
  var reserved = 0
}

/// Calculations for stacks over a list of siblings.
extension ViewTree {
  /// Returns the highest priority, or the highest below `limit`.
  func highestPriority(from first: NodeID, below limit: Double?) -> Double? {
    var highest: Double?
    var child = first
    while child >= 0 {
      let priority = nodes[child].pointee.priority
      let isCandidate = limit.map { priority < $0 } ?? !priority.isNaN
      if isCandidate, highest == nil || priority > highest! { highest = priority }
      child = nodes[child].pointee.nextSibling
    }
    return highest
  }

  func shares(from first: NodeID, priority: Double) -> ShareTotals {
    var sums = ShareTotals()
    var child = first
    while child >= 0 {
      if nodes[child].pointee.priority == priority {
        sums.ideal += nodes[child].pointee.share.ideal
        sums.maximum += nodes[child].pointee.share.maximum
      } else if nodes[child].pointee.priority < priority {
        sums.reserved += nodes[child].pointee.share.minimum
      }
      child = nodes[child].pointee.nextSibling
    }
    return sums
  }

  /// Returns the total length taken by the children of one priority.
  func usedLength(from first: NodeID, priority: Double, axis: Axis) -> Int {
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

  /// Returns the greatest length to which all children of one priority can be levelled, each within
  /// its bounds, without exceeding `extent` in total.
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
