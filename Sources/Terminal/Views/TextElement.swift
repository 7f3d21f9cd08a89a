/// Lays text out in lines and draws them.
struct TextElement: Element {
  struct Run {
    let text: String
    let style: Style
  }
  let runs: [Run]
  let lineLimit: Int?
  let truncation: Truncation
  let alignment: HorizontalAlignment

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    let lines = lines(in: proposal)
    return Size(columns: lines.reduce(0) { max($0, $1.columns) }, rows: lines.count)
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    let rect = tree.rect(of: node)
    let lines = lines(in: Proposal(rect.size))
    var styles = RunStyles(runs)
    for (row, line) in lines.enumerated() where row < rect.rows {
      let indent = alignment.offset(of: line.columns, in: rect.columns)
      let point = rect.origin.offset(columns: max(0, indent), rows: row)
      if runs.count == 1 {
        canvas.write(line, at: point, style: runs[0].style)
      } else {
        styles.draw(line, at: point, on: canvas)
      }
    }
  }

  /// The text in lines of the width and, if there is an end to them, the rows on offer.
  private func lines(in proposal: Proposal) -> [String] {
    let text = runs.count == 1 ? runs[0].text : runs.map(\.text).joined()
    let isWidthDefinite = Proposal.isDefinite(proposal.columns)
    if isWidthDefinite, proposal.columns == 0 { return [""] }
    var limit = lineLimit ?? .max
    if Proposal.isDefinite(proposal.rows) { limit = min(limit, max(1, proposal.rows)) }
    let isOneLine = !text.utf8.contains { $0 == 10 || $0 == 13 || $0 == 9 }
    if isOneLine {
      if !isWidthDefinite || text.columns <= proposal.columns { return [text] }
      if limit == 1 { return [text.truncated(to: proposal.columns, truncation)] }
    }
    // Far wider than any screen where the width has no end.
    let columns = isWidthDefinite ? proposal.columns : 100_000
    let lines = text.wrapped(to: columns)
    guard lines.count > limit else { return lines }
    return cut(lines, to: limit, columns: columns)
  }

  /// The first lines, the last of them with a sign that more is missing.
  private func cut(_ lines: [String], to limit: Int, columns: Int) -> [String] {
    var kept = Array(lines.prefix(limit))
    kept[limit - 1] = (kept[limit - 1] + "…").truncated(to: columns)
    return kept
  }
}

/// Finds the style of each grapheme of wrapped lines in the runs that they came from.
private struct RunStyles {
  private var graphemes: [(grapheme: Grapheme, style: Style)] = []
  private var position = 0

  init(_ runs: [TextElement.Run]) {
    guard runs.count > 1 else { return }
    for run in runs {
      for grapheme in run.text.graphemes { graphemes.append((grapheme, run.style)) }
    }
  }

  /// Draws one line; the lines have to come in their order.
  mutating func draw(_ line: String, at point: Point, on canvas: Canvas) {
    var column = point.column
    for grapheme in line.graphemes {
      canvas.draw(
        grapheme, at: Point(column: column, row: point.row),
        style: canvas.screen.styleID(style(of: grapheme)))
      column += grapheme.columns
    }
  }

  /// Wrapping drops white space and adds an ellipsis or the spaces of tabs, but keeps the order:
  /// the style is that of the next equal grapheme, or of the last one for what was added.
  private mutating func style(of grapheme: Grapheme) -> Style {
    var candidate = position
    while candidate < graphemes.count, graphemes[candidate].grapheme != grapheme { candidate += 1 }
    if candidate < graphemes.count {
      position = candidate + 1
      return graphemes[candidate].style
    }
    return graphemes.isEmpty ? .plain : graphemes[max(0, min(position, graphemes.count) - 1)].style
  }
}
