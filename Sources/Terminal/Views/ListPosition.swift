/// Where a list stands: which row is selected and which one is the first to be seen. It belongs
/// into a feature's state.
public struct ListPosition: Hashable, Sendable {
  /// The index of the selected row, from 0. Out of range counts as the nearest row.
  public var selected: Int
  /// The index of the first visible line: of the first visible row, where the list has no sections.
  /// The list shows another one where the selected row would not be seen otherwise.
  public var offset: Int

  /// The start of the list, or another place in it.
  public init(selected: Int = 0, offset: Int = 0) {
    self.selected = selected
    self.offset = offset
  }

  /// The position brought into the bounds of a list without sections, with the selected row in
  /// sight.
  ///
  /// - Parameters:
  ///   - count: How many rows there are.
  ///   - visible: How many of them are seen at once.
  public func normalized(count: Int, visible: Int) -> ListPosition {
    ListLines(rowCount: count).normalized(self, visible: visible)
  }
}
