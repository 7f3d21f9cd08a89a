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
  private var runs: [Run]

  public init(_ text: some StringProtocol) {
    runs = [Run(text: String(text))]
  }

  /// The texts one after the other.
  public static func + (left: Text, right: Text) -> Text {
    var sum = left
    sum.runs += right.runs
    return sum
  }

  public func foreground(_ role: ThemeRole) -> Text {
    changed(StyleChange(foreground: .role(role)))
  }
  public func foreground(_ color: Color) -> Text {
    changed(StyleChange(foreground: .color(color)))
  }
  public func bold() -> Text { changed(StyleChange(attributes: .bold)) }
  public func dim() -> Text { changed(StyleChange(attributes: .dim)) }
  public func italic() -> Text { changed(StyleChange(attributes: .italic)) }
  public func underline() -> Text { changed(StyleChange(attributes: .underline)) }
  public func reverse() -> Text { changed(StyleChange(attributes: .reverse)) }
  public func strike() -> Text { changed(StyleChange(attributes: .strike)) }
  public func blink() -> Text { changed(StyleChange(attributes: .blink)) }

  /// What a run says for itself holds against what is said around it.
  private func changed(_ change: StyleChange) -> Text {
    var text = self
    for index in text.runs.indices {
      text.runs[index].change = change.merged(with: text.runs[index].change)
    }
    return text
  }

  public func build(in tree: ViewTree) {
    let environment = tree.environment
    let theme = tree.theme
    let styled = runs.map { run in
      var style = environment.style
      run.change.apply(to: &style, theme: theme)
      return TextElement.Run(text: run.text, style: style)
    }
    tree.add(
      TextElement(
        runs: styled, lineLimit: environment.lineLimit, truncation: environment.truncation,
        alignment: environment.textAlignment))
  }
}
