@testable import Terminal

/// A typical screen – tabs, a boxed list of 10,000 rows and a footer on 160×48 cells – drawn cell
/// by cell, so that the output depends on the writer alone.
struct ContactScreen {
  static let size = Size(columns: 160, rows: 48)

  var selected = 0
  var top = 0
  /// The number of seconds elapsed.
  var time = 0

  private static let page = 44
  private static let names = [
    "Ada Lovelace", "Grace Hopper", "Edsger Dijkstra", "Barbara Liskov", "Zoë Müller", "山田 太郎",
  ]
  private static let statuses: [(text: String, color: UInt8)] = [
    ("ok", 114), ("due", 221), ("late", 203), ("paused", 245),
  ]

  /// Moves the selection, scrolling to keep it visible.
  mutating func move(by distance: Int) {
    selected += distance
    top = min(max(top, selected - Self.page + 1), selected)
  }

  func draw(on canvas: Canvas) {
    canvas.write(" Queue ", at: .zero, style: .plain)
    canvas.write(
      " Contacts ", at: Point(column: 7, row: 0), style: Style(attributes: [.bold, .reverse]))
    canvas.write(" Timeline  Settings ", at: Point(column: 17, row: 0), style: .plain)
    let right = Self.size.columns - 1
    for (row, text) in [(1, "╭╮"), (46, "╰╯")] {
      canvas.fill(Rect(column: 1, row: row, columns: right - 1, rows: 1), with: "─", style: .plain)
      canvas.write(String(text.first!), at: Point(column: 0, row: row), style: .plain)
      canvas.write(String(text.last!), at: Point(column: right, row: row), style: .plain)
    }
    canvas.write(" Contacts 10000 ", at: Point(column: 2, row: 1), style: .plain)
    for row in 0..<Self.page {
      canvas.put("│", at: Point(column: 0, row: row + 2), style: .plain)
      canvas.put("│", at: Point(column: right, row: row + 2), style: .plain)
      drawContact(top + row, row: row + 2, on: canvas)
    }
    canvas.write("j/k move   / search   q quit", at: Point(column: 0, row: 47), style: .plain)
    canvas.write(
      "sel \(padded(selected))  frame \(padded(time))", at: Point(column: 138, row: 47),
      style: .plain)
  }

  private func drawContact(_ number: Int, row: Int, on canvas: Canvas) {
    let isSelected = number == selected
    let bar = Style(foreground: .palette(231), background: .palette(24), attributes: .bold)
    let style = isSelected ? bar : .plain
    canvas.fill(Rect(column: 1, row: row, columns: 158, rows: 1), style: style)
    if isSelected { canvas.put("▸", at: Point(column: 1, row: row), style: bar) }
    let name = Self.names[number % Self.names.count]
    canvas.write("\(name) #\(padded(number))", at: Point(column: 2, row: row), style: style)
    let status = Self.statuses[number % Self.statuses.count]
    canvas.write(
      status.text, at: Point(column: 42, row: row),
      style: isSelected ? bar : Style(foreground: .palette(status.color)))
    let seconds = (number * 7919 + 864_000 - time) % 864_000
    let clock = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60]
      .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    canvas.write(" \(seconds / 86_400)d \(clock)", at: Point(column: 52, row: row), style: style)
  }

  private func padded(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
  }
}
