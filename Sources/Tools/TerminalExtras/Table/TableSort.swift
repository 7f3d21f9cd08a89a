/// The sorting of a table.
public struct TableSort: Hashable, Sendable {
  /// The index of the column.
  public var column: Int
  /// Whether small values come first.
  public var isAscending: Bool

  /// Creates a sorting by a column, ascending by default.
  public init(column: Int, isAscending: Bool = true) {
    self.column = column
    self.isAscending = isAscending
  }

  /// Returns the sorting after a column's heading was chosen: by that column, or reversed if it is
  /// already sorted by it.
  public func toggled(_ column: Int) -> TableSort {
    TableSort(column: column, isAscending: column == self.column ? !isAscending : true)
  }
}
