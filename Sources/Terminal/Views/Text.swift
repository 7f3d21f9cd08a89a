/// Text, in one or several styles, that wraps to the width it is given.
///
///     Text("due in ") + Text("41m").bold().foreground(.warning)
///
/// The text may come from anywhere: what must not reach a terminal is removed or made visible
/// where it enters a cell. Lines end at line feeds and wrap between words; see
/// ``View/lineLimit(_:)`` and ``View/truncation(_:)`` for text that is to stay short.
public struct Text: PrimitiveView, Hashable, Sendable {
  struct Run: Hashable, Sendable {
    var text: String
    var change = StyleChange()
  }
  /// Most texts have one run, which needs no array.
  private var first: Run
  private var rest: [Run] = []

  /// Text in one style, from any source.
  public nonisolated init(_ text: String) {
    first = Run(text: text)
  }

  /// Text in one style, from any source.
  public nonisolated init(_ text: some StringProtocol) {
    first = Run(text: String(text))
  }

  /// The texts one after the other.
  public nonisolated static func + (left: Text, right: Text) -> Text {
    var sum = left
    sum.rest.append(right.first)
    sum.rest += right.rest
    return sum
  }

  /// Colours the text by what it means.
  public nonisolated func foreground(_ role: ThemeRole) -> Text {
    changed(StyleChange(foreground: .role(role)))
  }
  /// Colours the text.
  public nonisolated func foreground(_ color: Color) -> Text {
    changed(StyleChange(foreground: .color(color)))
  }
  /// Draws the text heavier.
  public nonisolated func bold() -> Text { changed(StyleChange(attributes: .bold)) }
  /// Draws the text fainter, by the terminal's attribute; see also the role `dim`.
  public nonisolated func dim() -> Text { changed(StyleChange(attributes: .dim)) }
  /// Draws the text slanted.
  public nonisolated func italic() -> Text { changed(StyleChange(attributes: .italic)) }
  /// Draws a line under the text.
  /// - Parameters:
  ///   - style: The shape of the line, where the terminal has shapes.
  ///   - color: The role whose colour it has; `nil` for that of the text.
  public nonisolated func underline(
    _ style: UnderlineStyle = .single, color: ThemeRole? = nil
  ) -> Text {
    changed(.underline(style, color.map(StyleChange.Paint.role)))
  }
  /// Lets the text lead to an address, with a line under it. Without a link nothing changes.
  public nonisolated func link(_ link: Hyperlink?) -> Text { changed(.link(link)) }
  /// Draws the text with its colours exchanged.
  public nonisolated func reverse() -> Text { changed(StyleChange(attributes: .reverse)) }
  /// Draws a line through the text.
  public nonisolated func strike() -> Text { changed(StyleChange(attributes: .strike)) }
  /// Lets the text blink, for an alert that is on and nothing else.
  public nonisolated func blink() -> Text { changed(StyleChange(attributes: .blink)) }

  /// What a run says for itself holds against what is said around it.
  private nonisolated func changed(_ change: StyleChange) -> Text {
    var text = self
    text.first.change = change.merged(with: first.change)
    for index in text.rest.indices {
      text.rest[index].change = change.merged(with: text.rest[index].change)
    }
    return text
  }

  /// The columns of the text on one line.
  nonisolated var columns: Int {
    var sum = first.text.columns
    for run in rest { sum += run.text.columns }
    return sum
  }

  /// Adds the view to the tree of the frame.
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
