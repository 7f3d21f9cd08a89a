import Domain
import Terminal

/// What has become of saving a form, under its fields: that it is being done, or why it could not be
/// and what to do.
struct FormOutcome<Field: FormKey>: View {
  let form: Form<Field>
  var savingText = "Saving …"

  var body: some View {
    VStack(alignment: .leading, spacing: 0) {
      if let failure = form.failure {
        Text("! \(failure.description)").bold().foreground(.danger)
        if let recovery = failure.recovery {
          Text(recovery).foreground(.dim).padding(.leading, 2)
        }
      }
      if form.isSaving { Text(savingText).foreground(.dim) }
    }
  }
}
