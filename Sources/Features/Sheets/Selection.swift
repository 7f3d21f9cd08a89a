import Terminal

extension ListPosition {
  /// The selected row, or `nil` if there is none.
  func row<Row>(of rows: [Row]) -> Row? {
    rows.indices.contains(selected) ? rows[selected] : nil
  }

  /// Selects the first row that matches, or stays in place if there is none.
  mutating func select<Row>(in rows: [Row], _ isWanted: (Row) -> Bool) {
    selected = rows.firstIndex(where: isWanted) ?? min(selected, max(0, rows.count - 1))
  }
}
