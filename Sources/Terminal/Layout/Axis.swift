/// A direction of layout.
public enum Axis: Hashable, Sendable {
  case horizontal
  case vertical
}

extension Size {
  /// Returns the extent along an axis.
  func along(_ axis: Axis) -> Int { axis == .horizontal ? columns : rows }
  /// Returns the extent across an axis.
  func across(_ axis: Axis) -> Int { axis == .horizontal ? rows : columns }

  init(_ axis: Axis, along: Int, across: Int) {
    self =
      axis == .horizontal
      ? Size(columns: along, rows: across) : Size(columns: across, rows: along)
  }
}

extension Proposal {
  func along(_ axis: Axis) -> Int { axis == .horizontal ? columns : rows }
  func across(_ axis: Axis) -> Int { axis == .horizontal ? rows : columns }

  init(_ axis: Axis, along: Int, across: Int) {
    self =
      axis == .horizontal
      ? Proposal(columns: along, rows: across) : Proposal(columns: across, rows: along)
  }
}
