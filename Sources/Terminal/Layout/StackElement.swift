/// Lays children out in a row or a column.
///
/// Every child first gets what it likes best; what is left goes to those that can grow, so that
/// they become equally long. Where there is too little, the longest give way first. Children of
/// higher priority are served before others, which keep what they cannot do without; spacers come
/// last.
struct StackElement: Element {
  enum CrossAlignment {
    case leading, center, trailing
  }

  let axis: Axis
  let spacing: Int
  let alignment: CrossAlignment

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    let children = children(proposal, node: node, in: tree)
    var along = max(0, children.count - 1) * spacing
    var across = 0
    for child in children {
      along += child.size.along(axis)
      across = max(across, child.size.across(axis))
    }
    return Size(axis, along: min(along, Proposal.infinite), across: across)
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    var position = 0
    for child in children(proposal, node: node, in: tree) {
      let space = rect.size.across(axis)
      let across = child.size.across(axis)
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
      tree.place(child.id, in: Rect(origin: origin, size: child.size), proposal: child.proposal)
      position += child.size.along(axis) + spacing
    }
  }

  private struct Child {
    let id: NodeID
    var priority = 0.0
    /// What the child can do with: the least, what it likes best, the most.
    var least = 0
    var ideal = 0
    var most = 0
    var proposal = Proposal()
    var size = Size.zero
  }

  /// The children in their order, with the size that each takes and the offer that led to it.
  private func children(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> [Child] {
    var children: [Child] = []
    tree.forEachChild(of: node) { children.append(Child(id: $0)) }
    let offered = proposal.along(axis)
    let across = proposal.across(axis)
    guard Proposal.isDefinite(offered), children.count > 1 else {
      for index in children.indices { serve(&children[index], offered, across, tree) }
      return children
    }
    for index in children.indices {
      let id = children[index].id
      func extent(_ along: Int) -> Int {
        tree.measure(id, Proposal(axis, along: along, across: across)).along(axis)
      }
      children[index].priority = tree.nodes[id].element.priority
      children[index].least = extent(0)
      children[index].most = max(children[index].least, extent(Proposal.infinite))
      children[index].ideal = min(
        children[index].most, max(children[index].least, extent(Proposal.ideal)))
    }
    var rest = max(0, offered - spacing * (children.count - 1))
    var left = Array(children.indices)
    while let priority = left.lazy.map({ children[$0].priority }).max() {
      let group = left.filter { children[$0].priority == priority }
      left.removeAll { children[$0].priority == priority }
      let reserved = left.reduce(0) { $0 + children[$1].least }
      serve(group, of: &children, extent: max(0, rest - reserved), across: across, in: tree)
      rest = max(0, rest - group.reduce(0) { $0 + children[$1].size.along(axis) })
    }
    return children
  }

  /// Divides an extent among children of one priority.
  private func serve(
    _ group: [Int], of children: inout [Child], extent: Int, across: Int, in tree: ViewTree
  ) {
    let wanted = group.reduce(0) { $0 + children[$1].ideal }
    let canGrow = wanted <= extent
    let bounds = { (child: Child) in
      canGrow ? child.ideal...child.most : child.least...child.ideal
    }
    let level = level(of: group.map { bounds(children[$0]) }, extent: extent)
    // Those that the level does not reach, or does not hold down, are settled; the others share
    // what these really leave.
    var open: [Int] = []
    var rest = extent
    for index in group {
      let range = bounds(children[index])
      guard range.upperBound <= level || range.lowerBound > level else {
        open.append(index)
        continue
      }
      let along = range.upperBound <= level ? range.upperBound : range.lowerBound
      serve(&children[index], along, across, tree)
      rest -= children[index].size.along(axis)
    }
    for (served, index) in open.enumerated() {
      let range = bounds(children[index])
      let share = max(0, rest) / (open.count - served)
      let along = min(range.upperBound, max(range.lowerBound, share))
      serve(&children[index], along, across, tree)
      rest -= children[index].size.along(axis)
    }
  }

  /// The greatest extent that all may reach, each within its bounds, without the sum going beyond.
  private func level(of bounds: [ClosedRange<Int>], extent: Int) -> Int {
    var low = 0
    var high = extent
    while low < high {
      let middle = (low + high + 1) / 2
      let sum = bounds.reduce(0) { $0 + min($1.upperBound, max($1.lowerBound, middle)) }
      if sum <= extent { low = middle } else { high = middle - 1 }
    }
    return low
  }

  private func serve(_ child: inout Child, _ along: Int, _ across: Int, _ tree: ViewTree) {
    child.proposal = Proposal(axis, along: along, across: across)
    child.size = tree.measure(child.id, child.proposal)
  }
}
