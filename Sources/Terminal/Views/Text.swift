/// Text in one or more styles that wraps to the width it is given.
///
///     Text("due in ") + Text("41m").bold().foreground(.warning)
///
/// The text can come from any source: characters that must not reach a terminal are removed or made
/// visible before they enter a cell. Lines end at line feeds and wrap between words; to keep text
/// short, see ``View/lineLimit(_:)`` and ``View/truncation(_:)``.
public struct Text: PrimitiveView, Hashable, Sendable {
  struct Run: Hashable, Sendable {
    var text: String
    var change = StyleChange()
  }
  /// Most texts have a single run, which needs no array.
  private var first: Run
  private var rest: [Run] = []

  /// Creates text in one style, from any source.
  public nonisolated init(_ text: String) {
    first = Run(text: text)
  }

  /// Creates text in one style, from any source.
  public nonisolated init(_ text: some StringProtocol) {
    first = Run(text: String(text))
  }

  /// Concatenates two texts.
  public nonisolated static func + (left: Text, right: Text) -> Text {
    var sum = left
    sum.rest.append(right.first)
    sum.rest += right.rest
    return sum
  }

  /// Colours the text by its meaning.
  public nonisolated func foreground(_ role: ThemeRole) -> Text {
    changed(StyleChange(foreground: .role(role)))
  }
  /// Colours the text.
  public nonisolated func foreground(_ color: Color) -> Text {
    changed(StyleChange(foreground: .color(color)))
  }
  /// Makes the text bold.
  public nonisolated func bold() -> Text { changed(StyleChange(attributes: .bold)) }
  /// Makes the text fainter with the terminal's dim attribute; see also the role `dim`.
  public nonisolated func dim() -> Text { changed(StyleChange(attributes: .dim)) }
  /// Makes the text italic.
  public nonisolated func italic() -> Text { changed(StyleChange(attributes: .italic)) }
  /// Underlines the text.
  /// - Parameters:
  ///   - style: The shape of the line, in terminals that support shapes.
  ///   - color: The role whose colour the line has; `nil` for that of the text.
  public nonisolated func underline(
    _ style: UnderlineStyle = .single, color: ThemeRole? = nil
  ) -> Text {
    changed(.underline(style, color.map(StyleChange.Paint.role)))
  }
  /// Links the text to an address and underlines it. Passing `nil` changes nothing.
  public nonisolated func link(_ link: Hyperlink?) -> Text { changed(.link(link)) }
  /// Swaps the text and background colours.
  public nonisolated func reverse() -> Text { changed(StyleChange(attributes: .reverse)) }
  /// Strikes the text through.
  public nonisolated func strike() -> Text { changed(StyleChange(attributes: .strike)) }
  /// Makes the text blink. Reserved for an active alert.
  public nonisolated func blink() -> Text { changed(StyleChange(attributes: .blink)) }

  /// Applies a change below those already made: a run's own style wins over that of the text around
  /// it.
  private nonisolated func changed(_ change: StyleChange) -> Text {
    var text = self
    text.first.change = change.merged(with: first.change)
    for index in text.rest.indices {
      text.rest[index].change = change.merged(with: text.rest[index].change)
    }
    return text
  }

  /// The width of the text on one line, in columns.
  nonisolated var columns: Int {
    var sum = first.text.columns
    for run in rest { sum += run.text.columns }
    return sum
  }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    let options = TextOptions(tree.environment, glyphs: tree.theme.glyphs)
    var style = tree.environment.style
    first.change.apply(to: &style, in: tree)
    if rest.isEmpty {
      tree.add(PlainTextElement(first.text, options: options), style: style)
      return
    }
    var runs = [RunTextElement.Run(text: first.text, style: style)]
    runs.reserveCapacity(rest.count + 1)
    for run in rest {
      style = tree.environment.style
      run.change.apply(to: &style, in: tree)
      runs.append(RunTextElement.Run(text: run.text, style: style))
    }
    tree.add(RunTextElement(runs: runs, options: options))
  }
}

/// Text in one style or several, which is measured alike.
private protocol TextElement: Element {
  var text: String { get }
  /// The width as one line, or -1 if the text has line breaks or tabs. Most text is one short line,
  /// which this makes cheap to measure.
  var columns: Int32 { get }
  var options: TextOptions { get }
}

extension TextElement {
  /// Whether the text is a single line that fits.
  fileprivate func fits(_ offered: Int) -> Bool {
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
}

/// Lays out and draws text in a single style, that of its node.
struct PlainTextElement: TextElement {
  let text: String
  fileprivate let columns: Int32
  fileprivate let options: TextOptions

  init(_ text: String, options: TextOptions) {
    self.text = text
    self.options = options
    columns = TextLayout.lineColumns(text).flatMap(Int32.init(exactly:)) ?? -1
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

/// Lays out and draws text in several styles.
struct RunTextElement: TextElement {
  struct Run {
    let text: String
    let style: Style
  }
  private let runs: [Run]
  fileprivate let columns: Int32
  fileprivate let options: TextOptions

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

  fileprivate var text: String {
    var text = ""
    for run in runs { text += run.text }
    return text
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
