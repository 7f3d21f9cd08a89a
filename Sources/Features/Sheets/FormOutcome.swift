import Domain
import Terminal

/// How saving a form goes, under its fields: that it is being done, or why it could not be
/// and what to do.
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

/// What went wrong and what to do, whole, however many lines that takes.
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
  /// The keys of a banner that says this: trying again is offered only where it can help.
  var dismissHint: String { isRetryable ? "r Try again · Esc Dismiss" : "Esc Dismiss" }
}
