import Terminal

/// A switch of a form with its label and meaning.
struct FormToggle<Field: FormKey>: View {
  let label: String
  let field: Field
  let form: Form<Field>
  let meaning: String
  let send: @MainActor (FormAction<Field>) -> Void

  var body: some View {
    let isOn = form.isOn(field)
    let isFocused = form.focus == field
    HStack(spacing: 1) {
      Text(label)
        .foreground(isFocused ? .accent : .dim)
        .frame(width: formLabelWidth + 1, alignment: .leading)
      Text(isOn ? "[x]" : "[ ]").foreground(isFocused ? .accent : .text)
      Text(meaning).foreground(isOn ? .text : .dim)
    }
    .onTap {
      send(.focused(field))
      send(.toggled(field))
    }
    .commandIf(isFocused, "space", "Toggle") { send(.toggled(field)) }
  }
}
