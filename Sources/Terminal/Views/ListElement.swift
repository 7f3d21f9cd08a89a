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
  let buildRow: @MainActor (Int, Bool) -> Void
  /// Builds the title of a section.
  let buildTitle: @MainActor (Int) -> Void

  private var count: Int { lines.count }

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    proposal.filled(ideal: Size(columns: 20, rows: min(count, 10) * rowHeight))
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    progress.visibleRows = max(1, rect.rows / rowHeight)
    guard !rect.isEmpty else { return }
    let shown = lines.normalized(position, visible: progress.visibleRows)
    addRegions(rect, shown: shown, node: node, tree: tree)

    tree.build(under: node, context) {
      for line in shown.offset..<min(count, shown.offset + progress.visibleRows) {
        switch lines[line] {
        case .title(let section): tree.addWrapping(TransparentElement()) { buildTitle(section) }
        case .row(let row): addRow(row, isSelected: row == shown.selected, to: tree)
        }
      }
    }
    let columns = rect.columns - (hasScrollbar(rect) ? 1 : 0)
    var row = rect.minRow
    tree.forEachChild(of: node) { child in
      let place = Rect(column: rect.minColumn, row: row, columns: columns, rows: rowHeight)
      tree.place(child, in: place, proposal: Proposal(place.size))
      row += rowHeight
    }
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    tree.drawChildren(of: node, on: canvas)
    let rect = tree.rect(of: node)
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

  private func addRow(_ index: Int, isSelected: Bool, to tree: ViewTree) {
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
      tree.addWrapping(ListRowElement(isSelected: isSelected, isFocused: isFocused, mark: mark)) {
        buildRow(index, isSelected)
      }
    }
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
