import Composable
import Terminal

/// The sheet for the code of somebody who declines.
struct DecliningView: View {
  let store: StoreOf<DecliningFeature>

  var body: some View {
    Sheet("\(store.name) declines", width: 64) {
      VStack(alignment: .leading, spacing: 0) {
        Text("They got a code when you named them. With it they are told nothing more.")
        Text("")
        FormField(
          label: "Their code", field: .code, form: store.form, placeholder: "7K3QF-9ZD2M",
          send: { store.send(.form($0)) })
        FormOutcome(form: store.form)
      }
      .padding(.horizontal, 1)
    }
    .formCommands(store.form) { store.send(.form($0)) }
  }
}
