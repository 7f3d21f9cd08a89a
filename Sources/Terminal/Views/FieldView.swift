/// The part of a field that is edited.
struct FieldView: PrimitiveView {
  enum Kind {
    case plain
    case secure
    case multiline(minHeight: Int, maxHeight: Int)
  }
  let kind: Kind
  let input: TextInput
  let isFocused: Bool
  let placeholder: String
  let isWrong: Bool
  let onFocus: @MainActor () -> Void
  let onEdit: @MainActor (TextEdit) -> Void

  var isMultiline: Bool {
    if case .multiline = kind { true } else { false }
  }

  func build(in tree: ViewTree) {
    let node = tree.add(FieldElement(view: self))
    if isFocused {
      let responder = FieldResponder(
        takes: { TextEdit($0, multiline: isMultiline) != nil }, handle: handle)
      tree.addResponder(.field(responder), owner: node)
    }
  }

  private func handle(_ event: Event) -> Bool {
    switch event {
    case .key(let press):
      guard let edit = TextEdit(press, multiline: isMultiline) else { return false }
      onEdit(edit)
      return true
    case .paste(let text):
      onEdit(.insert(text))
      return true
    default:
      return false
    }
  }
}

/// Draws a field's text, its selection and its cursor.
struct FieldElement: Element {
  let view: FieldView

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    let columns = proposal.columns == Proposal.ideal ? 24 : proposal.columns
    guard case .multiline(let least, let most) = view.kind else {
      return Size(columns: columns, rows: 1)
    }
    let lines = FieldLines(characters, columns: columns - 2)
    return Size(columns: columns, rows: min(most, max(least, lines.count)))
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    tree.addRegion(
      rect, node: node,
      .tap { point in
        let layout = layout(in: rect.size)
        if !view.isFocused { view.onFocus() }
        view.onEdit(.place(layout.position(at: point)))
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
      let text = view.placeholder.truncated(to: rect.columns - 2)
      canvas.write(text, at: rect.origin.offset(columns: 1), style: hint)
    }
    let selection = view.isFocused ? view.input.selection : nil
    for row in 0..<rect.rows {
      guard let line = layout.lines.range(layout.top + row) else { break }
      var column = 1 - layout.left
      for position in line {
        let character = layout.characters[position]
        guard let grapheme = Grapheme(character) else { continue }
        var style = ground
        if let selection, selection.contains(position) {
          style.attributes.formSymmetricDifference(.reverse)
        }
        if column >= 1, column + grapheme.columns <= rect.columns {
          canvas.draw(
            grapheme, at: rect.origin.offset(columns: column, rows: row),
            style: canvas.screen.styleID(style))
        }
        column += grapheme.columns
      }
    }
    if view.isFocused {
      let cursor = layout.cursor
      tree.cursorRequests.append(
        CursorRequest(
          point: rect.origin.offset(columns: cursor.column, rows: cursor.row),
          layer: tree.nodes[node].pointee.layer, isVisible: true))
    }
  }

  private var characters: [Character] {
    if case .secure = view.kind {
      return Array(repeating: "•", count: view.input.text.count)
    }
    return Array(view.input.text)
  }

  private func layout(in size: Size) -> FieldLayout {
    FieldLayout(
      characters: characters, cursor: view.input.cursor, size: size,
      isMultiline: view.isMultiline)
  }
}
