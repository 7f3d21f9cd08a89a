/// The size that a parent offers a view. A view answers with the size it takes.
struct Proposal: Hashable {
  /// Columns on offer; `ideal` asks for what the view likes best.
  var columns: Int
  /// Rows on offer; `ideal` asks for what the view likes best.
  var rows: Int

  /// No limit and no wish: the view's own choice.
  static let ideal = -1
  /// As much as the view could ever take.
  static let infinite = Int(Int32.max)

  init(columns: Int = ideal, rows: Int = ideal) {
    self.columns = columns
    self.rows = rows
  }

  init(_ size: Size) {
    columns = size.columns
    rows = size.rows
  }

  /// The size on offer, with a view's own size where there is no definite offer.
  func resolved(_ own: Size) -> Size {
    Size(
      columns: Self.isDefinite(columns) ? columns : own.columns,
      rows: Self.isDefinite(rows) ? rows : own.rows)
  }

  /// The size of a view that takes all that is on offer.
  /// - Parameter ideal: The size that it likes best.
  func filled(ideal: Size) -> Size {
    Size(
      columns: columns == Self.ideal ? ideal.columns : columns,
      rows: rows == Self.ideal ? ideal.rows : rows)
  }

  /// The proposal made smaller on both axes, where it is definite.
  func reduced(columns less: Int, rows fewer: Int) -> Proposal {
    Proposal(
      columns: Self.isDefinite(columns) ? max(0, columns - less) : columns,
      rows: Self.isDefinite(rows) ? max(0, rows - fewer) : rows)
  }

  static func isDefinite(_ extent: Int) -> Bool { extent >= 0 && extent < infinite }
}
