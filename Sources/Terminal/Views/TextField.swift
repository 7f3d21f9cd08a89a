/// Editable text with its label on the left and its error below.
///
/// The text is kept in the program's state; the field reports edits. While it has the focus, it
/// receives typing and editing keys before any command does. Tab and Esc go to commands, as does
/// Enter from a single-line field.
///
/// The input determines the kind of field. With `isMultiline`, it has several lines and Enter
/// starts a new one, unless it is left to commands; then Alt+Enter or Shift+Enter does. With
/// `isSecure`, it is shown as dots, and the field reports typed text as
/// ``TextEdit/insertSecurely(_:)``, which is never recorded.
public struct TextField: View {
  private let label: String
  private let field: FieldView
  private let error: String?

  /// - Parameters:
  ///   - label: The name of the field; empty for none. See ``View/labelWidth(_:)``.
  ///   - input: The text and the cursor.
  ///   - isFocused: Whether keys go to the field.
  ///   - placeholder: An example, shown while the field is empty.
  ///   - error: What is wrong with the text, or `nil`.
  ///   - rows: The range of heights of a multi-line field: it grows with its text, then scrolls.
  ///   - leavesEnter: Whether Enter goes to commands from a multi-line field too.
  ///   - onFocus: Called when a click asks for the focus.
  ///   - onEdit: Receives each edit.
  public init(
    _ label: String, input: TextInput, isFocused: Bool, placeholder: String = "",
    error: String? = nil, rows: ClosedRange<Int> = 3...8, leavesEnter: Bool = false,
    onFocus: @escaping @MainActor () -> Void = {}, onEdit: @escaping @MainActor (TextEdit) -> Void
  ) {
    self.label = label
    self.error = error
    field = FieldView(
      input: input, isFocused: isFocused, placeholder: placeholder, rows: rows,
      leavesEnter: leavesEnter, isWrong: error != nil, onFocus: onFocus, onEdit: onEdit)
  }

  /// The notice that the text was cut to its limit, or `nil` if it wasn't.
  private var cut: String? {
    field.input.isCut ? field.input.limit.map { "Cut to \($0) characters." } : nil
  }

  /// The view's content.
  public var body: some View {
    LabeledField(label: label, error: error ?? cut, field: field)
  }
}

/// A field with its label on the left and its error below.
struct LabeledField: PrimitiveView {
  let label: String
  let error: String?
  let field: FieldView

  func build(in tree: ViewTree) {
    HStack(spacing: 1) {
      if !label.isEmpty {
        FieldLabel(text: label, role: field.isFocused ? .accent : .dim)
      }
      VStack {
        field
        if let error {
          HStack(alignment: .top, spacing: 1) {
            Text("!")
            Text(error)
          }
          .foreground(.danger)
        }
      }
    }
    .build(in: tree)
  }
}

/// The label of a field, as wide as the form asks for.
struct FieldLabel: PrimitiveView {
  let text: String
  let role: ThemeRole

  func build(in tree: ViewTree) {
    Text(text).foreground(role).lineLimit(1)
      .frame(width: tree.environment.labelWidth, alignment: .leading)
      .build(in: tree)
  }
}

extension View {
  /// Sets the width of field labels in columns, so that the fields of a form line up.
  public func labelWidth(_ columns: Int?) -> some View {
    EnvironmentView(content: self) { $0.labelWidth = columns }
  }
}

/// The editable part of a field.
struct FieldView: PrimitiveView {
  let input: TextInput
  let isFocused: Bool
  let placeholder: String
  /// The minimum and maximum number of rows of a multi-line field.
  let rows: ClosedRange<Int>
  /// Whether Enter alone is left to commands.
  let leavesEnter: Bool
  let isWrong: Bool
  let onFocus: @MainActor () -> Void
  let onEdit: @MainActor (TextEdit) -> Void

  /// Reports an edit; in a secure field, in a form that keeps the text out of recordings.
  func edit(_ edit: TextEdit) { onEdit(input.isSecure ? edit.secured : edit) }

  func build(in tree: ViewTree) {
    let node = tree.add(FieldElement(view: self))
    if isFocused {
      let responder = FieldResponder(
        input: input, takes: { step($0) != nil }, handle: handle)
      tree.addResponder(.field(responder), owner: node)
    }
  }

  private func handle(_ event: Event) -> Bool {
    switch event {
    case .key(let press):
      guard let edit = step(press) else { return false }
      self.edit(edit)
      return true
    case .paste(let text):
      edit(.insert(text))
      return true
    default:
      return false
    }
  }

  /// Returns the editing step for a key; `nil` if the key goes to commands.
  private func step(_ press: KeyPress) -> TextEdit? {
    let isEnterAlone = press.key == .enter && press.modifiers.isDisjoint(with: [.alt, .shift])
    return leavesEnter && isEnterAlone ? nil : TextEdit(press, multiline: input.isMultiline)
  }
}

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

/// The positions of a field's characters, scrolled so that the cursor is visible. One column stays
/// blank on each side.
struct FieldLayout {
  let characters: [Character]
  let lines: FieldLines
  /// The number of columns scrolled out of view on the left.
  let left: Int
  /// The number of lines scrolled out of view at the top.
  let top: Int
  /// The cursor's position in the field.
  let cursor: Point

  init(characters: [Character], cursor position: Int, size: Size, isMultiline: Bool) {
    self.characters = characters
    lines = FieldLines(characters, columns: isMultiline ? size.columns - 2 : .max)
    let line = lines.line(of: position)
    let range = lines.range(line) ?? 0..<0
    let column = characters[
      range.lowerBound..<max(range.lowerBound, min(position, characters.count))
    ]
    .reduce(0) { $0 + $1.columns }
    left = isMultiline ? 0 : max(0, column - max(0, size.columns - 2))
    top = max(0, line - max(0, size.rows - 1))
    cursor = Point(column: 1 + column - left, row: line - top)
  }

  /// Returns the index of the character at a point in the field, for mouse events.
  func position(at point: Point) -> Int {
    guard let range = lines.range(min(top + point.row, lines.count - 1)) else { return 0 }
    var column = 1 - left
    for position in range {
      column += characters[position].columns
      if column > point.column { return position }
    }
    return range.upperBound
  }
}

/// The lines of an edited text, broken at line feeds and, if too long, after the last space that
/// fits.
struct FieldLines {
  private var ranges: [Range<Int>] = []

  init(_ characters: [Character], columns: Int) {
    let columns = max(1, columns)
    var start = 0
    var width = 0
    var afterSpace: Int?
    for (position, character) in characters.enumerated() {
      if character.isNewline {
        ranges.append(start..<position)
        start = position + 1
        width = 0
        afterSpace = nil
        continue
      }
      width += character.columns
      if width > columns, position > start {
        let end = afterSpace ?? position
        ranges.append(start..<end)
        start = end
        width = characters[start...position].reduce(0) { $0 + $1.columns }
        afterSpace = nil
      }
      if character == " " { afterSpace = position + 1 }
    }
    ranges.append(start..<characters.count)
  }

  var count: Int { ranges.count }

  /// Returns the characters of a line, without its line feed.
  func range(_ line: Int) -> Range<Int>? {
    ranges.indices.contains(line) ? ranges[line] : nil
  }

  /// Returns the line that contains a position.
  func line(of position: Int) -> Int {
    (ranges.lastIndex { $0.lowerBound <= position }) ?? 0
  }
}
