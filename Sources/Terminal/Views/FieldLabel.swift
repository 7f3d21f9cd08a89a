/// The label of a field, as wide as the form asks for.
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
  /// Sets the width of field labels in columns, so that the fields of a form line up.
  public func labelWidth(_ columns: Int?) -> some View {
    EnvironmentView(content: self) { $0.labelWidth = columns }
  }
}
