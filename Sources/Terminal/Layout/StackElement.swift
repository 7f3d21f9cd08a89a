/// Lays children out in a row or a column.
///
/// The least flexible child is served first with an equal share of what is left, so that text
/// keeps its width while spacers and panels take the rest.
struct StackElement: Element {
  enum CrossAlignment {
    case leading, center, trailing
  }

  let axis: Axis
  let spacing: Int
  let alignment: CrossAlignment

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    total(of: sizes(proposal, node: node, in: tree))
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    let children = sizes(proposal, node: node, in: tree)
    var position = 0
    for child in children {
      let along = child.size.along(axis)
      let across = child.size.across(axis)
      let space = rect.size.across(axis)
      let crossOffset =
        switch alignment {
        case .leading: 0
        case .center: (space - across) / 2
        case .trailing: space - across
        }
      let origin =
        axis == .horizontal
        ? rect.origin.offset(columns: position, rows: crossOffset)
        : rect.origin.offset(columns: crossOffset, rows: position)
      tree.place(child.id, in: Rect(origin: origin, size: child.size), proposal: child.proposal)
      position += along + spacing
    }
  }

  private struct Child {
    let id: NodeID
    var proposal = Proposal()
    var size = Size.zero
  }

  private func total(of children: [Child]) -> Size {
    var along = max(0, children.count - 1) * spacing
    var across = 0
    for child in children {
      along += child.size.along(axis)
      across = max(across, child.size.across(axis))
    }
    return Size(axis, along: min(along, Proposal.infinite), across: across)
  }

  /// The children in their order, with the size that each takes and the offer that led to it.
  private func sizes(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> [Child] {
    var children: [Child] = []
    tree.forEachChild(of: node) { children.append(Child(id: $0)) }
    let across = proposal.across(axis)
    let offered = proposal.along(axis)
    func serve(_ index: Int, _ along: Int) {
      children[index].proposal = Proposal(axis, along: along, across: across)
      children[index].size = tree.measure(children[index].id, children[index].proposal)
    }
    guard Proposal.isDefinite(offered), children.count > 1 else {
      for index in children.indices { serve(index, offered) }
      return children
    }

    struct Wish {
      let index: Int
      let priority: Double
      let least: Int
      let flexibility: Int
    }
    let wishes = children.indices.map { index in
      let id = children[index].id
      let least = tree.measure(id, Proposal(axis, along: 0, across: across)).along(axis)
      let most = tree.measure(id, Proposal(axis, along: Proposal.infinite, across: across))
        .along(axis)
      return Wish(
        index: index, priority: tree.nodes[id].element.priority, least: least,
        flexibility: most - least)
    }
    let order = wishes.sorted {
      ($1.priority, $0.flexibility, $0.index) < ($0.priority, $1.flexibility, $1.index)
    }
    var rest = max(0, offered - spacing * (children.count - 1))
    var first = 0
    while first < order.count {
      // Those of lower priority keep at least what they cannot do without.
      let end = order[first...].firstIndex { $0.priority != order[first].priority } ?? order.count
      let reserved = order[end...].reduce(0) { $0 + $1.least }
      var group = max(0, rest - reserved)
      for position in first..<end {
        let share = group / (end - position)
        serve(order[position].index, share)
        let taken = children[order[position].index].size.along(axis)
        group -= min(taken, group)
        rest = max(0, rest - taken)
      }
      first = end
    }
    return children
  }
}
