import Composable
import Domain
import Terminal

/// The Dependents tab: the people the person responds for.
struct DependentsView: View {
  let store: StoreOf<ContactListFeature>

  var body: some View {
    // Once for all rows: it is large.
    let snapshot = store.snapshot
    return ContactListView(store: store, title: "Dependents") { contact in
      let status = contact.status(at: snapshot.now)
      let (mark, role) = status.mark
      let text = status.text(of: contact, in: snapshot)
      HStack(spacing: 1) {
        Text(mark).foreground(role).frame(width: 1).accessibilityLabel("")
        Text(contact.name).frame(width: 26, alignment: .leading)
        if contact.link == nil {
          Text(text).frame(width: 18, alignment: .leading)
          Text(contact.note.replacing("\n", with: " ")).foreground(.dim)
            .frame(maxWidth: .max, alignment: .leading)
        } else if status.isTimeLeft {
          Spacer()
          pings(contact)
          Text(text).foreground(role == .calm ? .text : role)
            .layoutPriority(1)
        } else {
          Text(text).foreground(role == .calm ? .text : role)
            .frame(maxWidth: .max, alignment: .leading)
          if let helpers = contact.helpers { Text("✓ \(helpers)").foreground(.calm) }
          pings(contact)
        }
      }
      .lineLimit(1).padding(.trailing, 1)
    } empty: {
      VStack(alignment: .center) {
        Text("You respond for nobody yet.")
        Text(
          store.snapshot.host == .thisMachine
            ? "Press c to add someone by their code, or a to keep a phone number and note at hand."
            : "Press i to invite someone to \(store.snapshot.host.name), c to add someone by their code,"
              + " or a to keep a phone number and note at hand."
        )
        .foreground(.dim)
      }
      .multilineTextAlignment(.center)
    }
  }

  @ViewBuilder private func pings(_ contact: Contact) -> some View {
    let snapshot = store.snapshot
    if contact.openReceivedPing(at: snapshot.now) != nil {
      Text("↙ asks you").foreground(.warning)
    }
    if let ping = contact.openSentPing(at: snapshot.now) {
      Text("↗ pinged \(snapshot.calendar.age(of: ping.sentAt, now: snapshot.now))")
        .foreground(.accent)
    }
  }
}
