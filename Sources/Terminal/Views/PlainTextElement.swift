/// Lays out and draws text in a single style, that of its node.
struct PlainTextElement: Element {
  let text: String
  /// The width as one line, or -1 if the text has line breaks or tabs. Most text is one short line,
  /// which this makes cheap to measure.
  private let columns: Int32
  private let options: TextOptions

  init(_ text: String, options: TextOptions) {
    self.text = text
    self.options = options
    columns = TextLayout.lineColumns(text).flatMap(Int32.init(exactly:)) ?? -1
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
    let style = tree.style(of: node)
    if fits(rect.columns) {
      let indent = options.alignment.offset(of: Int(columns), in: rect.columns)
      canvas.write(text, at: rect.origin.offset(columns: indent), style: style)
      return
    }
    let lines = TextLayout.lines(of: text, in: Proposal(rect.size), options: options)
    for (row, line) in lines.enumerated() where row < rect.rows {
      let indent = options.alignment.offset(of: line.columns, in: rect.columns)
      canvas.write(
        line, at: rect.origin.offset(columns: max(0, indent), rows: row), style: style)
    }
  }
}
