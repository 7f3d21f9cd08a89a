/// The position of a list: which row is selected and which is the first visible. It is kept in the
/// state of a feature.
public struct ListPosition: Codable, Hashable, Sendable {
  /// The index of the selected row, from 0. An index out of range means the nearest row.
  public var selected: Int
  /// The index of the first visible line, which is the first visible row if the list has no
  /// sections. The list scrolls further if the selected row would be out of view.
  public var offset: Int

  /// Creates a position, by default at the start of the list.
  public init(selected: Int = 0, offset: Int = 0) {
    self.selected = selected
    self.offset = offset
  }

  /// Returns the position within the bounds of a list without sections, with the selected row
  /// visible.
  ///
  /// - Parameters:
  ///   - count: The number of rows.
  ///   - visible: The number of rows visible at once.
  public func normalized(count: Int, visible: Int) -> ListPosition {
    ListLines(rowCount: count).normalized(self, visible: visible)
  }
}
