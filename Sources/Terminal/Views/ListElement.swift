/// Builds, places and draws the visible rows of a list.
struct ListElement: Element {
  let lines: ListLines
  let position: ListPosition
  let rowHeight: Int
  let isFocused: Bool
  let context: BuildContext
  let progress: ListKeyState
  let showsScrollIndicators: Bool
  let onMove: @MainActor (ListPosition) -> Void
  let onOpen: @MainActor (Int) -> Void
  /// What the rows drew in the last frame; `nil` for a list that keeps nothing.
  let kept: KeptRows?
  /// Compares the visible rows, of which one is selected, with what is kept.
  let update: @MainActor (Range<Int>, Int, RowLook) -> Void
  let buildRow: @MainActor (Int, Bool, ViewTree) -> Void
  /// Builds the title of a section.
  let buildTitle: @MainActor (Int, ViewTree) -> Void

  private var count: Int { lines.count }

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    proposal.filled(ideal: Size(columns: 20, rows: min(count, 10) * rowHeight))
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    progress.visibleRows = max(1, rect.rows / rowHeight)
    guard !rect.isEmpty else { return }
    let shown = lines.normalized(position, visible: progress.visibleRows)
    addRegions(rect, shown: shown, node: node, tree: tree)

    let columns = rect.columns - (hasScrollbar(rect) ? 1 : 0)
    var place = Rect(column: rect.minColumn, row: rect.minRow, columns: columns, rows: rowHeight)
    let visible = shown.offset..<min(count, shown.offset + progress.visibleRows)
    compareRows(visible, selected: shown.selected, size: place.size, in: tree)
    for line in visible {
      switch lines[line] {
      case .title(let section):
        add(in: place, to: node, of: tree) {
          tree.addWrapping(TransparentElement()) { buildTitle(section, tree) }
        }
      case .row(let row):
        addRow(row, isSelected: row == shown.selected, in: place, to: node, of: tree)
      }
      place = place.offset(rows: rowHeight)
    }
  }

  /// Finds out which rows would draw what they drew before.
  private func compareRows(_ visible: Range<Int>, selected: Int, size: Size, in tree: ViewTree) {
    guard kept != nil else { return }
    progress.rows.removeAll(keepingCapacity: true)
    progress.rows.reserveCapacity(visible.count)
    let look = RowLook(
      environment: context.environment, size: size, isFocused: isFocused,
      generation: tree.lookGeneration)
    update(lines.rows(in: visible), selected, look)
  }

  /// Builds and places a row, unless it would draw what it drew before.
  private func addRow(
    _ row: Int, isSelected: Bool, in place: Rect, to node: NodeID, of tree: ViewTree
  ) {
    guard let kept else {
      add(in: place, to: node, of: tree) { addRow(row, isSelected: isSelected, to: tree) }
      return
    }
    var shown = ShownRow(row: row, isSelected: isSelected, place: place)
    if kept[row].cells == nil {
      let before = tree.effectCount
      shown.node = add(in: place, to: node, of: tree) {
        addRow(row, isSelected: isSelected, to: tree)
      }
      shown.canBeKept = kept[row].isWorthKeeping && tree.effectCount == before
    }
    progress.rows.append(shown)
  }

  @discardableResult
  private func add(
    in place: Rect, to node: NodeID, of tree: ViewTree, content: () -> NodeID
  ) -> NodeID {
    var child: NodeID = -1
    tree.build(under: node, context) { child = content() }
    tree.place(child, in: place, proposal: Proposal(place.size))
    return child
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    let rect = tree.rect(of: node)
    if kept == nil || rect.isEmpty {
      tree.drawChildren(of: node, on: canvas)
    } else {
      drawLines(node: node, in: tree, on: canvas)
    }
    let shown = lines.normalized(position, visible: progress.visibleRows)
    if hasScrollbar(rect) {
      Scrollbar(count: count, visible: progress.visibleRows, offset: shown.offset).draw(
        in: Rect(column: rect.maxColumn - 1, row: rect.minRow, columns: 1, rows: rect.rows),
        theme: tree.theme, on: canvas)
    }
    if isFocused {
      // Braille displays and magnifiers follow the cursor even if it is invisible.
      tree.cursorRequests.append(
        CursorRequest(
          point: rect.origin.offset(
            rows: (lines.line(ofRow: shown.selected) - shown.offset) * rowHeight),
          layer: context.layer, isVisible: false))
    }
  }

  private func hasScrollbar(_ rect: Rect) -> Bool {
    showsScrollIndicators && count > progress.visibleRows && rect.columns > 4
  }

  /// Draws the lines of a list that keeps its rows.
  private func drawLines(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    var child = tree.firstChild(of: node)
    func drawTitles(before row: NodeID?) {
      while let title = child, title != row {
        tree.draw(title, on: canvas)
        child = tree.nextSibling(of: title)
      }
    }
    guard let kept else { return }
    for row in progress.rows {
      if row.node < 0, let cells = kept[row.row].cells {
        draw(row, cells, in: tree, on: canvas)
      } else {
        drawTitles(before: row.node)
        draw(row, in: tree, on: canvas)
        child = tree.nextSibling(of: row.node)
      }
    }
    drawTitles(before: nil)
  }

  /// Draws a row that was built, and keeps what it draws if that is all.
  private func draw(_ row: ShownRow, in tree: ViewTree, on canvas: Canvas) {
    guard row.canBeKept, let ground = canvas.uniformCell(in: row.place) else {
      return tree.draw(row.node, on: canvas)
    }
    let before = tree.effectCount + canvas.screen.pictures.requestCount
    tree.draw(row.node, on: canvas)
    if tree.effectCount + canvas.screen.pictures.requestCount == before {
      kept?.keep(KeptCells(ground: ground, cells: canvas.cells(in: row.place)), of: row.row)
    }
  }

  /// Draws what a row drew before, unless what is beneath it has changed.
  private func draw(_ row: ShownRow, _ kept: KeptCells, in tree: ViewTree, on canvas: Canvas) {
    guard canvas.uniformCell(in: row.place) == kept.ground else {
      return drawAgain(row, in: tree, on: canvas)
    }
    assert(check(row, kept, in: tree, on: canvas))
    canvas.put(kept.cells, in: row.place)
  }

  private func drawAgain(_ row: ShownRow, in tree: ViewTree, on canvas: Canvas) {
    let child = add(in: row.place, to: -1, of: tree) {
      addRow(row.row, isSelected: row.isSelected, to: tree)
    }
    tree.draw(child, on: canvas)
  }

  /// Draws a row again, now and then, and reports if it isn't what was kept.
  /// - Returns: Always `true`.
  private func check(
    _ row: ShownRow, _ kept: KeptCells, in tree: ViewTree, on canvas: Canvas
  ) -> Bool {
    guard tree.isCheckOfKeptRowsDue else { return true }
    drawAgain(row, in: tree, on: canvas)
    if canvas.cells(in: row.place) != kept.cells {
      ViewTree.onKeptDifference("Row \(row.row) of a list shows something that isn't in its view.")
    }
    return true
  }

  @discardableResult
  private func addRow(_ index: Int, isSelected: Bool, to tree: ViewTree) -> NodeID {
    var node: NodeID = -1
    let ground: ThemeRole = isFocused ? .selection : .inactiveSelection
    let style = tree.theme.filled(ground)
    tree.withEnvironment({ environment in
      environment.lineLimit = rowHeight
      if isSelected {
        environment.style.background = style.background
        if style.foreground != .standard { environment.style.foreground = style.foreground }
        environment.style.attributes.formUnion(style.attributes)
      }
    }) {
      let mark = tree.environment.selectionMark
      node = tree.addWrapping(
        ListRowElement(isSelected: isSelected, isFocused: isFocused, mark: mark)
      ) {
        buildRow(index, isSelected, tree)
      }
    }
    return node
  }

  private func addRegions(_ rect: Rect, shown: ListPosition, node: NodeID, tree: ViewTree) {
    let visible = progress.visibleRows
    tree.addRegion(
      rect, node: node,
      .scroll { steps in
        let moved = lines.scrolled(shown, by: 3 * steps, visible: visible)
        if moved != shown { onMove(moved) }
      })
    tree.addRegion(
      rect, node: node,
      .tap { point in
        let line = shown.offset + point.row / rowHeight
        guard line < count, case .row(let index) = lines[line] else { return }
        if index == shown.selected, isFocused { return onOpen(index) }
        onMove(ListPosition(selected: index, offset: shown.offset))
      })
    guard hasScrollbar(rect) else { return }
    let bar = Rect(column: rect.maxColumn - 1, row: rect.minRow, columns: 1, rows: rect.rows)
    let jump: @MainActor (Point, Double) -> Void = { point, rowFraction in
      let height = Double(max(1, rect.rows - 1))
      let place = min(max(0, Double(point.row) + rowFraction - 0.5), height)
      let offset = Int(Double(count - visible) * place / height)
      let moved = lines.scrolled(shown, by: offset - shown.offset, visible: visible)
      if moved != shown { onMove(moved) }
    }
    tree.addRegion(bar, node: node, .tap { jump($0, 0.5) })
    tree.addRegion(bar, node: node, .drag(jump))
  }
}

