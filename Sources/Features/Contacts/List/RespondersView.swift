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

  /// How a contact is notified.
  private func reach(
    of contact: Contact
  ) -> (mark: String, role: ThemeRole, text: String, problem: String?) {
    if let link = contact.link {
      guard link.state == .active else {
        let status = ContactStatus(contact, in: store.snapshot)
        return (status.mark, status.role, status.text, nil)
      }
      return ("●", .calm, "⚑ by their account", nil)
    }
    guard contact.isActive else { return ("◌", .dim, "declined; gets no messages", nil) }
    let channels = contact.channels.map { "\($0.kind.mark) \($0.shortAddress)" }
    guard !channels.isEmpty else { return ("!", .danger, "can't be notified: no channel", nil) }
    let text = channels.joined(separator: "  ")
    let last = ResponderReach(contact, in: store.snapshot)
    return last.role == .danger
      ? (last.mark, .danger, text, last.last) : ("●", .calm, text, nil)
  }
}
