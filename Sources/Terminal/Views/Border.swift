/// Draws a box around its child, with text in the top and bottom edges.
struct BorderElement: Element {
  let title: String?
  let footer: String?
  let role: ThemeRole
  let isFocused: Bool
  let style: BorderStyle
  /// The maximum width that edge text can ask for, in columns.
  let edgeLimit: Int

  /// The separator between the parts of a title that is a path.
  static let step = " › "

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    let offer = proposal.reduced(columns: 2, rows: 2)
    let own = tree.measureChild(of: node, offer)
    var columns = own.columns + 2
    // Widen the box for the title if there is space: `╭ Title ╮`.
    let edge = min(edgeLimit, max(title?.columns ?? 0, footer?.columns ?? 0))
    if edge > 0, edge + 4 > columns {
      columns =
        proposal.columns == Proposal.ideal
        ? edge + 4 : max(columns, min(proposal.columns, edge + 4))
    }
    // Clip the content, not the box.
    let wanted = Size(columns: columns, rows: own.rows + 2)
    return Size(
      columns: min(wanted.columns, max(2, proposal.resolved(wanted).columns)),
      rows: min(wanted.rows, max(2, proposal.resolved(wanted).rows)))
  }

  func place(in rect: Rect, proposal: Proposal, node: NodeID, tree: ViewTree) {
    guard let child = tree.firstChild(of: node) else { return }
    let inner = rect.inset(top: 1, leading: 1, bottom: 1, trailing: 1)
    tree.addPanel(inner, node: node)
    tree.place(child, in: inner, proposal: proposal.reduced(columns: 2, rows: 2))
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    let rect = tree.rect(of: node)
    var line = tree.theme[isFocused ? .focusedBorder : role]
    line.background = tree.style(of: node).background
    tree.drawChildren(of: node, on: canvas)
    canvas.drawBox(rect, lines: self.style.lines, style: line)
    if tree.hasDividers {
      joinDividers(in: rect, tree: tree, node: node, style: line, on: canvas)
    }
    if let title {
      var style = tree.style(of: node)
      if isFocused { style.foreground = line.foreground }
      style.attributes.insert(.bold)
      drawEdge(title, .leading, row: rect.minRow, in: rect, style: style, tree, on: canvas)
    }
    if let footer {
      var style = tree.theme[.dim]
      style.background = line.background
      drawEdge(footer, .trailing, row: rect.maxRow - 1, in: rect, style: style, tree, on: canvas)
    }
  }

  /// Joins dividers that span the whole interior to the sides of the box.
  private func joinDividers(
    in rect: Rect, tree: ViewTree, node: NodeID, style: Style, on canvas: Canvas
  ) {
    tree.forEachChild(of: node) { child in
      guard tree.isPlaced(child) else { return }
      let place = tree.rect(of: child)
      if case .divider(let axis) = tree.nodes.element(of: child).pointee.role {
        guard axis == .horizontal, place.minColumn == rect.minColumn + 1,
          place.maxColumn == rect.maxColumn - 1, place.minRow > rect.minRow,
          place.minRow < rect.maxRow - 1
        else { return }
        canvas.put(
          self.style.lines.left, at: Point(column: rect.minColumn, row: place.minRow), style: style)
        canvas.put(
          self.style.lines.right, at: Point(column: rect.maxColumn - 1, row: place.minRow),
          style: style)
      } else if place.columns == rect.columns - 2 {
        joinDividers(in: rect, tree: tree, node: child, style: style, on: canvas)
      }
    }
  }

  /// Writes text into an edge, with a space on both sides.
  private func drawEdge(
    _ text: String, _ alignment: HorizontalAlignment, row: Int, in rect: Rect, style: Style,
    _ tree: ViewTree, on canvas: Canvas
  ) {
    let ellipsis = tree.theme.glyphs.ellipsis
    var text = text
    // Drop a path from the front: its end says where the user is.
    while text.columns > rect.columns - 4, let step = text.firstRange(of: Self.step) {
      text = String(text[step.upperBound...])
    }
    let label = " " + text.truncated(to: rect.columns - 4, ellipsis: ellipsis) + " "
    let columns = label.columns
    guard columns > 2 else { return }
    let column = rect.minColumn + 1 + alignment.offset(of: columns, in: rect.columns - 2)
    canvas.write(label, at: Point(column: column, row: row), style: style)
  }
}

