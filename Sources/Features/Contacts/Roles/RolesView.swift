import Composable
import Domain
import Terminal

/// The sheet of roles, then the question whether the change is meant.
struct RolesView: View {
  let store: StoreOf<RolesFeature>

  var body: some View {
    if store.proposed != nil {
      confirmation
    } else {
      Sheet("Roles of \(store.contact.name)", width: 56) {
        VStack(alignment: .leading, spacing: 0) {
          List(
            rows, position: store.position, isFocused: true,
            onMove: { store.send(.moved($0)) }, onOpen: { _ in store.send(.chooseButtonTapped) }
          ) { row, _ in
            Text(row)
          }
          .frame(height: rows.count)
          if let failure = store.failure { FailureText(failure) }
        }
        .padding(.horizontal, 1)
      }
      .command("enter", "Choose") { store.send(.chooseButtonTapped) }
      .command("esc", "Close") { store.send(.closeButtonTapped) }
    }
  }

  private var rows: [String] {
    RolesFeature.State.choices.map { roles in
      roles.displayText + (roles == store.contact.roles ? "  (now)" : "")
    } + ["none: remove the contact"]
  }

  private var confirmation: some View {
    var message = store.consequences.joined(separator: "\n")
    if let failure = store.failure { message += "\n\n\(failure.sentence)" }
    return Dialog(
      title: "Change the roles?", message: message,
      buttons: [
        DialogButton("Back", key: "esc") { store.send(.backButtonTapped) },
        DialogButton(store.isSaving ? "Saving …" : "Change", key: "enter", role: .accent) {
          store.send(.confirmButtonTapped)
        },
      ], selected: 1)
  }
}
