import Composable
import Terminal

/// The sheet for a new password, or for none.
struct PasswordView: View {
  let store: StoreOf<PasswordFeature>

  var body: some View {
    Sheet(title, width: 64) {
      VStack(alignment: .leading, spacing: 0) {
        Text(explanation).foreground(.dim)
        Text("")
        ForEach(store.form.shown, id: \.self) { field in
          FormField(
            label: label(of: field), field: field, form: store.form,
            placeholder: field == .new ? "at least 8 characters" : "",
            send: { store.send(.form($0)) })
        }
        FormOutcome(form: store.form)
      }
      .padding(.horizontal, 1)
    }
    .formCommands(store.form) { store.send(.form($0)) }
  }

  private var title: String {
    switch store.task {
    case .set: "Set a password"
    case .change: "Change the password"
    case .remove: "Remove the password"
    case .confirmAddress: "Confirm your e-mail address"
    }
  }

  private var explanation: String {
    switch store.task {
    case .set: "You sign in with it and with the address in your profile, here too."
    case .change: "Every other session ends."
    case .remove: "Whoever can open the file is you then, without signing in."
    case .confirmAddress: "Until you type the code from the mail, you sign in with the old one."
    }
  }

  private func label(of field: PasswordFeature.Field) -> String {
    switch field {
    case .current: "Password now"
    case .new: "New password"
    case .repetition: "Once more"
    case .code: "Code"
    }
  }
}
