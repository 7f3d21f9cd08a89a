import Domain
import Terminal

/// The line under a form that says it is being saved, or why it couldn't be and what to do.
struct FormOutcome<Field: FormKey>: View {
  let form: Form<Field>
  var savingText = "Saving"
  let send: @MainActor (FormAction<Field>) -> Void

  var body: some View {
    if let failure = form.failure {
      ErrorView(
        failure, retry: .other(form[form.focus].isMultiline ? "Ctrl-S" : "Enter"),
        dismiss: { send(.closeButtonTapped) })
    } else if form.isSaving {
      ProgressView(savingText)
    }
  }
}
