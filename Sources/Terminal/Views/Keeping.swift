extension View where Self: Equatable {
  /// Builds, measures and draws the view again only if it differs from the one in the last frame, or
  /// something around it changes how it is drawn: for views that are values, with everything that they
  /// show.
  ///
  ///     YearView(days: days).keeping()
  ///
  /// A view with a command, a gesture, a text field, a picture, a divider or motion is built for each frame
  /// all the same. With assertions, a view that is kept is now and then drawn again and compared.
  public func keeping() -> some View { KeptView(content: self) }
}

private struct KeptView<Content: View & Equatable>: PrimitiveView {
  let content: Content

  func build(in tree: ViewTree) {
    guard !tree.environment.isSpoken else { return content.build(in: tree) }
    let kept = tree.kept { KeptContent<Content>() }
    let isSame = kept.takes(content, look: tree.rowLook)
    let effectCount = tree.effectCountWithoutPanels
    let context = isSame ? tree.captureContext() : nil
    let element = KeptElement(kept: kept, context: context) { content.build(in: $0) }
    let node = tree.add(element)
    guard !isSame else { return }
    tree.build(in: kept, under: node) { content.build(in: tree) }
    kept.hasEffects = tree.effectCountWithoutPanels != effectCount
  }
}

/// What a view drew in the last frame, without the view.
@MainActor
class KeptDrawing {
  /// What it kept of the views in it.
  let scope = KeptScope()
  /// Its sizes for the proposals so far.
  fileprivate var sizes = SizeCache()
  /// What it drew, if that was nothing but cells.
  fileprivate var cells: KeptCells?
  fileprivate var size = Size.zero
  /// The insides of the boxes in it, from its top left.
  fileprivate var panels: [Rect] = []
  /// Whether it added something else to the frame.
  fileprivate var hasEffects = true
}

private final class KeptContent<Content: View & Equatable>: KeptDrawing {
  private var content: Content?
  private var look: RowLook?

  /// Takes the view of this frame.
  /// - Returns: Whether it is drawn as in the last frame, and that was nothing but cells.
  func takes(_ new: Content, look newLook: RowLook) -> Bool {
    if cells != nil, content == new, look == newLook { return true }
    (content, look) = (new, newLook)
    (sizes, cells) = (SizeCache(), nil)
    return false
  }
}

private struct KeptElement: Element {
  let kept: KeptDrawing
  /// Where the view is built if it is needed; `nil` if it is built.
  let context: BuildContext?
  let content: @MainActor (ViewTree) -> Void

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    if let size = kept.sizes[proposal] { return size }
    build(node, in: tree)
    let effectCount = tree.effectCountWithoutPanels
    let size = tree.measureChild(of: node, proposal)
    if tree.effectCountWithoutPanels != effectCount { kept.hasEffects = true }
    kept.sizes.insert(size, for: proposal)
    return size
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    if kept.size != rect.size || kept.cells == nil { build(node, in: tree) }
    guard let child = tree.firstChild(of: node) else {
      for panel in kept.panels {
        tree.addPanel(panel.offset(columns: rect.minColumn, rows: rect.minRow), node: node)
      }
      return
    }
    let (effectCount, regionCount) = (tree.effectCountWithoutPanels, tree.regions.count)
    tree.place(child, in: rect, proposal: proposal)
    kept.panels = tree.regions[regionCount...].filter(\.action.isPanel).map {
      $0.rect.offset(columns: -rect.minColumn, rows: -rect.minRow)
    }
    if tree.effectCountWithoutPanels != effectCount { kept.hasEffects = true }
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    let rect = tree.rect(of: node)
    let ground = canvas.uniformCell(in: rect)
    if tree.firstChild(of: node) == nil, let drawn = kept.cells {
      guard ground == drawn.ground else { return drawAgain(rect, node, in: tree, on: canvas) }
      assert(check(drawn, rect, node, in: tree, on: canvas))
      return canvas.put(drawn.cells, in: rect)
    }
    let pictures = canvas.screen.pictures
    let effectCount = tree.effectCountWithoutPanels + pictures.requestCount
    tree.drawChildren(of: node, on: canvas)
    kept.cells = nil
    guard let ground, !kept.hasEffects, !tree.hasDivider(in: node),
      tree.effectCountWithoutPanels + canvas.screen.pictures.requestCount == effectCount
    else { return }
    kept.size = rect.size
    kept.cells = KeptCells(ground: ground, cells: canvas.cells(in: rect))
  }

  /// Builds the view, which is needed after all.
  private func build(_ node: NodeID, in tree: ViewTree) {
    guard let context, tree.firstChild(of: node) == nil else { return }
    tree.build(under: node, context) { tree.build(in: kept, under: node) { content(tree) } }
  }

  private func drawAgain(_ rect: Rect, _ node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    build(node, in: tree)
    guard let child = tree.firstChild(of: node) else { return }
    tree.placeWithoutRegions(child, in: rect, proposal: Proposal(rect.size))
    tree.drawChildren(of: node, on: canvas)
  }

  /// Draws the view again, now and then, and reports if it isn't what was kept.
  /// - Returns: Always `true`.
  private func check(
    _ drawn: KeptCells, _ rect: Rect, _ node: NodeID, in tree: ViewTree, on canvas: Canvas
  ) -> Bool {
    guard tree.isCheckOfKeptRowsDue else { return true }
    drawAgain(rect, node, in: tree, on: canvas)
    if canvas.cells(in: rect) != drawn.cells {
      ViewTree.onKeptDifference("A kept view shows something that isn't in it.")
    }
    return true
  }
}

/// What is kept from frame to frame, in the order in which it was built.
@MainActor
final class KeptScope {
  private var kept: [AnyObject] = []
  private var count = 0

  /// Begins a frame.
  func begin() { count = 0 }

  /// Returns what was kept in this place in the last frame, or something new.
  func next<Kept: AnyObject>(_ new: () -> Kept) -> Kept {
    defer { count += 1 }
    if count < kept.count {
      if let same = kept[count] as? Kept { return same }
      kept.removeSubrange(count...)
    }
    let value = new()
    kept.append(value)
    return value
  }
}
