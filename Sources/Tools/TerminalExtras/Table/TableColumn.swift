public import Terminal

/// A column of a ``Table``.
public struct TableColumn<Element> {
  /// The width of a column.
  public enum Width: Hashable, Sendable {
    /// A number of terminal columns.
    case fixed(Int)
    /// An equal share of the width that fixed columns leave.
    case fill
  }

  let title: String
  let width: Width
  let alignment: HorizontalAlignment
  let content: @MainActor (Element) -> Text

  /// Creates a column.
  /// - Parameters:
  ///   - title: The column's heading.
  ///   - width: The column's width.
  ///   - alignment: The alignment of the heading and cells; use trailing for numbers.
  ///   - content: Returns the text of an element's cell, which is cut to the width.
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
