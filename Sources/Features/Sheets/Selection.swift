import Terminal

extension ListPosition {
  /// The selected one of some rows; `nil` where there is none.
  func row<Row>(of rows: [Row]) -> Row? {
    rows.indices.contains(selected) ? rows[selected] : nil
  }

  /// Goes to a row, or stays in its place if that is gone.
  mutating func select<Row>(in rows: [Row], _ isWanted: (Row) -> Bool) {
    selected = rows.firstIndex(where: isWanted) ?? min(selected, max(0, rows.count - 1))
  }
}
