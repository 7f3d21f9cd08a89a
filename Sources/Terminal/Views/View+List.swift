extension View {
  /// Sets whether lists in the view show a scrollbar if their rows don't all fit.
  public func scrollIndicators(_ areVisible: Bool) -> some View {
    EnvironmentView(content: self) { $0.showsScrollIndicators = areVisible }
  }

  /// Sets the mark of the selected row for lists in the view: a scalar one column wide.
  public func selectionMark(_ mark: Unicode.Scalar) -> some View {
    EnvironmentView(content: self) { $0.selectionMark = mark }
  }
}
