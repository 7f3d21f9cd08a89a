import Composable
import Domain
import Terminal

/// The Responders tab: the people who are notified.
struct RespondersView: View {
  let store: StoreOf<ContactListFeature>

  var body: some View {
    ContactListView(store: store, title: "Responders", row: ResponderRow.init) {
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
}

/// A row with a responder and how they are notified.
private struct ResponderRow: View, Equatable {
  private struct Reach: Equatable {
    var mark = "●"
    var role = ThemeRole.calm
    /// How they are notified; `nil` for by their channels.
    var text: String?
    var problem: String?

    static let noChannel = Reach(mark: "!", role: .danger, text: "can't be notified: no channel")
  }

  private let contact: Contact
  private let reach: Reach
  /// The age of their ping, if it is open.
  private let ping: String?

  init(_ contact: Contact, in snapshot: AccountSnapshot) {
    self.contact = contact
    reach = Self.reach(of: contact, in: snapshot)
    ping = contact.openReceivedPing(at: snapshot.now).map {
      snapshot.calendar.age(of: $0.sentAt, now: snapshot.now)
    }
  }

  var body: some View {
    HStack(spacing: 1) {
      Text(reach.mark).foreground(reach.role).frame(width: 1).accessibilityLabel("")
      Text(contact.name).frame(width: 26, alignment: .leading)
      Text(reach.text ?? channels).frame(maxWidth: .max, alignment: .leading)
      if let problem = reach.problem { Text(problem).foreground(.danger).layoutPriority(1) }
      if let ping { Text("↙ asks you · \(ping)").foreground(.warning).layoutPriority(1) }
      Text(contact.phone.map(PhoneNumber.grouped) ?? "").foreground(.dim).layoutPriority(1)
    }
    .lineLimit(1).padding(.trailing, 1)
  }

  private var channels: String {
    contact.channels.map { "\($0.kind.mark) \($0.shortAddress)" }.joined(separator: "  ")
  }

  private static func reach(of contact: Contact, in snapshot: AccountSnapshot) -> Reach {
    if let link = contact.link {
      guard link.state == .active else {
        let status = contact.status(at: snapshot.now)
        let (mark, role) = status.mark
        return Reach(mark: mark, role: role, text: status.text(of: contact, in: snapshot))
      }
      return contact.hasNoChannel ? .noChannel : Reach(text: "⚑ by their account")
    }
    guard contact.isActive else {
      return Reach(mark: "◌", role: .dim, text: "declined; gets no messages")
    }
    guard !contact.channels.isEmpty else { return .noChannel }
    let last = snapshot.situation.reach(of: contact, snapshot.channels)
    let (mark, role) = last.mark
    return role == .danger
      ? Reach(mark: mark, role: role, problem: last.text(in: snapshot)) : Reach()
  }
}
