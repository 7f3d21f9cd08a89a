import Composable
import Domain
import FoundationEssentials
import Terminal

/// The sheet with a contact's details.
struct ContactDetailsView: View {
  let store: StoreOf<ContactDetailsFeature>

  private var contact: Contact { store.contact }

  var body: some View {
    // Scrolls, so that a long note doesn't push the rest out of sight.
    Sheet(contact.name, width: 76, rowsAround: 1) {
      ScrollView(
        offset: store.scrollOffset, isFocused: true, hugsContent: true,
        onScroll: { store.send(.scrolled($0)) }
      ) { content }
      .padding(.horizontal, 1)
    }
    .with(commands)
    .overlay {
      if let question = store.question { dialog(question) }
    }
  }

  // MARK: Content

  private var content: some View {
    VStack(alignment: .leading, spacing: 0) {
      HStack(alignment: .top, spacing: 2) {
        ContactFacts(contact: contact, snapshot: store.snapshot)
          .frame(maxWidth: .max, alignment: .leading)
        PortraitView(picture: store.portrait.picture, name: contact.name)
      }
      if contact.link == nil, contact.roles.contains(.dependent) {
        Text("")
        Text("They have no account here, so LifeSignal can't know when they checked in.")
          .foreground(.dim)
      }
      if !store.deliveries.isEmpty {
        Text("")
        ForEach(store.deliveries, id: \.id) {
          DeliveryLine(delivery: $0, snapshot: store.snapshot, showsRecipient: false)
        }
      }
      RequestView(store.request, store, progress: "One moment", dismiss: .failureDismissed)
    }
  }

  // MARK: Commands

  private var commands: [Command] {
    let operations = store.availableOperations
    let all: [(ContactDetailsFeature.Operation, KeyPress, String, ContactDetailsFeature.Action)] = [
      (.accept, "a", "Accept", .acceptButtonTapped),
      (.decline, "d", "Decline", .declineButtonTapped),
      (.acknowledge, "a", "Acknowledge", .acknowledgeButtonTapped),
      (.stopResponding, "u", "I can't help after all", .stopRespondingButtonTapped),
      (.answer, "g", "Answer ping", .answerButtonTapped),
      (.ping, "p", "Ping", .pingButtonTapped),
      (.withdraw, "p", "Withdraw ping", .withdrawButtonTapped),
      (.documents, "d", "Documents", .documentsButtonTapped),
      (.edit, "e", "Edit", .editButtonTapped),
      (.channels, "h", "Channels", .channelsButtonTapped),
      (.roles, "r", "Roles", .rolesButtonTapped),
      (.wait, "o", "When", .waitButtonTapped),
      (
        .news, "n", contact.hearsCheckIns == true ? "Not each time" : "Each time",
        .newsButtonTapped
      ),
      (.remove, "x", "Remove", .removeButtonTapped),
      (.declining, "d", "They decline", .declineCodeButtonTapped),
    ]
    // During the person's own alert, x cancels the alert and must not remove a contact.
    let isAlertOn = store.snapshot.alerts.raisedByHand != nil
    var commands = all.filter { operations.contains($0.0) && !($0.0 == .remove && isAlertOn) }
      .map { operation, key, title, action in
        Command(
          key: key, title: title,
          fullTitle: "\(title)\(operation == .ping ? "" : ":") \(contact.name)"
        ) { store.send(action) }
      }
    if contact.phone != nil {
      commands.append(
        Command(key: "y", title: "Copy phone", fullTitle: "Copy phone: \(contact.name)") {
          store.send(.copyButtonTapped)
        })
    }
    return commands + [Command(key: "esc", title: "Close") { store.send(.closeButtonTapped) }]
  }

  @ViewBuilder private func dialog(_ question: ContactDetailsFeature.Question) -> some View {
    switch question {
    case .removal: removal
    case .ping: ping
    case .withdrawal: withdrawal
    }
  }

  private var ping: some View {
    store.confirm(
      "Ping \(contact.name)?",
      "They see in LifeSignal that you ask them to check in; no message is sent. You see when they do. A ping"
        + " that is not answered expires after 24 hours.",
      no: .questionCancelled, yes: ("Ping", .pingConfirmed))
  }

  private var withdrawal: some View {
    store.ask(
      "Can't help after all?",
      "Everyone who knows that you are responding is notified that you no longer are. If nobody else is"
        + " responding, the messages are repeated.",
      role: .danger, no: ("Keep responding", .questionCancelled),
      yes: ("I can't help", .withdrawalConfirmed))
  }

  private var removal: some View {
    var message = "\(contact.name) is removed from your contacts."
    switch contact.link?.state {
    case .requested: message = "Your request to \(contact.name) is withdrawn."
    case .active:
      message =
        "You and \(contact.name) are removed from each other's contacts, and they are notified."
    case .declined, .offered, nil: break
    }
    if contact.isResponder {
      message += " They will no longer be notified when you miss a deadline or raise an alert."
    }
    if contact.link?.dependentStatus != nil {
      message += " You will no longer see how they are."
    }
    if store.isLastResponder {
      message += "\n\nThis is your only responder: nobody would be notified."
    }
    return store.ask(
      "Remove \(contact.name)?", message, role: .danger, no: ("Keep", .questionCancelled),
      yes: ("Remove", .removalConfirmed))
  }
}
