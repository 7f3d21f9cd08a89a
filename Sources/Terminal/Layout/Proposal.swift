/// The size that a parent offers a view, which responds with the size it takes.
struct Proposal: Hashable {
  /// The columns offered; `ideal` asks for the view's preferred width.
  var columns: Int
  /// The rows offered; `ideal` asks for the view's preferred height.
  var rows: Int

  /// No constraint: the view takes its preferred length.
  static let ideal = -1
  /// Unlimited space: the view takes the most it can use.
  static let infinite = Int(Int32.max)

  init(columns: Int = ideal, rows: Int = ideal) {
    self.columns = columns
    self.rows = rows
  }

  init(_ size: Size) {
    columns = size.columns
    rows = size.rows
  }

  /// Returns the offered size, or the view's own where the offer is indefinite.
  func resolved(_ own: Size) -> Size {
    Size(
      columns: Self.isDefinite(columns) ? columns : own.columns,
      rows: Self.isDefinite(rows) ? rows : own.rows)
  }

  /// Returns the size of a view that takes all the space offered.
  /// - Parameter ideal: The preferred size.
  func filled(ideal: Size) -> Size {
    Size(
      columns: columns == Self.ideal ? ideal.columns : columns,
      rows: rows == Self.ideal ? ideal.rows : rows)
  }

  /// Returns the proposal reduced on both axes, where it is definite.
  func reduced(columns less: Int, rows fewer: Int) -> Proposal {
    Proposal(
      columns: Self.isDefinite(columns) ? max(0, columns - less) : columns,
      rows: Self.isDefinite(rows) ? max(0, rows - fewer) : rows)
  }

  static func isDefinite(_ extent: Int) -> Bool { extent >= 0 && extent < infinite }
}
