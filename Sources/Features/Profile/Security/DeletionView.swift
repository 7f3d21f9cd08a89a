import Composable
import Domain
import Terminal

/// The sheet that says what deleting the account means, and asks for it in words (AUTH-4).
struct DeletionView: View {
  let store: StoreOf<DeletionFeature>

  var body: some View {
    Sheet("Delete the account", width: 72, role: .danger) {
      VStack(alignment: .leading, spacing: 0) {
        Text("This cannot be undone. Your profile, contacts, history and notes are deleted.").bold()
        Text(responders)
        if store.snapshot.activeManualAlert != nil {
          Text("Your alert is cancelled, and whoever was told of it is told so.")
            .foreground(.danger)
        }
        Text("")
        Text("Type \(store.snapshot.user.profile.name) to confirm.").foreground(.dim)
        FormField(
          label: "Your name", field: .name, form: store.form, send: { store.send(.form($0)) })
        if store.form.shown.contains(.password) { secret(.password, "Password") }
        if store.form.shown.contains(.passphrase) { secret(.passphrase, "Passphrase") }
        FormOutcome(form: store.form, savingText: "Deleting …")
      }
      .padding(.horizontal, 1)
    }
    .command("enter", "Delete") { store.send(.form(.saveButtonTapped)) }
    .fieldCommands { store.send(.form($0)) }
    .command("esc", "Keep the account") { store.send(.form(.closeButtonTapped)) }
  }

  private func secret(_ field: DeletionFeature.Field, _ label: String) -> some View {
    FormField(label: label, field: field, form: store.form, send: { store.send(.form($0)) })
  }

  private var responders: String {
    let responders = store.snapshot.responders
    guard !responders.isEmpty else { return "You have no responders to be told." }
    let names =
      responders.count <= 3
      ? responders.map(\.name).joinedAsList : "Your \(responders.count) responders"
    let verb = responders.count == 1 ? "gets" : "get"
    return "\(names) \(verb) a message that nobody watches you any more."
  }
}
