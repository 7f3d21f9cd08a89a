/// A field with its label on the left and its error below.
struct LabeledField: PrimitiveView {
  let label: String
  let error: String?
  let field: FieldView

  func build(in tree: ViewTree) {
    HStack(spacing: 1) {
      if !label.isEmpty {
        FieldLabel(text: label, role: field.isFocused ? .accent : .dim)
      }
      VStack {
        field
        if let error {
          HStack(alignment: .top, spacing: 1) {
            Text("!")
            Text(error)
          }
          .foreground(.danger)
        }
      }
    }
    .build(in: tree)
  }
}
