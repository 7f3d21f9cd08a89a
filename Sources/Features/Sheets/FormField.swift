import Domain
import Terminal

/// The width of every label in a form, so that its fields line up.
let formLabelWidth = 16

/// A field of a form with its label and, beneath it, its error or doubt.
struct FormField<Field: FormKey>: View {
  let label: String
  let field: Field
  let form: Form<Field>
  var placeholder = ""
  /// The rows of a multi-line field.
  var rows = 4
  let send: @MainActor (FormAction<Field>) -> Void

  var body: some View {
    VStack(alignment: .leading, spacing: 0) {
      TextField(
        label, input: form[field], isFocused: isFocused, placeholder: placeholder, error: error,
        rows: rows...rows, onFocus: { send(.focused(field)) },
        onEdit: { send(.edited(field, $0)) }
      )
      .labelWidth(formLabelWidth)
      if let doubt = form.doubts[field] {
        Text("? \(doubt)").foreground(.warning).padding(.leading, formLabelWidth + 1)
      }
    }
  }

  private var isFocused: Bool { form.focus == field }

  private var error: String? {
    form.errors[field]?.text.sentence
  }
}
