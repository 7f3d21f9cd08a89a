import Domain
import Terminal

/// A labelled field of a form with what is wrong with it beneath; the same in every form.
struct FormField: View {
  let label: String
  let input: TextInput
  let isFocused: Bool
  var placeholder = ""
  var error: ValidationError?
  /// Rows of a field with several lines; `nil` for one line.
  var rows: Int?
  let onFocus: @MainActor () -> Void
  let onEdit: @MainActor (TextEdit) -> Void

  /// All labels of a form are this wide, so that the fields stand in a column.
  static let labelWidth = 16

  var body: some View {
    Group {
      if let rows {
        TextEditor(
          label, input: input, isFocused: isFocused, placeholder: placeholder, error: message,
          minHeight: rows, maxHeight: rows, onFocus: onFocus, onEdit: onEdit)
      } else {
        TextField(
          label, input: input, isFocused: isFocused, placeholder: placeholder, error: message,
          onFocus: onFocus, onEdit: onEdit)
      }
    }
    .labelWidth(Self.labelWidth)
  }

  private var message: String? {
    error.map {
      [$0.errorDescription, $0.recoverySuggestion].compactMap(\.self).joined(separator: " ")
    }
  }
}

/// The question before a changed form is closed.
struct DiscardDialog: View {
  let keep: @MainActor () -> Void
  let discard: @MainActor () -> Void

  var body: some View {
    Dialog(
      title: "Throw away your changes?", message: "What you have typed here will be lost.",
      buttons: [
        DialogButton("Keep editing", key: "esc") { keep() },
        DialogButton("Throw away", key: "y", role: .danger) { discard() },
      ])
  }
}