/// The lines of a list: one for each row and, if the rows are in sections, one for the title above
/// each section.
struct ListLines {
  /// The content of a line.
  enum Line: Equatable {
    /// The title of a section, by its index among those with rows.
    case title(Int)
    case row(Int)
  }

  let rowCount: Int
  /// The index of the first row of each section; empty without sections.
  private let starts: [Int]

  /// - Parameter sectionCounts: The number of rows in each section, none of them 0.
  init(rowCount: Int, sectionCounts: [Int] = []) {
    self.rowCount = rowCount
    var starts: [Int] = []
    var next = 0
    for count in sectionCounts {
      starts.append(next)
      next += count
    }
    self.starts = starts
  }

  var count: Int { rowCount + starts.count }

  /// - Complexity: O(log sections), as is ``line(ofRow:)``.
  subscript(line: Int) -> Line {
    guard !starts.isEmpty else { return .row(line) }
    let section = starts.indices.partitionPoint { starts[$0] + $0 > line } - 1
    return starts[section] + section == line ? .title(section) : .row(line - section - 1)
  }

  func line(ofRow row: Int) -> Int {
    row + starts.indices.partitionPoint { starts[$0] > row }
  }

  /// Returns the rows among some lines.
  func rows(in lines: Range<Int>) -> Range<Int> {
    guard !starts.isEmpty else { return lines }
    func rows(before line: Int) -> Int {
      switch line < count ? self[line] : .row(rowCount) {
      case .row(let row): row
      case .title(let section): starts[section]
      }
    }
    return rows(before: lines.lowerBound)..<rows(before: lines.upperBound)
  }

