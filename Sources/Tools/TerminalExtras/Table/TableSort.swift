/// Which column a table is sorted by.
public struct TableSort: Hashable, Sendable {
  /// The index of the column.
  public var column: Int
  /// Whether small values come first.
  public var isAscending: Bool

  /// A sort by a column, small values first unless told otherwise.
  public init(column: Int, isAscending: Bool = true) {
    self.column = column
    self.isAscending = isAscending
  }

  /// The sort after the head of a column was chosen: that column, or the other way round when it is
  /// already that one.
  public func toggled(_ column: Int) -> TableSort {
    TableSort(column: column, isAscending: column == self.column ? !isAscending : true)
  }
}
