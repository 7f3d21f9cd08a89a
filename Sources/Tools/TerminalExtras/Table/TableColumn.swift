public import Terminal

/// A column of a ``Table``.
public struct TableColumn<Element> {
  /// How wide a column is.
  public enum Width: Hashable, Sendable {
    /// So many columns of the terminal.
    case fixed(Int)
    /// What the fixed ones leave, shared with the others of this kind.
    case fill
  }

  let title: String
  let width: Width
  let alignment: HorizontalAlignment
  let content: @MainActor (Element) -> Text

  /// - Parameters:
  ///   - title: The column's head.
  ///   - width: How wide it is.
  ///   - alignment: Where head and cells stand; numbers belong to the right.
  ///   - content: The text of an element's cell, cut to the width.
  public init(
    _ title: String, width: Width = .fill, alignment: HorizontalAlignment = .leading,
    content: @escaping @MainActor (Element) -> Text
  ) {
    self.title = title
    self.width = width
    self.alignment = alignment
    self.content = content
  }
}
