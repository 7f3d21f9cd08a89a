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
