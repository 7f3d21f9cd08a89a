/// Lays out and draws text in several styles.
struct RunTextElement: Element {
  struct Run {
    let text: String
    let style: Style
  }
  private let runs: [Run]
  /// The width as one line, or -1 if the text has line breaks or tabs.
  private let columns: Int32
  private let options: TextOptions

  init(runs: [Run], options: TextOptions) {
    self.runs = runs
    self.options = options
    var sum = 0
    for run in runs {
      guard let columns = TextLayout.lineColumns(run.text) else {
        sum = -1
        break
      }
      sum += columns
    }
    columns = Int32(exactly: sum) ?? -1
  }

  private var text: String {
    var text = ""
    for run in runs { text += run.text }
    return text
  }

  /// Whether the text is a single line that fits.
  private func fits(_ offered: Int) -> Bool {
    columns >= 0 && (!Proposal.isDefinite(offered) || offered >= columns)
  }

  func measure(_ proposal: Proposal, node: NodeID, in tree: ViewTree) -> Size {
    if fits(proposal.columns) { return Size(columns: Int(columns), rows: 1) }
    return TextLayout.size(of: TextLayout.lines(of: text, in: proposal, options: options))
  }

  func extents(along axis: Axis, across: Int) -> Extents? {
    guard columns >= 0 else { return nil }
    if axis == .horizontal {
      return Extents(minimum: 0, ideal: Int(columns), maximum: Int(columns))
    }
    return fits(across) ? Extents(minimum: 1, ideal: 1, maximum: 1) : nil
  }

  func draw(node: NodeID, in tree: ViewTree, on canvas: Canvas) {
    let rect = tree.rect(of: node)
    if fits(rect.columns) {
      let indent = options.alignment.offset(of: Int(columns), in: rect.columns)
      var point = rect.origin.offset(columns: indent)
      for run in runs {
        point.column += canvas.write(run.text, at: point, style: run.style)
      }
      return
    }
    var styles = RunStyles(runs)
    let lines = TextLayout.lines(of: text, in: Proposal(rect.size), options: options)
    for (row, line) in lines.enumerated() where row < rect.rows {
      let indent = options.alignment.offset(of: line.columns, in: rect.columns)
      let point = rect.origin.offset(columns: max(0, indent), rows: row)
      styles.draw(line, at: point, on: canvas)
    }
  }
}

/// Finds the style of each grapheme of wrapped lines by looking it up in the original runs.
private struct RunStyles {
  private var graphemes: [(grapheme: Grapheme, style: Style)] = []
  private var position = 0

  init(_ runs: [RunTextElement.Run]) {
    for run in runs {
      for grapheme in run.text.graphemes { graphemes.append((grapheme, run.style)) }
    }
  }

  /// Draws a line. Lines must be drawn in order.
  mutating func draw(_ line: String, at point: Point, on canvas: Canvas) {
    var column = point.column
    for grapheme in line.graphemes {
      canvas.draw(
        grapheme, at: Point(column: column, row: point.row),
        style: canvas.screen.styleID(style(of: grapheme)))
      column += grapheme.columns
    }
  }

  /// Returns the style of the next equal grapheme. Wrapping drops white space and adds ellipses or
  /// spaces for tabs, but keeps the order; an added grapheme takes the style of the previous one.
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
