/// Lays out children in a row or a column.
///
/// Every child first gets its ideal length; the rest goes to the children that can grow, making
/// them equally long. If there is too little space, the longest shrink first. Children of a higher
/// priority are served before the others, which keep their minimum; spacers come last.
struct StackElement: Element {
  enum CrossAlignment {
    case leading, center, trailing
  }

  let axis: Axis
  let spacing: Int
  let alignment: CrossAlignment

  var role: ElementRole { .stack(axis) }

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    divide(proposal, node: node, in: tree)
    var along = -spacing
    var across = 0
    var child = tree.nodes[node].pointee.firstChild
    guard child >= 0 else { return .zero }
    while child >= 0 {
      let node = tree.nodes[child]
      let size = node.pointee.share.size
      along += size.along(axis) + spacing
      across = max(across, size.across(axis))
      child = node.pointee.nextSibling
    }
    return Size(axis, along: min(along, Proposal.infinite), across: across)
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    divide(proposal, node: node, in: tree)
    let space = rect.size.across(axis)
    var position = 0
    var child = tree.nodes[node].pointee.firstChild
    while child >= 0 {
      let node = tree.nodes[child]
      let share = node.pointee.share
      let across = share.size.across(axis)
      let indent =
        switch alignment {
        case .leading: 0
        case .center: (space - across) / 2
        case .trailing: space - across
        }
      let origin =
        axis == .horizontal
        ? rect.origin.offset(columns: position, rows: indent)
        : rect.origin.offset(columns: indent, rows: position)
      tree.place(child, in: Rect(origin: origin, size: share.size), proposal: share.proposal)
      position += share.size.along(axis) + spacing
      child = node.pointee.nextSibling
    }
  }

  /// Assigns each child its share of a proposal.
  private func divide(_ proposal: Proposal, node: NodeID, in tree: ViewTree) {
    guard tree.nodes[node].pointee.dividedProposal != proposal else { return }
    let offered = proposal.along(axis)
    let across = proposal.across(axis)
    let first = tree.nodes[node].pointee.firstChild
    if Proposal.isDefinite(offered), first != tree.nodes[node].pointee.lastChild {
      let bounds = findBounds(from: first, across: across, in: tree)
      if bounds.needed <= offered, bounds.otherCount <= 1 {
        serveFully(bounds, from: first, offered, across, tree)
      } else {
        serveAll(from: first, extent: offered, across: across, in: tree)
      }
    } else {
      var child = first
      while child >= 0 {
        serve(child, offered, across, tree)
        child = tree.nodes[child].pointee.nextSibling
      }
    }
    tree.nodes[node].pointee.dividedProposal = proposal
  }

  /// What the children of a stack need.
  private struct Bounds {
    /// The highest priority.
    var priority: Double
    /// The length with which the children of that priority have their maximum and the others their minimum,
    /// spacing included.
    var needed: Int
    /// The number of children of lower priorities.
    var otherCount = 0
  }

  /// Determines the minimum, ideal and maximum length of each child.
  private func findBounds(from first: NodeID, across: Int, in tree: ViewTree) -> Bounds {
    var bounds = Bounds(priority: tree.nodes[first].pointee.priority, needed: -spacing)
    var minimum = -spacing
    var count = 0
    var child = first
    while child >= 0 {
      let node = tree.nodes[child]
      let known = tree.nodes.element(of: child).pointee.extents(along: axis, across: across)
      node.pointee.share.set(known ?? measureExtents(of: child, across: across, in: tree))
      if node.pointee.priority > bounds.priority {
        // What came before is of a lower priority.
        bounds = Bounds(priority: node.pointee.priority, needed: minimum, otherCount: count)
      }
      let isFirst = node.pointee.priority == bounds.priority
      bounds.needed += (isFirst ? node.pointee.share.maximum : node.pointee.share.minimum) + spacing
      if !isFirst { bounds.otherCount += 1 }
      minimum += node.pointee.share.minimum + spacing
      count += 1
      child = node.pointee.nextSibling
    }
    return bounds
  }

  private func measureExtents(of child: NodeID, across: Int, in tree: ViewTree) -> Extents {
    func measure(_ along: Int) -> Int {
      tree.measure(child, Proposal(axis, along: along, across: across)).along(axis)
    }
    return Extents(
      minimum: measure(0), ideal: measure(Proposal.ideal), maximum: measure(Proposal.infinite))
  }

  /// Gives the children of the highest priority their maximum, and the other one, if there is one, the
  /// rest: most stacks have children that don't grow, space for all, and at most one spacer.
  private func serveFully(
    _ bounds: Bounds, from first: NodeID, _ offered: Int, _ across: Int, _ tree: ViewTree
  ) {
    var rest = offered + spacing
    var other: NodeID = -1
    var child = first
    while child >= 0 {
      let node = tree.nodes[child]
      if node.pointee.priority == bounds.priority {
        serve(child, node.pointee.share.maximum, across, tree)
        rest -= node.pointee.share.size.along(axis)
      } else {
        other = child
      }
      rest -= spacing
      child = node.pointee.nextSibling
    }
    guard other >= 0 else { return }
    let share = tree.nodes[other].pointee.share
    serve(other, max(share.minimum, min(share.maximum, max(0, rest))), across, tree)
  }

  /// Serves the children in descending order of priority.
  private func serveAll(from first: NodeID, extent: Int, across: Int, in tree: ViewTree) {
    var rest = extent
    var child = tree.nodes[first].pointee.nextSibling
    while child >= 0 {
      rest -= spacing
      child = tree.nodes[child].pointee.nextSibling
    }
    var above: Double?
    while let priority = tree.highestPriority(from: first, below: above) {
      let group = tree.shares(from: first, priority: priority)
      serve(
        group, from: first, priority: priority, extent: max(0, rest - group.reserved),
        across: across, in: tree)
      rest -= tree.usedLength(from: first, priority: priority, axis: axis)
      above = priority
    }
  }

  /// Divides a length among the children of one priority.
  private func serve(
    _ group: ShareTotals, from first: NodeID, priority: Double, extent: Int, across: Int,
    in tree: ViewTree
  ) {
    let canGrow = group.ideal <= extent
    let level =
      group.maximum <= extent
      ? extent
      : tree.level(from: first, priority: priority, canGrow: canGrow, extent: extent)
    // Children whose bounds lie outside the level are settled first; the others share what these
    // actually leave.
    var rest = extent
    var openCount = 0
    var child = first
    while child >= 0 {
      let node = tree.nodes[child]
      if node.pointee.priority == priority {
        let (low, high) = node.pointee.share.bounds(canGrow: canGrow)
        if high <= level || low > level {
          serve(child, high <= level ? high : low, across, tree)
          rest -= tree.nodes[child].pointee.share.size.along(axis)
        } else {
          openCount += 1
        }
      }
      child = node.pointee.nextSibling
    }
    child = first
    while openCount > 0, child >= 0 {
      let node = tree.nodes[child]
      if node.pointee.priority == priority {
        let (low, high) = node.pointee.share.bounds(canGrow: canGrow)
        if high > level, low <= level {
          serve(child, min(high, max(low, max(0, rest) / openCount)), across, tree)
          rest -= tree.nodes[child].pointee.share.size.along(axis)
          openCount -= 1
        }
      }
      child = node.pointee.nextSibling
    }
  }

  private func serve(_ child: NodeID, _ along: Int, _ across: Int, _ tree: ViewTree) {
    let proposal = Proposal(axis, along: along, across: across)
    let node = tree.nodes[child]
    node.pointee.share.size = tree.measure(child, proposal)
    node.pointee.share.proposal = proposal
  }
}

/// Places children on top of each other, the first at the bottom.
struct LayeredElement: Element {
  let alignment: Alignment

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    var size = Size.zero
    tree.forEachChild(of: node) { child in
      let own = tree.measure(child, proposal)
      size = Size(columns: max(size.columns, own.columns), rows: max(size.rows, own.rows))
    }
    return size
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    tree.forEachChild(of: node) { child in
      let size = tree.measure(child, proposal)
      tree.place(child, in: alignment.place(size, in: rect), proposal: proposal)
    }
  }
}
