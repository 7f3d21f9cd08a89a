import Composable
import Domain
import Terminal

/// The Responders tab: the people who are notified.
struct RespondersView: View {
  let store: StoreOf<ContactListFeature>

  var body: some View {
    ContactListView(store: store, title: "Responders") { contact in
      let reach = reach(of: contact)
      HStack(spacing: 1) {
        Text(reach.mark).foreground(reach.role).frame(width: 1).accessibilityLabel("")
        Text(contact.name).frame(width: 26, alignment: .leading)
        Text(reach.text).frame(maxWidth: .max, alignment: .leading)
        if let problem = reach.problem { Text(problem).foreground(.danger).layoutPriority(1) }
        if let ping = contact.openReceivedPing(at: store.snapshot.now) {
          Text("↙ asks you · \(age(of: ping))").foreground(.warning).layoutPriority(1)
        }
        Text(contact.phone.map(PhoneNumber.grouped) ?? "").foreground(.dim).layoutPriority(1)
      }
      .lineLimit(1).padding(.trailing, 1)
    } empty: {
      VStack(alignment: .center) {
        Text("Nobody would be notified.").bold().foreground(.danger)
        Text(
          store.snapshot.host == .thisMachine
            ? "Press a to add someone by e-mail or ntfy, or c to add an account by its code."
            : "Press i to invite someone to \(store.snapshot.host.name), a to add someone by e-mail or"
              + " ntfy, or c to add an account by its code."
        )
        .foreground(.dim)
      }
      .multilineTextAlignment(.center)
    }
  }

  private func age(of ping: Ping) -> String {
    store.snapshot.calendar.age(of: ping.sentAt, now: store.snapshot.now)
  }

  private typealias Line = (mark: String, role: ThemeRole, text: String, problem: String?)

  private static let noChannel: Line = ("!", .danger, "can't be notified: no channel", nil)

  /// How a contact is notified.
  private func reach(of contact: Contact) -> Line {
    if let link = contact.link {
      guard link.state == .active else {
        let status = contact.status(at: store.snapshot.now)
        let (mark, role) = status.mark
        return (mark, role, status.text(of: contact, in: store.snapshot), nil)
      }
      return contact.hasNoChannel ? Self.noChannel : ("●", .calm, "⚑ by their account", nil)
    }
    guard contact.isActive else { return ("◌", .dim, "declined; gets no messages", nil) }
    let channels = contact.channels.map { "\($0.kind.mark) \($0.shortAddress)" }
    guard !channels.isEmpty else { return Self.noChannel }
    let text = channels.joined(separator: "  ")
    let snapshot = store.snapshot
    let last = snapshot.situation.reach(of: contact, snapshot.channels)
    return last.mark.role == .danger
      ? (last.mark.text, .danger, text, last.text(in: snapshot)) : ("●", .calm, text, nil)
  }
}
