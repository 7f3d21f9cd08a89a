/// Frames of a few lines below what the shell has shown.
///
/// Nobody knows in which row of the screen they begin, so rows count from the first line of the
/// frame and the cursor moves relatively only. Between frames it rests in the first line, unless it
/// is visible: what a terminal reflows when its width changes then stays below it.
extension Screen {
  /// Makes room for a frame where the cursor is, or again where the last one was, and prints the
  /// texts that are to be above it.
  func makeRoom() {
    pen.output.append("\u{1B}[m")
    if pen.row == nil { skipUnfinishedLine() }
    pen.output.append(0x0D)
    pen.style = .plain
    pen.moveUp(by: rowsAboveCursor)
    pen.setPosition(.zero)
    pen.eraseBelow()
    if !printed.isEmpty {
      // Longer texts wrap as everything does that is printed, so that they can be copied whole.
      pen.output.append("\u{1B}[?7h")
      for text in printed {
        pen.output.append(text: text.sanitized)
        pen.output.append("\r\n")
      }
      printed.removeAll()
    }
    pen.output.append("\u{1B}[?7l")
    for _ in 1..<max(1, back.size.rows) { pen.output.append(0x0A) }
    pen.moveUp(by: back.size.rows - 1)
  }

  /// Leaves the line that the cursor is in if something is written there, such as a question: nobody knows
  /// the column, but blanks for all columns reach the next line unless they begin in the first.
  private func skipUnfinishedLine() {
    pen.output.append("\u{1B}[?7h")
    for _ in 0..<back.size.columns { pen.output.append(0x20) }
  }

  /// The number of the terminal's rows from the first line of the shown frame to the cursor.
  private var rowsAboveCursor: Int {
    guard let row = pen.row else { return 0 }
    let columns = back.size.columns
    guard reflows, columns > 0, columns < front.size.columns else { return row }
    let lines = (0..<min(row, front.size.rows)).map { line in
      let cells = front.cells[line * front.size.columns..<(line + 1) * front.size.columns]
      let used = cells.lastIndex { $0.glyph != .blank }.map { $0 - cells.startIndex + 1 } ?? 0
      return max(1, (used + columns - 1) / columns)
    }
    return lines.reduce(0, +) + (pen.column ?? 0) / columns
  }

  /// Ends inline frames: leaves the cursor in the line below the last one, or where the first was.
  /// - Returns: The bytes to write.
  func leaveLines(erasing isErased: Bool) -> [UInt8] {
    pen.output.removeAll()
    guard isInline, let row = pen.row else { return [] }
    pen.output.append("\u{1B}[m\r")
    if isErased {
      pen.moveUp(by: row)
      pen.setPosition(.zero)
      pen.eraseBelow()
    } else {
      for _ in row..<max(row, front.size.rows - 1) { pen.output.append(0x0A) }
      pen.output.append("\r\n")
    }
    pen.forget()
    invalidate()
    return pen.output.bytes
  }
}
