import Composable
import Domain
import Terminal

/// The Dependents tab: the people the person responds for.
struct DependentsView: View {
  let store: StoreOf<ContactListFeature>

  var body: some View {
    ContactListView(store: store, title: "Dependents", row: DependentRow.init) {
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
}

/// A row with a dependent and their status.
private struct DependentRow: View, Equatable {
  private let contact: Contact
  private let mark: String
  private let role: ThemeRole
  private let text: String
  private let isTimeLeft: Bool
  private let asksPerson: Bool
  /// The age of the person's ping, if it is open.
  private let ping: String?

  init(_ contact: Contact, in snapshot: AccountSnapshot) {
    self.contact = contact
    let status = contact.status(at: snapshot.now)
    (mark, role) = status.mark
    text = status.text(of: contact, in: snapshot)
    isTimeLeft = status.isTimeLeft
    asksPerson = contact.openReceivedPing(at: snapshot.now) != nil
    ping = contact.openSentPing(at: snapshot.now).map {
      snapshot.calendar.age(of: $0.sentAt, now: snapshot.now)
    }
  }

  var body: some View {
    HStack(spacing: 1) {
      Text(mark).foreground(role).frame(width: 1).accessibilityLabel("")
      Text(contact.name).frame(width: 26, alignment: .leading)
      if contact.link == nil {
        Text(text).frame(width: 18, alignment: .leading)
        Text(contact.note.replacing("\n", with: " ")).foreground(.dim)
          .frame(maxWidth: .max, alignment: .leading)
      } else if isTimeLeft {
        Spacer()
        pings
        Text(text).foreground(role == .calm ? .text : role)
          .layoutPriority(1)
      } else {
        Text(text).foreground(role == .calm ? .text : role)
          .frame(maxWidth: .max, alignment: .leading)
        if let helpers = contact.helpers { Text("✓ \(helpers)").foreground(.calm) }
        pings
      }
    }
    .lineLimit(1).padding(.trailing, 1)
  }

  @ViewBuilder private var pings: some View {
    if asksPerson { Text("↙ asks you").foreground(.warning) }
    if let ping { Text("↗ pinged \(ping)").foreground(.accent) }
  }
}
