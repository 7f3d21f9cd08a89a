/// A block of a Markdown text.
enum MarkdownBlock: Equatable {
  /// A heading of a level from 1 to 6.
  case heading(level: Int, [MarkdownSpan])
  case paragraph([MarkdownSpan])
  /// A list item with its marker and indentation level.
  case item(marker: String, depth: Int, [MarkdownSpan])
  case quote([MarkdownBlock])
  /// Lines to show unchanged.
  case code([String])
  case rule
}
