import Composable
import Terminal

/// The sheet for a new passphrase gate, which says what a duress passphrase does.
struct GateFormView: View {
  let store: StoreOf<GateFormFeature>

  var body: some View {
    Sheet(store.hasGate ? "Change the passphrase gate" : "Set a passphrase gate", width: 72) {
      VStack(alignment: .leading, spacing: 0) {
        Text(
          "Whatever postpones or weakens help asks for the passphrase: a check-in, cancelling an alert, "
            + "a pause, a longer interval, removing a responder or a channel, and more."
        )
        .foreground(.dim)
        Text("")
        field(.passphrase, "Passphrase", "at least 4 characters")
        field(.repetition, "Once more")
        Text("")
        Text(
          "A duress passphrase is for when somebody forces you: on the screen it does just the same, "
            + "but your responders are told silently that you are in danger. If mail goes out from "
            + "your own mailbox, a copy may appear in your Sent folder: give each responder another "
            + "channel, such as ntfy."
        )
        .foreground(.dim)
        Text("")
        field(.duress, "Under duress", "another one, optional")
        field(.duressRepetition, "Once more")
        FormOutcome(form: store.form)
      }
      .padding(.horizontal, 1)
    }
    .formCommands(store.form) { store.send(.form($0)) }
    .overlay {
      if let gate = store.scope(state: \.$gate, action: GateFormFeature.Action.gateCase) {
        GateView(store: gate)
      }
    }
  }

  private func field(
    _ field: GateFormFeature.Field, _ label: String, _ placeholder: String = ""
  ) -> some View {
    FormField(
      label: label, field: field, form: store.form, placeholder: placeholder,
      send: { store.send(.form($0)) })
  }
}
