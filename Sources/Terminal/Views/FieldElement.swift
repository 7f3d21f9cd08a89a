/// Draws the text, selection and cursor of a field.
struct FieldElement: Element {
  let view: FieldView

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    let columns = proposal.columns == Proposal.ideal ? 24 : proposal.columns
    guard view.input.isMultiline else { return Size(columns: columns, rows: 1) }
    let lines = FieldLines(characters, columns: columns - 2)
    return Size(
      columns: columns, rows: min(max(lines.count, view.rows.lowerBound), view.rows.upperBound))
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    tree.addRegion(
      rect, node: node,
      .tap { point in
        let layout = layout(in: rect.size)
        if !view.isFocused { view.onFocus() }
        view.onEdit(.place(layout.position(at: point)))
      })
    tree.addRegion(
      rect, node: node,
      .drag { point, _ in
        let row = min(max(0, point.row), rect.rows - 1)
        let place = Point(column: point.column, row: row)
        view.onEdit(.selectTo(layout(in: rect.size).position(at: place)))
      })
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    let rect = tree.rect(of: node)
    let theme = tree.theme
    var ground = theme.filled(.field)
    if view.isWrong { ground.foreground = theme[.danger].foreground }
    canvas.fill(rect, style: ground)
    let layout = layout(in: rect.size)
    if view.input.isEmpty {
      var hint = ground
      hint.foreground = theme[.dim].foreground
      hint.attributes.formUnion(theme[.dim].attributes)
      let text = view.placeholder.truncated(
        to: rect.columns - 2, ellipsis: theme.glyphs.ellipsis)
      canvas.write(text, at: rect.origin.offset(columns: 1), style: hint)
    }
    let selection = view.isFocused ? view.input.selection : nil
    // A focused field scrolls; any other shows an ellipsis when its text is cut off.
    let isCut =
      !view.isFocused && !view.input.isMultiline
      && layout.characters.reduce(0) { $0 + $1.columns } >= rect.columns
    let ellipsis = isCut ? theme.glyphs.ellipsis : ""
    let end = max(0, rect.columns - ellipsis.count)
    for row in 0..<rect.rows {
      guard let line = layout.lines.range(layout.top + row) else { break }
      var column = 1 - layout.left
      for position in line {
        let character = layout.characters[position]
        var style = ground
        if let selection, selection.contains(position) {
          style.attributes.formSymmetricDifference(.reverse)
        }
        for grapheme in String(character).graphemes {
          if column >= 1, column + grapheme.columns <= end {
            canvas.draw(
              grapheme, at: rect.origin.offset(columns: column, rows: row),
              style: canvas.screen.styleID(style))
          }
          column += grapheme.columns
        }
      }
    }
    canvas.write(ellipsis, at: rect.origin.offset(columns: end), style: ground)
    if view.isFocused {
      let cursor = layout.cursor
      tree.cursorRequests.append(
        CursorRequest(
          point: rect.origin.offset(columns: cursor.column, rows: cursor.row),
          layer: tree.nodes[node].pointee.layer, isVisible: true, shape: .bar))
    }
  }

  private var characters: [Character] {
    if view.input.isSecure {
      return Array(repeating: "•", count: view.input.text.count)
    }
    return Array(view.input.text)
  }

  private func layout(in size: Size) -> FieldLayout {
    FieldLayout(
      characters: characters,
      // Without the focus, a single-line field shows the start of its text.
      cursor: view.isFocused || view.input.isMultiline ? view.input.cursor : 0, size: size,
      isMultiline: view.input.isMultiline)
  }
}
