/// The lines of a list: one for each row and, if the rows are in sections, one for the title above
/// each section.
struct ListLines {
  /// The content of a line.
  enum Line: Equatable {
    /// The title of a section, by its index among those with rows.
    case title(Int)
    case row(Int)
  }

  let rowCount: Int
  /// The index of the first row of each section; empty without sections.
  private let starts: [Int]

  /// - Parameter sectionCounts: The number of rows in each section, none of them 0.
  init(rowCount: Int, sectionCounts: [Int] = []) {
    self.rowCount = rowCount
    var starts: [Int] = []
    var next = 0
    for count in sectionCounts {
      starts.append(next)
      next += count
    }
    self.starts = starts
  }

  var count: Int { rowCount + starts.count }

  /// - Complexity: O(log sections), as is ``line(ofRow:)``.
  subscript(line: Int) -> Line {
    guard !starts.isEmpty else { return .row(line) }
    let section = starts.indices.partitionPoint { starts[$0] + $0 > line } - 1
    return starts[section] + section == line ? .title(section) : .row(line - section - 1)
  }

  func line(ofRow row: Int) -> Int {
    row + starts.indices.partitionPoint { starts[$0] > row }
  }

  /// Returns the rows among some lines.
  func rows(in lines: Range<Int>) -> Range<Int> {
    guard !starts.isEmpty else { return lines }
    func rows(before line: Int) -> Int {
      switch line < count ? self[line] : .row(rowCount) {
      case .row(let row): row
      case .title(let section): starts[section]
      }
    }
    return rows(before: lines.lowerBound)..<rows(before: lines.upperBound)
  }

  /// Returns the position within bounds and with the selected row visible. If that row is the first
  /// of its section and scrolls into view from above, so does the title.
  func normalized(_ position: ListPosition, visible: Int) -> ListPosition {
    guard rowCount > 0 else { return ListPosition() }
    let visible = max(1, visible)
    let selected = min(max(0, position.selected), rowCount - 1)
    let line = line(ofRow: selected)
    var offset = position.offset <= line ? position.offset : top(ofLine: line)
    offset = max(offset, line - visible + 1)
    offset = min(max(0, offset), max(0, count - visible))
    return ListPosition(selected: selected, offset: offset)
  }

  /// Returns the first line to show for a row: the title, if the row is the first of its section.
  private func top(ofLine line: Int) -> Int {
    line > 0 && self[line - 1].isTitle ? line - 1 : line
  }

  /// Returns the position after moving `step` rows down, or up if negative.
  func moved(_ position: ListPosition, by step: Int, visible: Int) -> ListPosition {
    var moved = normalized(position, visible: visible)
    moved.selected = min(max(0, moved.selected + step), max(0, rowCount - 1))
    if rowCount > 0 {
      moved.offset = min(moved.offset, top(ofLine: line(ofRow: moved.selected)))
    }
    return normalized(moved, visible: visible)
  }

  /// Returns the position after scrolling by `lines`; the selection stays visible.
  func scrolled(_ position: ListPosition, by lines: Int, visible: Int) -> ListPosition {
    guard rowCount > 0 else { return ListPosition() }
    var moved = normalized(position, visible: visible)
    let visible = max(1, visible)
    moved.offset = min(max(0, moved.offset + lines), max(0, count - visible))
    // A view of one line must not show just a title, which has no row to select.
    if visible == 1, self[moved.offset].isTitle { moved.offset += lines < 0 ? -1 : 1 }
    moved.offset = max(moved.offset, visible == 1 ? self.line(ofRow: 0) : 0)
    let last = moved.offset + visible - 1
    var line = min(max(line(ofRow: moved.selected), moved.offset), last)
    if self[line].isTitle { line += line < last ? 1 : -1 }
    if case .row(let row) = self[max(0, line)] { moved.selected = row }
    return normalized(moved, visible: visible)
  }
}

extension ListLines.Line {
  fileprivate var isTitle: Bool {
    if case .title = self { true } else { false }
  }
}

extension Range<Int> {
  /// Returns the first number for which the condition holds, given that it holds for all that
  /// follow; the upper bound if it holds for none.
  fileprivate func partitionPoint(_ condition: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if condition(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
