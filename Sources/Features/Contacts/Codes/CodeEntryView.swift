import Composable
import Domain
import Terminal

/// The sheet for typing or pasting somebody's code.
struct CodeEntryView: View {
  let store: StoreOf<CodeEntryFeature>

  var body: some View {
    Sheet("Add by code", width: 72) {
      VStack(alignment: .leading, spacing: 0) {
        FormField(
          label: "Code", field: .code, form: store.form, placeholder: "lifesignal://add/6f1c…",
          send: { store.send(.form($0)) })
        role(.responder, "Responder", "they respond for you")
        role(.dependent, "Dependent", "you respond for them")
        if let error = store.form.errors[.responder] ?? store.form.errors[.dependent] {
          Text("! \(error.errorDescription)").foreground(.danger)
        }
        Text("")
        Text(
          "Everybody finds their code in LifeSignal with k. Paste it in any spelling, or give the path"
            + " of a picture of it (PNG, JPEG)."
        )
        .foreground(.dim)
        FormOutcome(form: store.form)
      }
      .padding(.horizontal, 1)
    }
    .formCommands(store.form) { store.send(.form($0)) }
    .overlay {
      if let found = store.found { question(found) }
    }
  }

  private func role(
    _ field: CodeEntryFeature.Field, _ label: String, _ meaning: String
  ) -> some View {
    FormToggle(
      label: label, field: field, form: store.form, meaning: meaning,
      send: { store.send(.form($0)) })
  }

  private func question(_ found: CodeEntryFeature.Found) -> some View {
    var sentences = ["\(found.name) is asked, and nothing is shared before they accept."]
    if store.roles.contains(.responder) {
      sentences.append(
        "Then they are told when you need help, and see your phone, emergency note and check-ins.")
    }
    if store.roles.contains(.dependent) {
      sentences.append(
        "Then you are told when they need help, and see their phone, emergency note and check-ins.")
    }
    return Dialog(
      title: "Ask \(found.name)?", message: sentences.joined(separator: "\n"),
      buttons: [
        DialogButton("Back", key: "esc") { store.send(.backButtonTapped) },
        DialogButton(store.isAsking ? "Asking …" : "Ask", key: "enter", role: .accent) {
          store.send(.askButtonTapped)
        },
      ], selected: 1)
  }
}
