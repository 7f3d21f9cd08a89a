import Terminal

extension InMemoryTerminal {
  /// Carries out a control sequence; returns `false` if it is unknown.
  mutating func perform(_ sequence: ControlCode) -> Bool {
    let cursor = page.cursor
    let count = sequence.value(0)
    switch sequence.name {
    case "A": moveCursor(toRow: max(cursor.row - count, topLimit))
    case "B", "e": moveCursor(toRow: min(cursor.row + count, bottomLimit))
    case "C", "a": moveCursor(toColumn: cursor.column + count)
    case "D": moveCursor(toColumn: cursor.column - count)
    case "E": moveCursor(toColumn: 0, row: min(cursor.row + count, bottomLimit))
    case "F": moveCursor(toColumn: 0, row: max(cursor.row - count, topLimit))
    case "G", "`": moveCursor(toColumn: count - 1)
    case "H", "f": moveCursor(toAddressed: count - 1, column: sequence.value(1) - 1)
    case "d": moveCursor(toAddressed: count - 1)
    case "J": return eraseDisplay(sequence.value(0, or: 0))
    case "K": return eraseLine(sequence.value(0, or: 0))
    case "X": erase(row: cursor.row, from: cursor.column, to: cursor.column + count)
    case "@": insertCells(count)
    case "P": deleteCells(count)
    case "L": insertLines(count)
    case "M": deleteLines(count)
    case "S": scrollUp(count)
    case "T": scrollDown(count)
    case "b":
      if let lastCharacter {
        for _ in 0..<count { for scalar in lastCharacter.unicodeScalars { put(scalar) } }
      }
    case "m": applyRendition(sequence.parameters)
    case "r": setScrollRegion(top: sequence.value(0), bottom: sequence.value(1, or: size.rows))
    case "s": saveCursor()
    case "u": restoreCursor()
    case "h" where count == 8: reordersText = true
    case "l" where count == 8: reordersText = false
    case "?h": for index in sequence.parameters.indices { setMode(sequence.value(index), true) }
    case "?l": for index in sequence.parameters.indices { setMode(sequence.value(index), false) }
    case " q": cursorShape = CursorShape(rawValue: sequence.value(0, or: 0)) ?? .standard
    case "t": return performWindow(sequence)
    case ">u": page.keyboard.append(sequence.value(0, or: 0))
    case "<u": page.keyboard.removeLast(min(count, page.keyboard.count))
    case "=u": setKeyboard(flags: sequence.value(0, or: 0), how: sequence.value(1))
    default: return answer(sequence)
    }
    return true
  }

  /// Answers a query as a modern terminal does; returns `false` if the sequence is unknown.
  private mutating func answer(_ sequence: ControlCode) -> Bool {
    switch sequence.name {
    case "c": reply("\u{1B}[?62;22;52c")
    case ">q": reply("\u{1B}P>|XTerm(InMemoryTerminal)\u{1B}\\")
    case "?u": reply("\u{1B}[?\(keyboardFlags)u")
    case "n" where sequence.value(0) == 5: reply("\u{1B}[0n")
    case "n" where sequence.value(0) == 6:
      reply("\u{1B}[\(addressedRow);\(page.cursor.column + 1)R")
    case "?n" where sequence.value(0) == 6:
      reply("\u{1B}[?\(addressedRow);\(page.cursor.column + 1)R")
    case "?n" where sequence.value(0) == 996: reply("\u{1B}[?997;1n")
    case "?$p":
      let mode = sequence.value(0)
      let setting = !Self.knownModes.contains(mode) ? 0 : modes.contains(mode) ? 1 : 2
      reply("\u{1B}[?\(mode);\(setting)$y")
    default: return false
    }
    return true
  }

  /// The cursor's row as addressed by programs.
  private var addressedRow: Int {
    page.cursor.row + 1 - (modes.contains(6) ? scrollRegion.lowerBound : 0)
  }

  /// The private modes known to `DECRQM`.
  static let knownModes: Set<Int> = [
    1, 6, 7, 25, 1000, 1002, 1003, 1004, 1006, 1016, 1049, 2004, 2026, 2027, 2031, 2048,
  ]

