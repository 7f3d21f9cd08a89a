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
