extension Frame {
  /// Returns the rows with their colours as SGR sequences, for a terminal or a pager. Each row ends
  /// in the plain style. Links and shaped underlines are left out, since not every reader
  /// understands them.
  public func ansiText(colorDepth: ColorDepth = .trueColor) -> String {
    var buffer = EscapeBuffer()
    for row in 0..<size.rows {
      if row > 0 { buffer.append("\n") }
      var style = Style.plain
      for column in 0..<lineEnd(row) {
        let cell = self[column, row]
        let shown = cell.style.reduced(to: colorDepth, features: [])
        buffer.appendStyle(shown, after: style)
        style = shown
        buffer.append(text: cell.text)
      }
      buffer.appendStyle(.plain, after: style)
    }
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  /// Returns the end of a row's contents: the index after its last cell that isn't a plain blank.
  private func lineEnd(_ row: Int) -> Int {
    var end = size.columns
    while end > 0, self[end - 1, row] == Cell(text: " ", style: .plain) { end -= 1 }
    return end
  }
}
