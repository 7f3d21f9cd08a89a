extension View {
  /// Whether the lists in the view have a scrollbar where they are longer than their room.
  public func scrollIndicators(_ areVisible: Bool) -> some View {
    EnvironmentView(content: self) { $0.showsScrollIndicators = areVisible }
  }

  /// What stands before the selected row of the lists in the view: a scalar of one column.
  public func selectionMark(_ mark: Unicode.Scalar) -> some View {
    EnvironmentView(content: self) { $0.selectionMark = mark }
  }
}
