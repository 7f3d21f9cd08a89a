/// A view for each element of a collection.
///
/// All of them are built. For many rows of which few are visible, use ``List``.
public struct ForEach<Data: RandomAccessCollection, Content: View>: PrimitiveView {
  private let data: Data
  private let content: (Data.Element) -> Content

  /// - Parameters:
  ///   - data: The elements.
  ///   - id: The identity of an element. It documents intent only: views keep nothing between frames,
  ///     so duplicate elements are fine.
  ///   - content: Builds the view of an element.
  public init<ID: Hashable>(
    _ data: Data, id: KeyPath<Data.Element, ID>,
    @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {
    self.data = data
    self.content = content
  }

  /// Creates a view for each element.
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
  where Data.Element: Identifiable {
    self.data = data
    self.content = content
  }

  /// Creates a view for each number of a range.
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
  where Data == Range<Int> {
    self.data = data
    self.content = content
  }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    for element in data { content(element).build(in: tree) }
  }
}
