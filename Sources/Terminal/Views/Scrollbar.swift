/// A bar that shows which part of a long view is visible.
struct Scrollbar {
  /// The total number of rows.
  let count: Int
  /// The number of visible rows.
  let visible: Int
  /// The number of rows above the visible ones.
  let offset: Int

  /// Returns the rows of the thumb in a bar of the given height. The thumb touches an end of the
  /// bar only if that end of the content is visible.
  func thumb(height: Int) -> Range<Int> {
    guard count > visible, height > 0 else { return 0..<max(0, height) }
    let length = max(1, height * visible / count)
    let last = count - visible
    var start = (height - length) * offset / last
    if offset > 0, start == 0, height > length { start = 1 }
    if offset < last, start == height - length, start > 0 { start -= 1 }
    return start..<start + length
  }

  @MainActor
  func draw(in rect: Rect, theme: Theme, on canvas: Canvas) {
    let thumb = thumb(height: rect.rows)
    canvas.fill(rect, with: "│", style: theme[.track])
    canvas.fill(
      Rect(
        column: rect.minColumn, row: rect.minRow + thumb.lowerBound, columns: 1, rows: thumb.count),
      with: theme.glyphs != .unicode ? "#" : "┃", style: theme[.dim])
  }
}
