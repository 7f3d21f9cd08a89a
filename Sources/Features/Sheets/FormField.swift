import Domain
import Terminal

/// All labels of a form are this wide, so that the fields stand in a column.
let formLabelWidth = 16

/// The field of a form with its label and what is wrong with it beneath.
struct FormField<Field: FormKey>: View {
  let label: String
  let field: Field
  let form: Form<Field>
  var placeholder = ""
  /// Rows of a field with several lines.
  var rows = 4
  /// Whether keys may go to the field; not while something over the form waits for one.
  var takesKeys = true
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

  private var isFocused: Bool { takesKeys && form.focus == field }

  private var error: String? {
    form.errors[field]?.text.sentence
  }
}
