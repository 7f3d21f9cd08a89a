/// A thin line across its stack, optionally with a title. If it spans the whole interior of a
/// border, it joins the border's sides.
public struct Divider: PrimitiveView {
  private let title: String?

  /// - Parameter title: Text in the line; shown in horizontal lines only.
  public init(title: String? = nil) {
    self.title = title
  }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    if tree.environment.isSpoken {
      if let title { Text(title).build(in: tree) }
      return
    }
    let axis: Axis = tree.stackAxis == .horizontal ? .vertical : .horizontal
    tree.noteDivider()
    tree.add(DividerElement(axis: axis, title: title))
  }
}

struct DividerElement: Element {
  /// The direction of the line.
  let axis: Axis
  let title: String?

  var role: ElementRole { .divider(axis) }

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    let offered = proposal.along(axis)
    return Size(axis, along: offered == Proposal.ideal ? 1 : offered, across: 1)
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    let rect = tree.rect(of: node)
    var line = tree.theme[.border]
    line.background = tree.style(of: node).background
    canvas.fill(rect, with: axis == .horizontal ? "─" : "│", style: line)
    guard let title, axis == .horizontal, rect.columns > 4 else { return }
    var style = tree.style(of: node)
    style.attributes.insert(.bold)
    let label = title.truncated(to: rect.columns - 2, ellipsis: tree.theme.glyphs.ellipsis)
    canvas.write(" " + label + " ", at: rect.origin, style: style)
  }
}
