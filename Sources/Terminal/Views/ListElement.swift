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
