import Composable
import Domain
import FoundationEssentials
import Terminal

/// The sheet about one contact.
struct ContactDetailsView: View {
  let store: StoreOf<ContactDetailsFeature>

  private var contact: Contact { store.contact }

  var body: some View {
    Sheet(contact.name, width: 72) {
      VStack(alignment: .leading, spacing: 0) {
        HStack(alignment: .top, spacing: 2) {
          facts.frame(maxWidth: .max, alignment: .leading)
          PortraitView(picture: store.portrait.picture, name: contact.name)
        }
        if contact.link == nil, contact.roles.contains(.dependent) {
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
        if let failure = store.failure { Banner(failure.sentence, role: .danger) }
        if store.isRemoving { Text("Removing …").foreground(.dim) }
      }
      .padding(.horizontal, 1)
    }
    .with(commands)
    .overlay {
      if store.isConfirmingRemoval { removal }
      if store.isConfirmingPing { ping }
      if let roles = store.scope(
        state: \.$roles, action: ContactDetailsFeature.Action.rolesCase)
      {
        RolesView(store: roles)
      }
      if let documents = store.scope(
        state: \.$documents, action: ContactDetailsFeature.Action.documentsCase)
      {
        SharedDocumentsView(store: documents)
      }
      if let channels = store.scope(
        state: \.$channels, action: ContactDetailsFeature.Action.channelsCase)
      {
        ChannelsView(store: channels)
      }
      if let declining = store.scope(
        state: \.$declining, action: ContactDetailsFeature.Action.decliningCase)
      {
        DecliningView(store: declining)
      }
      if let gate = store.scope(state: \.$gate, action: ContactDetailsFeature.Action.gateCase) {
        GateView(store: gate)
      }
    }
  }

  // MARK: What is known

  private var facts: some View {
    VStack(alignment: .leading, spacing: 0) {
      if contact.link != nil || contact.declinedAt != nil { standing }
      DetailLine("roles", contact.roles.displayText)
      if contact.link == nil { channels }
      if contact.isActive || contact.link == nil { DetailLine("phone", contact.phone ?? "–") }
      if contact.link?.standing != nil || contact.link == nil {
        DetailLine("note", contact.note.isEmpty ? "–" : contact.note)
      }
      DetailLine("added", exact(contact.addedAt))
    }
  }

  /// How each channel works (CON-5); where there are many, the sheet of channels has the rest.
  @ViewBuilder private var channels: some View {
    if contact.channels.isEmpty {
      DetailLine("told by", "nothing – cannot be told")
    } else {
      ForEach(Array(contact.channels.prefix(4).enumerated()), id: \.offset) { index, channel in
        HStack(spacing: 2) {
          Text(index == 0 ? "told by" : "").foreground(.dim).frame(width: 14, alignment: .leading)
          ChannelLine(channel: channel, snapshot: store.snapshot)
        }
      }
      if contact.channels.count > 4 {
        DetailLine("", "and \(contact.channels.count - 4) more: press h")
      }
    }
  }

  @ViewBuilder private var standing: some View {
    let status = ContactStatus(contact, in: store.snapshot)
    if !contact.isActive || contact.link?.standing != nil {
      HStack(spacing: 1) {
        Text(status.mark).bold().foreground(status.role)
        Text(status.text).bold().foreground(status.role)
      }
      Text("")
    }
    if let standing = contact.link?.standing {
      DetailLine(
        "last check-in",
        "\(exact(standing.lastCheckIn)) · every \(standing.interval.displayText)")
      if let alert = standing.alert {
        DetailLine("alert", "\(alert.displayTitle) \(exact(alert.raisedAt))")
        ForEach(alert.acknowledgements, id: \.responder) { word in
          DetailLine("", "✓ \(word.name) takes care of it, \(exact(word.date))")
        }
      }
    }
    if let ping = contact.link?.sentPing {
      DetailLine("your ping", describe(ping.asOf(store.snapshot.now)))
    }
    if let ping = contact.link?.receivedPing {
      DetailLine("their ping", describe(ping.asOf(store.snapshot.now)))
    }
  }

  private func describe(_ ping: Ping) -> String {
    let sent = "sent \(exact(ping.sentAt))"
    guard let end = ping.endedAt else { return "\(sent), open" }
    return "\(sent), \(ping.state.rawValue) \(exact(end))"
  }

  private func exact(_ date: Date) -> String {
    store.snapshot.calendar.describe(date, now: store.snapshot.now)
  }

  // MARK: What can be done

  private var commands: [Command] {
    let offers = store.offers
    let all: [(ContactDetailsFeature.Offer, KeyPress, String, ContactDetailsFeature.Action)] = [
      (.accept, "a", "Accept", .acceptButtonTapped),
      (.decline, "d", "Decline", .declineButtonTapped),
      (.acknowledge, "a", "Acknowledge", .acknowledgeButtonTapped),
      (.answer, "g", "Answer ping", .answerButtonTapped),
      (.ping, "p", "Ping", .pingButtonTapped),
      (.withdraw, "p", "Take ping back", .withdrawButtonTapped),
      (.documents, "d", "Documents", .documentsButtonTapped),
      (.edit, "e", "Edit", .editButtonTapped),
      (.channels, "h", "Channels", .channelsButtonTapped),
      (.roles, "r", "Roles", .rolesButtonTapped),
      (.remove, "x", "Remove", .removeButtonTapped),
      (.declining, "d", "They decline", .declineCodeButtonTapped),
    ]
    var commands = all.filter { offers.contains($0.0) }.map { _, key, title, action in
      Command(key: key, title: title) { store.send(action) }
    }
    if contact.phone != nil {
      commands.append(Command(key: "y", title: "Copy phone") { store.send(.copyButtonTapped) })
    }
    return commands + [Command(key: "esc", title: "Close") { store.send(.closeButtonTapped) }]
  }

  private var ping: some View {
    Dialog(
      title: "Ping \(contact.name)?",
      message: "They are asked to check in, and you see when they do. A ping that is not answered"
        + " expires after 24 hours.",
      buttons: [
        DialogButton("Back", key: "esc") { store.send(.pingCancelled) },
        DialogButton("Ping", key: "enter", role: .accent) { store.send(.pingConfirmed) },
      ], selected: 1)
  }

  private var removal: some View {
    var message = "\(contact.name) will be gone from your contacts."
    switch contact.link?.state {
    case .requested: message = "Your question to \(contact.name) is taken back."
    case .active:
      message =
        "You and \(contact.name) will be gone from each other's contacts, and they are told."
    case .declined, .offered, nil: break
    }
    if contact.isResponder {
      message += " They will not be told any more when you miss a deadline or raise an alert."
    }
    if contact.link?.standing != nil { message += " You will not see any more how they are." }
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

extension Alert {
  /// What a responder is told that it is; a silent one says why nobody should call.
  fileprivate var displayTitle: String {
    switch kind {
    case .manual: "raised"
    case .missed: "deadline missed"
    case .duress: "raised silently, they may not be free to speak:"
    case .drill: "drill"
    }
  }
}
