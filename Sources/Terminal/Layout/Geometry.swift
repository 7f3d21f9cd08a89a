/// A width and height in terminal cells.
public struct Size: Hashable, Sendable {
  /// The width in cells; never negative in a size reported by the terminal.
  public var columns: Int
  /// The height in cells; never negative in a size reported by the terminal.
  public var rows: Int

  /// Creates a size.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// The size without any cells.
  public static let zero = Size(columns: 0, rows: 0)

  /// Whether the size contains no cells.
  public var isEmpty: Bool { columns <= 0 || rows <= 0 }
}

/// The position of a cell, counted from 0 at the top left.
public struct Point: Hashable, Sendable {
  /// The distance from the left edge in cells.
  public var column: Int
  /// The distance from the top edge in cells.
  public var row: Int

  /// Creates a point.
  public init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }

  /// The top left cell.
  public static let zero = Point(column: 0, row: 0)

  /// Returns the point moved by a number of cells; negative numbers move it left and up.
  public func offset(columns: Int = 0, rows: Int = 0) -> Point {
    Point(column: column + columns, row: row + rows)
  }
}

/// A rectangle of cells. The right and bottom edges are exclusive.
public struct Rect: Hashable, Sendable {
  /// The top left cell.
  public var origin: Point
  /// The width and height.
  public var size: Size

  /// Creates a rectangle from its top left cell and its size.
  public init(origin: Point, size: Size) {
    self.origin = origin
    self.size = size
  }

  /// Creates a rectangle from the column and row of its top left cell and its size.
  public init(column: Int, row: Int, columns: Int, rows: Int) {
    origin = Point(column: column, row: row)
    size = Size(columns: columns, rows: rows)
  }

  /// The empty rectangle at the top left.
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

  /// Whether the cell at `point` is in the rectangle.
  public func contains(_ point: Point) -> Bool {
    point.column >= minColumn && point.column < maxColumn
      && point.row >= minRow && point.row < maxRow
  }

  /// Returns the cells that are in both rectangles; empty, with a size of at least zero, if they
  /// don't overlap.
  public func intersection(_ other: Rect) -> Rect {
    let column = max(minColumn, other.minColumn)
    let row = max(minRow, other.minRow)
    return Rect(
      column: column, row: row,
      columns: max(0, min(maxColumn, other.maxColumn) - column),
      rows: max(0, min(maxRow, other.maxRow) - row))
  }

  /// Returns the rectangle moved by a number of cells.
  public func offset(columns: Int = 0, rows: Int = 0) -> Rect {
    Rect(origin: origin.offset(columns: columns, rows: rows), size: size)
  }

  /// Returns the rectangle reduced on each side, but not below a size of zero.
  public func inset(top: Int = 0, leading: Int = 0, bottom: Int = 0, trailing: Int = 0) -> Rect {
    Rect(
      column: minColumn + leading, row: minRow + top,
      columns: max(0, columns - leading - trailing), rows: max(0, rows - top - bottom))
  }
}

/// A direction of layout.
public enum Axis: Hashable, Sendable {
  /// From left to right, in columns.
  case horizontal
  /// From top to bottom, in rows.
  case vertical
}

extension Size {
  /// Returns the extent along an axis.
  func along(_ axis: Axis) -> Int { axis == .horizontal ? columns : rows }
  /// Returns the extent across an axis.
  func across(_ axis: Axis) -> Int { axis == .horizontal ? rows : columns }

  init(_ axis: Axis, along: Int, across: Int) {
    self =
      axis == .horizontal
      ? Size(columns: along, rows: across) : Size(columns: across, rows: along)
  }
}

extension Proposal {
  func along(_ axis: Axis) -> Int { axis == .horizontal ? columns : rows }
  func across(_ axis: Axis) -> Int { axis == .horizontal ? rows : columns }

  init(_ axis: Axis, along: Int, across: Int) {
    self =
      axis == .horizontal
      ? Proposal(columns: along, rows: across) : Proposal(columns: across, rows: along)
  }
}

/// Sides of a rectangle.
public struct Edges: OptionSet, Hashable, Sendable {
  /// One bit for each side.
  public let rawValue: UInt8

  /// Creates a set of sides from its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The upper side.
  public static let top = Edges(rawValue: 1)
  /// The left side.
  public static let leading = Edges(rawValue: 2)
  /// The lower side.
  public static let bottom = Edges(rawValue: 4)
  /// The right side.
  public static let trailing = Edges(rawValue: 8)
  /// Left and right.
  public static let horizontal: Edges = [.leading, .trailing]
  /// Top and bottom.
  public static let vertical: Edges = [.top, .bottom]
  /// All four sides.
  public static let all: Edges = [.horizontal, .vertical]
}
