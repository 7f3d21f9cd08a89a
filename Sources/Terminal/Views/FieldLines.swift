/// The lines of an edited text, broken at line feeds and, if too long, after the last space that
/// fits.
struct FieldLines {
  private var ranges: [Range<Int>] = []

  init(_ characters: [Character], columns: Int) {
    let columns = max(1, columns)
    var start = 0
    var width = 0
    var afterSpace: Int?
    for (position, character) in characters.enumerated() {
      if character.isNewline {
        ranges.append(start..<position)
        start = position + 1
        width = 0
        afterSpace = nil
        continue
      }
      width += character.columns
      if width > columns, position > start {
        let end = afterSpace ?? position
        ranges.append(start..<end)
        start = end
        width = characters[start...position].reduce(0) { $0 + $1.columns }
        afterSpace = nil
      }
      if character == " " { afterSpace = position + 1 }
    }
    ranges.append(start..<characters.count)
  }

  var count: Int { ranges.count }

  /// Returns the characters of a line, without its line feed.
  func range(_ line: Int) -> Range<Int>? {
    ranges.indices.contains(line) ? ranges[line] : nil
  }

  /// Returns the line that contains a position.
  func line(of position: Int) -> Int {
    (ranges.lastIndex { $0.lowerBound <= position }) ?? 0
  }
}
