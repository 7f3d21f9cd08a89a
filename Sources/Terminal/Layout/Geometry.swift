/// A width and a height, counted in terminal cells.
public struct Size: Hashable, Sendable {
  /// Cells from left to right; never negative in a value that the terminal reports.
  public var columns: Int
  /// Cells from top to bottom; never negative in a value that the terminal reports.
  public var rows: Int

  /// A size in cells.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// No cells at all.
  public static let zero = Size(columns: 0, rows: 0)

  /// Whether there is no cell to draw in.
  public var isEmpty: Bool { columns <= 0 || rows <= 0 }
}

/// A cell's place, counted from 0 at the top left.
public struct Point: Hashable, Sendable {
  /// Cells from the left edge.
  public var column: Int
  /// Cells from the top edge.
  public var row: Int

  /// The place of a cell.
  public init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }

  /// The top left cell.
  public static let zero = Point(column: 0, row: 0)

  /// The point moved by a number of cells; negative numbers move left and up.
  public func offset(columns: Int = 0, rows: Int = 0) -> Point {
    Point(column: column + columns, row: row + rows)
  }
}

/// A rectangle of cells. The right and bottom edges are exclusive.
public struct Rect: Hashable, Sendable {
  /// The top left cell.
  public var origin: Point
  /// The extent to the right and down.
  public var size: Size

  /// A rectangle from its top left cell and its extent.
  public init(origin: Point, size: Size) {
    self.origin = origin
    self.size = size
  }

  /// A rectangle from the column and row of its top left cell and its extent.
  public init(column: Int, row: Int, columns: Int, rows: Int) {
    origin = Point(column: column, row: row)
    size = Size(columns: columns, rows: rows)
  }

  /// A rectangle without cells at the top left.
  public static let zero = Rect(origin: .zero, size: .zero)

  /// The first column.
  public var minColumn: Int { origin.column }
  /// One past the last column.
  public var maxColumn: Int { origin.column + size.columns }
  /// The first row.
  public var minRow: Int { origin.row }
  /// One past the last row.
  public var maxRow: Int { origin.row + size.rows }
  /// The width in cells.
  public var columns: Int { size.columns }
  /// The height in cells.
  public var rows: Int { size.rows }
  /// Whether the rectangle has no cells.
  public var isEmpty: Bool { size.isEmpty }

  /// Whether the cell at `point` belongs to the rectangle.
  public func contains(_ point: Point) -> Bool {
    point.column >= minColumn && point.column < maxColumn
      && point.row >= minRow && point.row < maxRow
  }

  /// The cells that both rectangles have; empty (with a size of zero or more) when they are apart.
  public func intersection(_ other: Rect) -> Rect {
    let column = max(minColumn, other.minColumn)
    let row = max(minRow, other.minRow)
    return Rect(
      column: column, row: row,
      columns: max(0, min(maxColumn, other.maxColumn) - column),
      rows: max(0, min(maxRow, other.maxRow) - row))
  }

  /// The rectangle moved by a number of cells.
  public func offset(columns: Int = 0, rows: Int = 0) -> Rect {
    Rect(origin: origin.offset(columns: columns, rows: rows), size: size)
  }

  /// The rectangle made smaller on each side, never below a size of zero.
  public func inset(top: Int = 0, leading: Int = 0, bottom: Int = 0, trailing: Int = 0) -> Rect {
    Rect(
      column: minColumn + leading, row: minRow + top,
      columns: max(0, columns - leading - trailing), rows: max(0, rows - top - bottom))
  }
}