  /// Returns the position within bounds and with the selected row visible. If that row is the first
  /// of its section and scrolls into view from above, so does the title.
  func normalized(_ position: ListPosition, visible: Int) -> ListPosition {
    guard rowCount > 0 else { return ListPosition() }
    let visible = max(1, visible)
    let selected = min(max(0, position.selected), rowCount - 1)
    let line = line(ofRow: selected)
    var offset = position.offset <= line ? position.offset : top(ofLine: line)
    offset = max(offset, line - visible + 1)
    offset = min(max(0, offset), max(0, count - visible))
    return ListPosition(selected: selected, offset: offset)
  }

  /// Returns the first line to show for a row: the title, if the row is the first of its section.
  private func top(ofLine line: Int) -> Int {
    line > 0 && self[line - 1].isTitle ? line - 1 : line
  }

  /// Returns the position after moving `step` rows down, or up if negative.
  func moved(_ position: ListPosition, by step: Int, visible: Int) -> ListPosition {
    var moved = normalized(position, visible: visible)
    moved.selected = min(max(0, moved.selected + step), max(0, rowCount - 1))
    if rowCount > 0 {
      moved.offset = min(moved.offset, top(ofLine: line(ofRow: moved.selected)))
    }
    return normalized(moved, visible: visible)
  }

  /// Returns the position after scrolling by `lines`; the selection stays visible.
  func scrolled(_ position: ListPosition, by lines: Int, visible: Int) -> ListPosition {
    guard rowCount > 0 else { return ListPosition() }
    var moved = normalized(position, visible: visible)
    let visible = max(1, visible)
    moved.offset = min(max(0, moved.offset + lines), max(0, count - visible))
    // A view of one line must not show just a title, which has no row to select.
    if visible == 1, self[moved.offset].isTitle { moved.offset += lines < 0 ? -1 : 1 }
    moved.offset = max(moved.offset, visible == 1 ? self.line(ofRow: 0) : 0)
    let last = moved.offset + visible - 1
    var line = min(max(line(ofRow: moved.selected), moved.offset), last)
    if self[line].isTitle { line += line < last ? 1 : -1 }
    if case .row(let row) = self[max(0, line)] { moved.selected = row }
    return normalized(moved, visible: visible)
  }
}

extension ListLines.Line {
  fileprivate var isTitle: Bool {
    if case .title = self { true } else { false }
  }
}

extension Range<Int> {
  /// Returns the first number for which the condition holds, given that it holds for all that
  /// follow; the upper bound if it holds for none.
  fileprivate func partitionPoint(_ condition: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if condition(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
