import Composable
import Domain
import Terminal

/// The sheet about one contact.
struct ContactDetailsView: View {
  let store: StoreOf<ContactDetailsFeature>

  private var contact: Contact { store.contact }

  var body: some View {
    Sheet(contact.name, width: 72) {
      VStack(alignment: .leading, spacing: 0) {
        DetailLine("roles", contact.roles.displayText)
        DetailLine("e-mail", contact.email ?? "none – cannot be told")
        DetailLine("phone", contact.phone ?? "–")
        DetailLine("note", contact.note.isEmpty ? "–" : contact.note)
        DetailLine(
          "added", store.snapshot.calendar.describe(contact.addedAt, now: store.snapshot.now))
        if contact.roles.contains(.dependent) {
          Text("")
          Text("They have no account here, so LifeSignal cannot know when they checked in.")
            .foreground(.dim)
        }
        if !store.deliveries.isEmpty {
          Text("")
          ForEach(Array(store.deliveries.prefix(6)), id: \.id) {
            DeliveryLine(delivery: $0, snapshot: store.snapshot)
          }
        }
        if let failure = store.failure { Banner(failure.description, role: .danger) }
        if store.isRemoving { Text("Removing …").foreground(.dim) }
      }
      .padding(.horizontal, 1)
    }
    .command("e", "Edit") { store.send(.editButtonTapped) }
    .command("x", "Remove") { store.send(.removeButtonTapped) }
    .command("esc", "Close") { store.send(.closeButtonTapped) }
    .overlay {
      if store.isConfirmingRemoval { removal }
    }
  }

  private var removal: some View {
    var message = "\(contact.name) will be gone from your contacts."
    if contact.roles.contains(.responder) {
      message += " They will not be told any more when you miss a deadline or raise an alert."
    }
    if store.isLastResponder {
      message += "\n\nThis is your only responder: nobody would be told."
    }
    return Dialog(
      title: "Remove \(contact.name)?", message: message, role: .danger,
      buttons: [
        DialogButton("Keep", key: "esc") { store.send(.removalCancelled) },
        DialogButton("Remove", key: "y", role: .danger) { store.send(.removalConfirmed) },
      ])
  }
}
