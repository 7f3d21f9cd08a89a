/// The contents of a cell of the in-memory terminal.
public struct ScreenCell: Hashable, Sendable {
  /// The cluster; a space for an erased cell, empty for the right half of a wide character.
  public var text: String
  /// The width of the cluster: 1 or 2, or 0 for the right half of a wide character.
  public var columns: Int
  /// The style of the cell.
  public var style: CellStyle
  /// The number of the sixel picture visible in the cell.
  var sixel: Int?

  init(text: String = " ", columns: Int = 1, style: CellStyle = CellStyle()) {
    self.text = text
    self.columns = columns
    self.style = style
  }

  /// Whether this is the right half of a wide character.
  var isContinuation: Bool { columns == 0 }
}
