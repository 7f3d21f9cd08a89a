import Composable
import Terminal

/// The sheet for the code that somebody sent back.
struct ReplyView: View {
  let store: StoreOf<ReplyFeature>

  var body: some View {
    Sheet("Somebody answered", width: 68) {
      VStack(alignment: .leading, spacing: 0) {
        Text("Every message has a code for whom it was sent to. Type the one they gave you.")
        Text("")
        FormField(
          label: "Their code", field: .code, form: store.form, placeholder: "7K3QF-9ZD2M",
          send: { store.send(.form($0)) })
        Text("")
        Text("The code of a call for help says that they take care of it.").foreground(.dim)
        Text("The one from being named says that they want no messages.").foreground(.dim)
        FormOutcome(form: store.form, savingText: "Looking for it …")
      }
      .padding(.horizontal, 1)
    }
    .formCommands(store.form) { store.send(.form($0)) }
  }
}
