/// What a cell of the in-memory terminal shows.
public struct ScreenCell: Hashable, Sendable {
  /// The cluster, a space for a cell that was erased, empty for the right half of a wide one.
  public var text: String
  /// The cells that the cluster covers: 1 or 2, and 0 for the right half of a wide one.
  public var columns: Int
  /// The attributes.
  public var style: CellStyle
  /// The number of the sixel picture that is to be seen in the cell.
  var sixel: Int?

  init(text: String = " ", columns: Int = 1, style: CellStyle = CellStyle()) {
    self.text = text
    self.columns = columns
    self.style = style
  }

  /// Whether this is the right half of a wide character.
  var isContinuation: Bool { columns == 0 }
}
