/// Where a list stands: which row is selected and which one is the first to be seen. It belongs
/// into a feature's state.
public struct ListPosition: Codable, Hashable, Sendable {
  /// The index of the selected row, from 0. Out of range counts as the nearest row.
  public var selected: Int
  /// The index of the first visible row. The list shows another one where the selected row would
  /// not be seen otherwise.
  public var offset: Int

  public init(selected: Int = 0, offset: Int = 0) {
    self.selected = selected
    self.offset = offset
  }

  /// The position brought into the bounds of a list, with the selected row in sight.
  ///
  /// - Parameters:
  ///   - count: How many rows there are.
  ///   - visible: How many of them are seen at once.
  public func normalized(count: Int, visible: Int) -> ListPosition {
    guard count > 0 else { return ListPosition() }
    let visible = max(1, visible)
    let selected = min(max(0, selected), count - 1)
    var offset = min(offset, selected)
    offset = max(offset, selected - visible + 1)
    offset = min(max(0, offset), max(0, count - visible))
    return ListPosition(selected: selected, offset: offset)
  }

  /// The position after `step` rows down, or up when it is negative.
  func moved(by step: Int, count: Int, visible: Int) -> ListPosition {
    var moved = normalized(count: count, visible: visible)
    moved.selected = min(max(0, moved.selected + step), max(0, count - 1))
    return moved.normalized(count: count, visible: visible)
  }

  /// The position after the view is moved by `rows`; the selection stays in sight.
  func scrolled(by rows: Int, count: Int, visible: Int) -> ListPosition {
    var moved = normalized(count: count, visible: visible)
    moved.offset = min(max(0, moved.offset + rows), max(0, count - visible))
    moved.selected = min(max(moved.selected, moved.offset), moved.offset + max(1, visible) - 1)
    return moved.normalized(count: count, visible: visible)
  }
}
