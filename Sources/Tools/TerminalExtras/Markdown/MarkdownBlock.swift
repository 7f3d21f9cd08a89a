/// A block of a Markdown text.
enum MarkdownBlock: Equatable {
  /// A heading of a level from 1 to 6.
  case heading(level: Int, [MarkdownSpan])
  case paragraph([MarkdownSpan])
  /// An entry of a list; `marker` is what stands before it, `depth` how far it is indented.
  case item(marker: String, depth: Int, [MarkdownSpan])
  case quote([MarkdownBlock])
  /// Lines that are shown as they are.
  case code([String])
  case rule
}
