/// A vertically scrolling view of content that may be taller than the space offered.
///
/// The scroll offset is kept in the program's state. While the view has the focus it handles the
/// arrow keys, Page Up and Down, Home and End; the wheel always scrolls it.
public struct ScrollView<Content: View>: PrimitiveView {
  private let offset: Int
  private let isFocused: Bool
  private let hugsContent: Bool
  private let onScroll: @MainActor (Int) -> Void
  private let content: Content

  /// - Parameters:
  ///   - offset: The number of rows scrolled out of view at the top.
  ///   - isFocused: Whether keys go to the view.
  ///   - hugsContent: Whether the view is no taller than its content, instead of taking all the
  ///     space offered.
  ///   - onScroll: Receives the new offset after a key press or wheel event.
  ///   - content: What is scrolled.
  public init(
    offset: Int, isFocused: Bool = false, hugsContent: Bool = false,
    onScroll: @escaping @MainActor (Int) -> Void, @ViewBuilder content: () -> Content
  ) {
    self.offset = offset
    self.isFocused = isFocused
    self.hugsContent = hugsContent
    self.onScroll = onScroll
    self.content = content()
  }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    let progress = ScrollKeyState(offset: offset)
    let node = tree.addWrapping(
      ScrollElement(
        offset: offset, hugsContent: hugsContent, progress: progress, onScroll: onScroll)
    ) {
      content.build(in: tree)
    }
    if isFocused {
      tree.addResponder(.keys(keys(progress)), owner: node)
    }
  }

  private func keys(_ progress: ScrollKeyState) -> KeyResponder {
    KeyResponder { press, rank in
      let page = max(1, progress.height - 1)
      let step: Int
      switch (rank, press.key, press.modifiers) {
      case (.primary, .up, []), (.fallback, .character("k"), []): step = -1
      case (.primary, .down, []), (.fallback, .character("j"), []): step = 1
      case (.primary, .pageUp, []): step = -page
      case (.primary, .pageDown, []), (.fallback, .character(" "), []): step = page
      case (.primary, .home, []), (.fallback, .character("g"), []): step = -progress.length
      case (.primary, .end, []), (.fallback, .character("G"), _): step = progress.length
      default: return false
      }
      progress.scroll(by: step, onScroll)
      return true
    }
  }
}

/// State of a scroll view that is only known after it was built, for its key handler.
@MainActor
final class ScrollKeyState {
  var offset: Int
  /// The height of the content in rows.
  var length = 0
  /// The number of visible rows.
  var height = 1

  init(offset: Int) {
    self.offset = offset
  }

  func scroll(by rows: Int, _ report: (Int) -> Void) {
    let next = min(max(0, offset + rows), max(0, length - height))
    guard next != offset else { return }
    offset = next
    report(next)
  }
}

struct ScrollElement: Element {
  let offset: Int
  let hugsContent: Bool
  let progress: ScrollKeyState
  let onScroll: @MainActor (Int) -> Void

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    let own = tree.firstChild(of: node).map {
      tree.measure($0, Proposal(columns: proposal.columns))
    }
    var size = proposal.filled(ideal: own ?? .zero)
    if hugsContent, let own { size.rows = min(size.rows, own.rows) }
    return size
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    guard let child = tree.firstChild(of: node) else { return }
    var columns = rect.columns
    var size = tree.measure(child, Proposal(columns: columns))
    if size.rows > rect.rows, columns > 1 {
      columns -= 1
      size = tree.measure(child, Proposal(columns: columns))
    }
    progress.length = size.rows
    progress.height = rect.rows
    progress.offset = min(max(0, offset), max(0, size.rows - rect.rows))
    tree.addRegion(
      rect, node: node, .scroll { steps in progress.scroll(by: 3 * steps, onScroll) })
    tree.place(
      child, in: Rect(origin: rect.origin.offset(rows: -progress.offset), size: size),
      proposal: Proposal(columns: columns))
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    tree.drawChildren(of: node, on: canvas)
    let rect = tree.rect(of: node)
    guard progress.length > rect.rows, rect.columns > 1 else { return }
    Scrollbar(count: progress.length, visible: rect.rows, offset: progress.offset).draw(
      in: Rect(column: rect.maxColumn - 1, row: rect.minRow, columns: 1, rows: rect.rows),
      theme: tree.theme, on: canvas)
  }
}

/// A bar that shows which part of a long view is visible.
struct Scrollbar {
  /// The total number of rows.
  let count: Int
  /// The number of visible rows.
  let visible: Int
  /// The number of rows above the visible ones.
  let offset: Int

  /// Returns the rows of the thumb in a bar of the given height. The thumb touches an end of the
  /// bar only if that end of the content is visible.
  func thumb(height: Int) -> Range<Int> {
    guard count > visible, height > 0 else { return 0..<max(0, height) }
    let length = max(1, height * visible / count)
    let last = count - visible
    var start = (height - length) * offset / last
    if offset > 0, start == 0, height > length { start = 1 }
    if offset < last, start == height - length, start > 0 { start -= 1 }
    return start..<start + length
  }

  @MainActor
  func draw(in rect: Rect, theme: Theme, on canvas: Canvas) {
    let thumb = thumb(height: rect.rows)
    canvas.fill(rect, with: "│", style: theme[.track])
    canvas.fill(
      Rect(
        column: rect.minColumn, row: rect.minRow + thumb.lowerBound, columns: 1, rows: thumb.count),
      with: theme.glyphs != .unicode ? "#" : "┃", style: theme[.dim])
  }
}
