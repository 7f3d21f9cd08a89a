/// What the numbers of the mouse's reports count, as far as the terminal's answers have told.
struct MouseUnit {
  /// Whether they count pixels (mode 1016) instead of cells (mode 1006).
  var isPixels = false
  /// The size of a cell in pixels.
  private var cell: Size?

  /// Takes in what an answer says. The answers stand among the reports, so that each report is read
  /// as the terminal meant it, however late it changes over.
  mutating func learn(_ answer: TerminalAnswer) {
    switch answer {
    case .mode(1016, let setting): isPixels = setting == 1 || setting == 3
    case .cellPixels(let width, let height): cell = Size(columns: width, rows: height)
    default: break
    }
  }

  /// The event at its cell; `nil` when that is not known.
  func located(_ event: MouseEvent) -> MouseEvent? {
    guard isPixels else { return event }
    guard let cell else { return nil }
    let (row, rest) = event.position.row.quotientAndRemainder(dividingBy: cell.rows)
    var event = event
    event.position = Point(column: event.position.column / cell.columns, row: row)
    event.rowFraction = Double(rest) / Double(cell.rows)
    return event
  }
}
