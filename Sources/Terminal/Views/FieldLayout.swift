/// The positions of a field's characters, scrolled so that the cursor is visible. One column stays
/// blank on each side.
struct FieldLayout {
  let characters: [Character]
  let lines: FieldLines
  /// The number of columns scrolled out of view on the left.
  let left: Int
  /// The number of lines scrolled out of view at the top.
  let top: Int
  /// The cursor's position in the field.
  let cursor: Point

  init(characters: [Character], cursor position: Int, size: Size, isMultiline: Bool) {
    self.characters = characters
    lines = FieldLines(characters, columns: isMultiline ? size.columns - 2 : .max)
    let line = lines.line(of: position)
    let range = lines.range(line) ?? 0..<0
    let column = characters[
      range.lowerBound..<max(range.lowerBound, min(position, characters.count))
    ]
    .reduce(0) { $0 + $1.columns }
    left = isMultiline ? 0 : max(0, column - max(0, size.columns - 2))
    top = max(0, line - max(0, size.rows - 1))
    cursor = Point(column: 1 + column - left, row: line - top)
  }

  /// Returns the index of the character at a point in the field, for mouse events.
  func position(at point: Point) -> Int {
    guard let range = lines.range(min(top + point.row, lines.count - 1)) else { return 0 }
    var column = 1 - left
    for position in range {
      column += characters[position].columns
      if column > point.column { return position }
    }
    return range.upperBound
  }
}