extension Canvas {
  /// Draws a box along the inner edge of a rectangle.
  func drawBox(_ rect: Rect, lines: BorderStyle.Lines, style: Style) {
    guard rect.columns >= 2, rect.rows >= 2 else { return }
    let (left, right) = (rect.minColumn, rect.maxColumn - 1)
    let (top, bottom) = (rect.minRow, rect.maxRow - 1)
    for row in [top, bottom] {
      fill(
        Rect(column: left, row: row, columns: rect.columns, rows: 1), with: lines.horizontal,
        style: style)
    }
    for column in [left, right] {
      fill(
        Rect(column: column, row: top, columns: 1, rows: rect.rows), with: lines.vertical,
        style: style)
    }
    put(lines.topLeft, at: Point(column: left, row: top), style: style)
    put(lines.topRight, at: Point(column: right, row: top), style: style)
    put(lines.bottomLeft, at: Point(column: left, row: bottom), style: style)
    put(lines.bottomRight, at: Point(column: right, row: bottom), style: style)
  }
}

/// A view in a box. When read aloud, its title comes first and its footer last.
struct BorderView<Content: View>: PrimitiveView {
  let element: BorderElement
  let content: Content

  func build(in tree: ViewTree) {
    guard tree.environment.isSpoken else {
      tree.addWrapping(element) { content.build(in: tree) }
      return
    }
    VStack {
      if let title = element.title { Text(title) }
      content
      if let footer = element.footer { Text(footer) }
    }
    .build(in: tree)
  }
}

extension View {
  /// Draws a box around the view.
  ///
  /// - Parameters:
  ///   - title: Text in the top edge.
  ///   - footer: Text at the right of the bottom edge, such as a position or keys.
  ///   - role: The colour of the border.
  ///   - isFocused: Whether keys go to the content.
  ///   - style: The characters of the border.
  public func border(
    title: String? = nil, footer: String? = nil, role: ThemeRole = .border,
    isFocused: Bool = false, style: BorderStyle = .rounded
  ) -> some View {
    BorderView(
      element: BorderElement(
        title: title, footer: footer, role: role, isFocused: isFocused, style: style,
        edgeLimit: .max),
      content: self)
  }

  /// Draws a box that is widened for the text in its edges by at most `edgeLimit` columns of text.
  func border(title: String, footer: String? = nil, role: ThemeRole, edgeLimit: Int) -> some View {
    BorderView(
      element: BorderElement(
        title: title, footer: footer, role: role, isFocused: false, style: .rounded,
        edgeLimit: max(0, edgeLimit)),
      content: self)
  }
}

/// The characters that a border is drawn with.
public enum BorderStyle: Hashable, Sendable, CaseIterable {
  /// `╭─╮`: the default.
  case rounded
  /// `┌─┐`
  case square
  /// `╔═╗`
  case double
  /// `+-+`: the fallback for the others on ASCII-only terminals.
  case ascii

  /// The characters of a box.
  struct Lines {
    let horizontal, vertical: Unicode.Scalar
    let topLeft, topRight, bottomLeft, bottomRight: Unicode.Scalar
    /// The characters where a divider meets the sides.
    let left, right: Unicode.Scalar
  }

  var lines: Lines {
    switch self {
    case .rounded:
      Lines(
        horizontal: "─", vertical: "│", topLeft: "╭", topRight: "╮", bottomLeft: "╰",
        bottomRight: "╯", left: "├", right: "┤")
    case .square:
      Lines(
        horizontal: "─", vertical: "│", topLeft: "┌", topRight: "┐", bottomLeft: "└",
        bottomRight: "┘", left: "├", right: "┤")
    case .double:
      Lines(
        horizontal: "═", vertical: "║", topLeft: "╔", topRight: "╗", bottomLeft: "╚",
        bottomRight: "╝", left: "╟", right: "╢")
    case .ascii:
      Lines(
        horizontal: "-", vertical: "|", topLeft: "+", topRight: "+", bottomLeft: "+",
        bottomRight: "+", left: "+", right: "+")
    }
  }
}
