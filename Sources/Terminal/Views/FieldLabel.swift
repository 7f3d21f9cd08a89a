/// The label of a field, as wide as the form wants it.
struct FieldLabel: PrimitiveView {
  let text: String
  let role: ThemeRole

  func build(in tree: ViewTree) {
    Text(text).foreground(role).lineLimit(1)
      .frame(width: tree.environment.labelWidth, alignment: .leading)
      .build(in: tree)
  }
}

extension View {
  /// The columns that the labels of fields take, so that the fields of a form stand in line.
  public func labelWidth(_ columns: Int?) -> some View {
    EnvironmentView(content: self) { $0.labelWidth = columns }
  }
}
