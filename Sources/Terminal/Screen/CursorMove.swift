/// The shortest byte sequence that moves the cursor.
///
/// A relative move has a part within the row and a part between rows. The part within the row comes
/// first, because it establishes the column if that is unknown.
struct CursorMove {
  private enum WithinRow {
    case stay, start, backspaces, left, right, column
  }

  private enum BetweenRows {
    case stay, lineFeeds, down, reverseLineFeed, up
  }

  private let target: Point
  private let columns: Int
  private let rows: Int
  private var withinRow = WithinRow.stay
  private var betweenRows = BetweenRows.stay
  private var isAbsolute = false
  /// The number of bytes in the sequence.
  private(set) var cost: Int

  /// - Parameters:
  ///   - row: The cursor's row; `nil` if unknown.
  ///   - column: The cursor's column; `nil` if unknown.
  ///   - isRelative: Whether the row on the screen is unknown. Then `row` isn't `nil`.
  init(fromRow row: Int?, column: Int?, to target: Point, isRelative: Bool = false) {
    self.target = target
    columns = target.column - (column ?? 0)
    rows = target.row - (row ?? 0)
    cost = Self.absoluteCost(target)
    guard row != nil else {
      isAbsolute = true
      return
    }
    var best = Int.max
    func offer(_ way: WithinRow, _ cost: Int, to best: inout Int) {
      if cost < best {
        best = cost
        withinRow = way
      }
    }
    if let column {
      if target.column == column { offer(.stay, 0, to: &best) }
    }
    if target.column == 0 { offer(.start, 1, to: &best) }
    if let column {
      if target.column < column {
        offer(.backspaces, -columns, to: &best)
        offer(.left, EscapeBuffer.controlCost(-columns), to: &best)
      }
      if target.column > column { offer(.right, EscapeBuffer.controlCost(columns), to: &best) }
    }
    offer(.column, EscapeBuffer.controlCost(target.column + 1), to: &best)
    if rows > 0 {
      let control = EscapeBuffer.controlCost(rows)
      betweenRows = rows <= control ? .lineFeeds : .down
      best += min(rows, control)
    } else if rows < 0 {
      betweenRows = rows == -1 ? .reverseLineFeed : .up
      best += rows == -1 ? 2 : EscapeBuffer.controlCost(-rows)
    }
    isAbsolute = !isRelative && cost <= best
    cost = isAbsolute ? cost : best
  }

  /// Appends the sequence.
  func append(to output: inout EscapeBuffer) {
    if isAbsolute { return appendAbsolute(to: &output) }
    switch withinRow {
    case .stay: break
    case .start: output.append(0x0D)
    case .backspaces: for _ in columns..<0 { output.append(0x08) }
    case .left: output.appendControl(-columns, "D")
    case .right: output.appendControl(columns, "C")
    case .column: output.appendControl(target.column + 1, "G")
    }
    switch betweenRows {
    case .stay: break
    case .lineFeeds: for _ in 0..<rows { output.append(0x0A) }
    case .down: output.appendControl(rows, "B")
    // Moves up by one row. The cursor is never in the first row here, where this would scroll.
    case .reverseLineFeed: output.append("\u{1B}M")
    case .up: output.appendControl(-rows, "A")
    }
  }

  private func appendAbsolute(to output: inout EscapeBuffer) {
    output.append("\u{1B}[")
    if target.row > 0 || target.column > 0 { output.append(number: target.row + 1) }
    if target.column > 0 {
      output.append(UInt8(ascii: ";"))
      output.append(number: target.column + 1)
    }
    output.append(UInt8(ascii: "H"))
  }

  private static func absoluteCost(_ target: Point) -> Int {
    if target == .zero { return 3 }
    let row = 3 + EscapeBuffer.digits(target.row + 1)
    return target.column == 0 ? row : row + 1 + EscapeBuffer.digits(target.column + 1)
  }
}