  private mutating func reply(_ text: String) {
    answers += Array(text.utf8)
  }

  private mutating func setMode(_ mode: Int, _ isSet: Bool) {
    switch mode {
    case 1049:
      if isSet && !isAlternateScreen { saveCursor() }
      showAlternateScreen(isSet)
      if isSet { _ = eraseDisplay(2) } else { restoreCursor() }
    case 47, 1047:
      showAlternateScreen(isSet)
    default:
      if mode == 2026 && !isSet && modes.contains(2026) { synchronizedUpdates += 1 }
      if !Self.knownModes.contains(mode) {
        unknown.append("\u{1B}[?\(mode)\(isSet ? "h" : "l")")
      }
      if isSet { modes.insert(mode) } else { modes.remove(mode) }
      if mode == 6 { moveCursor(toAddressed: 0, column: 0) }
      if isSet && mode == 2048 { reportSize() }
    }
  }

  private mutating func showAlternateScreen(_ isShown: Bool) {
    guard isShown != isAlternateScreen else { return }
    let cursor = page.cursor
    swap(&page, &otherPage)
    page.cursor = cursor
    page.isWrapPending = false
    isAlternateScreen = isShown
    lastPlace = nil
  }

  private mutating func setKeyboard(flags: Int, how: Int) {
    let now = keyboardFlags
    if page.keyboard.isEmpty { page.keyboard.append(0) }
    let new = how == 2 ? now | flags : how == 3 ? now & ~flags : flags
    page.keyboard[page.keyboard.count - 1] = new
  }

  private mutating func performWindow(_ sequence: ControlCode) -> Bool {
    switch sequence.value(0) {
    case 14: reply("\u{1B}[4;\(size.rows * 20);\(size.columns * 10)t")
    case 16: reply("\u{1B}[6;20;10t")
    case 18: reply("\u{1B}[8;\(size.rows);\(size.columns)t")
    case 22: titleStack.append(title)
    case 23: if let last = titleStack.popLast() { title = last }
    default: return false
    }
    return true
  }

  /// Carries out an OSC, DCS or APC string.
  mutating func perform(string bytes: [UInt8], kind: UInt8) {
    let text = String(decoding: bytes, as: UTF8.self)
    let parts = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    let content = parts.count > 1 ? String(parts[1]) : ""
    if kind == UInt8(ascii: "P"), text == "+q524742" {
      reply("\u{1B}P1+r524742=38\u{1B}\\")
      return
    }
    if kind == UInt8(ascii: "P"), text == "+q536D756C78" {
      reply("\u{1B}P1+r536D756C78=5C455B343A25703125646D\u{1B}\\")
      return
    }
    if kind == UInt8(ascii: "_"), text.hasPrefix("G") {
      if !performGraphics(text) { noteUnknown("\u{1B}_") }
      return
    }
    if kind == UInt8(ascii: "P"), let start = text.firstIndex(of: "q"),
      text[..<start].allSatisfy({ $0.isNumber || $0 == ";" })
    {
      if !performSixel(text[text.index(after: start)...]) { noteUnknown("\u{1B}P") }
      return
    }
    switch (isString("]"), String(parts[0])) {
    case (true, "0"), (true, "2"): title = content
    case (true, "8"):
      let address = content.drop { $0 != ";" }.dropFirst()
      style.hyperlink = address.isEmpty ? nil : String(address)
    case (true, "52"): clipboard.append(content)
    case (true, "4") where content == "255;?":
      reply("\u{1B}]4;255;rgb:eeee/eeee/eeee\u{1B}\\")
    case (true, "10") where content == "?": reply("\u{1B}]10;rgb:e5e5/e5e5/e5e5\u{1B}\\")
    case (true, "11") where content == "?": reply("\u{1B}]11;rgb:1010/1010/1010\u{1B}\\")
    default: noteUnknown("\u{1B}" + String(Character(Unicode.Scalar(kind))))
    }
  }
}
