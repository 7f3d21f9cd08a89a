import Domain
import Terminal

/// The line under a form that says it is being saved, or why it couldn't be and what to do.
struct FormOutcome<Field: FormKey>: View {
  let form: Form<Field>
  var savingText = "Saving …"

  var body: some View {
    VStack(alignment: .leading, spacing: 0) {
      if let failure = form.failure { FailureText(failure) }
      if form.isSaving { Text(savingText).foreground(.dim) }
    }
  }
}

/// An error and its recovery, never shortened.
struct FailureText: View {
  let failure: ErrorText

  init(_ failure: ErrorText) { self.failure = failure }

  var body: some View {
    VStack(alignment: .leading, spacing: 0) {
      Text("! \(failure.description)").bold().foreground(.danger)
      if let recovery = failure.recovery {
        Text(recovery).foreground(.dim).padding(.leading, 2)
      }
    }
  }
}

extension ErrorText {
  /// The keys in this error's banner. "Try again" is offered only if it can help.
  var dismissHint: String { isRetryable ? "r Try again · Esc Dismiss" : "Esc Dismiss" }
}
