/// The place of a node in the tree's arena.
typealias NodeID = Int

/// One node of the tree. Nodes lie in one array, linked by their places in it.
struct Node {
  let element: any Element
  /// The style that text below has where it says nothing else.
  let style: Style
  /// The layer that it belongs to.
  let layer: Int
  var firstChild: NodeID = -1
  var lastChild: NodeID = -1
  var nextSibling: NodeID = -1
  /// Where the node stands on the screen.
  var rect = Rect.zero
  /// Whether the node has been given a place in this frame.
  var isPlaced = false
  /// The sizes already computed: a stack asks its children several times.
  var sizes = SizeCache()
}

/// The last few answers of a node to proposals.
struct SizeCache {
  private var proposals: (Proposal, Proposal, Proposal, Proposal, Proposal, Proposal) =
    (.none, .none, .none, .none, .none, .none)
  private var sizes: (Size, Size, Size, Size, Size, Size) =
    (.zero, .zero, .zero, .zero, .zero, .zero)
  private var next = 0

  subscript(proposal: Proposal) -> Size? {
    if proposals.0 == proposal { return sizes.0 }
    if proposals.1 == proposal { return sizes.1 }
    if proposals.2 == proposal { return sizes.2 }
    if proposals.3 == proposal { return sizes.3 }
    if proposals.4 == proposal { return sizes.4 }
    if proposals.5 == proposal { return sizes.5 }
    return nil
  }

  mutating func insert(_ size: Size, for proposal: Proposal) {
    switch next {
    case 0: (proposals.0, sizes.0) = (proposal, size)
    case 1: (proposals.1, sizes.1) = (proposal, size)
    case 2: (proposals.2, sizes.2) = (proposal, size)
    case 3: (proposals.3, sizes.3) = (proposal, size)
    case 4: (proposals.4, sizes.4) = (proposal, size)
    default: (proposals.5, sizes.5) = (proposal, size)
    }
    next = (next + 1) % 6
  }
}

extension Proposal {
  /// Equal to no proposal that is ever made.
  fileprivate static let none = Proposal(columns: .min, rows: .min)
}
