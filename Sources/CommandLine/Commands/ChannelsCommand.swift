import Clients
import Composable
import ComposableFoundation
import Domain

/// `lifesignal channels`: the ways to reach the user, or one of their contacts (CHN-1).
struct ChannelsCommand: StoreCommand, VerbCommand {
  let verb: Verb<Self>
  @Dependency(\.channelsClient) var channelsClient
  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.watchClient) var watchClient
  @Dependency(\.servicesClient) var servicesClient
  @Dependency(\.dateClient) var dateClient
  @Dependency(\.uuid) var uuid

  init(verb: Verb<Self>) { self.verb = verb }

  static let declaration = CommandDeclaration(
    "channels", "Manage your channels, or a contact's",
    discussion: [
      "Reminders go to each of your channels, and alerts to each of a responder's channels."
        + " The e-mail address of your account is part of your profile; change it there.",
      "A new webhook gets a secret, which is printed once. Its receiver uses it to check the"
        + " signature of each message (Standard Webhooks).",
      "You can mute reminders on a channel of yours; the app still shows them. Alerts,"
        + " acknowledgements and missed deadlines can't be muted.",
    ],
    exitCodes: [.locked]
  ) { syntax in
    syntax.verbPlaceholder = "WORD"
    let channel = syntax.argument(
      "CHANNEL",
      "An e-mail address, a webhook's URL, ntfy:TOPIC, desktop, or a service and its fields such as"
        + " telegram:123456789",
      isRequired: false)
    let topic: Argument<Topic> = syntax.choice(
      [
        .reminders: "With mute and unmute: reminders before your deadline",
        .pauses: "With mute and unmute: reminders before a pause ends",
      ], placeholder: "TOPIC", "What to mute or unmute", isRequired: false)
    let contact = syntax.option(
      "contact", "NAME",
      "The contact whose channels to manage, by name or its beginning (default: you)",
      namesContact: true)
    syntax.verb(
      "list", "List the channels with the result of the last message", isDefault: true, contact,
      run: Self.list)
    let newTopic = Flag("new-topic", "Add an ntfy topic with a name that nobody can guess")
    syntax.verb(
      "add", "Add one", contact,
      Reading(newTopic) {
        $0.isSet(newTopic)
          ? nil : try $0.required(channel.reading(ChannelDraft.init(parsing:)))
      },
      Flag(
        "token",
        "Ask for the access token of a protected topic, or read it from standard input"),
      run: Self.add)
    syntax.verb(
      "services", "List the messaging services, or show how to set one up", channel.optional,
      run: Self.services)
    syntax.verb("remove", "Remove one", contact, channel, run: Self.remove)
    syntax.verb(
      "test", "Send a test message; lifesignal channels shows the result", contact, channel,
      run: Self.test)
    syntax.verb("log", "Show the last 50 messages of a channel", contact, channel, run: Self.log)
    syntax.verb(
      "secret", "Show the secret of a webhook, or the token of a topic", contact, channel,
      run: Self.secret)
    syntax.verb(
      "replace", "Replace the secrets of a service, or the token of a topic", contact, channel,
      run: Self.replace)
    syntax.verb(
      "mute", "Stop sending a topic to one of your channels", contact, channel, topic,
      Reading { _ in true }, run: Self.setMuted)
    syntax.verb(
      "unmute", "Send a topic there again", contact, channel, topic, Reading { _ in false },
      run: Self.setMuted)
    return syntax.chosenVerb
  }

  /// Adds a channel, or a new topic if there is no draft.
  private func add(
    _ invocation: Invocation, to contactName: String?, _ draft: ChannelDraft?, asksToken: Bool
  ) async throws -> Report {
    let contact = try await owner(contactName).contact
    guard var draft else { return try await addNewTopic(contact) }
    if draft.kind == .service {
      draft = try serviceDraft(draft.address, invocation)
    } else if asksToken {
      draft.token = Secret(try invocation.readSecret("Access token: "))
    }
    let new = try await channelsClient.add(draft, contact?.id)
    var report = Report(["Added: \(new.channel.spelling)"])
    if new.channel.kind == .webhook, let secret = new.secret {
      report.lines.append("Its secret: \(secret.value)")
    }
    let own = contact == nil ? [] : (try? await channelsClient.overview().own) ?? []
    report.warnings += [draft.doubt(ofResponderTo: own)].compactMap(\.self)
    return report
  }

  private func addNewTopic(_ contact: Contact?) async throws -> Report {
    let draft = ChannelDraft(.ntfy, NtfyTopic(id: uuid()).address)
    let new = try await channelsClient.add(draft, contact?.id)
    return Report([
      "Added: \(new.channel.spelling)",
      contact.map {
        "\($0.name) subscribes to this topic in the ntfy app. Don't share its name with anyone else."
      } ?? "Subscribe to this topic in the ntfy app, and don't share its name with anyone.",
    ])
  }

  private func remove(
    _ invocation: Invocation, from contactName: String?, _ name: String
  ) async throws -> Report {
    let channel = try await owner(contactName).channels.named(name)
    try await invocation.passingGate {
      try await channelsClient.remove(channel.id)
    }
    return Report(["Removed: \(channel.spelling)"])
  }

  private func test(of contactName: String?, _ name: String) async throws -> Report {
    let owner = try await owner(contactName)
    let channel = try owner.channels.named(name)
    try await channelsClient.sendTest(channel.id)
    do throws(StorageError) { try await watchClient.start() } catch {
      throw CommandFailure(
        "No monitor can send the test: \(error.errorDescription)",
        advice: "Start lifesignal monitor.")
    }
    let option = owner.contact.map { " --contact \"\($0.name)\"" } ?? ""
    return Report([
      "Sending a test to \(channel.spelling). See the result with lifesignal channels\(option)."
    ])
  }

  private func log(of contactName: String?, _ name: String) async throws -> Report {
    let channel = try await owner(contactName).channels.named(name)
    let messages = try await channelsClient.log(channel.id)
    return Report(messages.map { line($0) })
  }

  private func setMuted(
    _ invocation: Invocation, of contactName: String?, _ name: String, _ topic: Topic,
    isMuted: Bool
  ) async throws -> Report {
    let owner = try await owner(contactName)
    guard owner.contact == nil else {
      throw CommandFailure("You can't mute a contact's messages.")
    }
    let channel = try owner.channels.named(name)
    try await invocation.passingGate {
      try await channelsClient.setMuted(topic, channel.id, isMuted)
    }
    return Report(["\(isMuted ? "Muted" : "Unmuted") on \(channel.spelling): \(topic.rawValue)"])
  }

  private func secret(
    _ invocation: Invocation, of contactName: String?, _ name: String
  ) async throws -> Report {
    let channel = try await owner(contactName).channels.named(name)
    let secret = try await invocation.passingGate {
      try await channelsClient.secret(channel.id)
    }
    guard let secret else { throw CommandFailure("This channel has no secret.") }
    return Report([secret.value])
  }

  private func replace(
    _ invocation: Invocation, of contactName: String?, _ name: String
  ) async throws -> Report {
    let channel = try await owner(contactName).channels.named(name)
    let secret = try newSecret(of: channel, invocation)
    try await invocation.passingGate {
      try await channelsClient.replaceSecret(channel.id, secret)
    }
    return Report(["Replaced the secret of \(channel.spelling)"])
  }

  /// Creates a draft, asking for the secrets, which are never arguments.
  private func serviceDraft(_ address: String, _ invocation: Invocation) throws -> ChannelDraft {
    let service = try service(Channel.Kind.service(of: address))
    guard var values = service.values(address: address, secret: nil) else {
      throw CommandFailure(
        "\(service.title) has no such fields.",
        advice: "See lifesignal channels services \(service.id).")
    }
    for field in service.fields where field.isSecret {
      values[field.id] = try invocation.readSecret("\(field.title): ")
    }
    return try service.draft(values)
  }

  private func newSecret(of channel: Channel, _ invocation: Invocation) throws -> Secret<String> {
    if channel.kind == .ntfy { return Secret(try invocation.readSecret("Access token: ")) }
    let draft = channel.kind == .service ? try serviceDraft(channel.address, invocation) : nil
    guard let secret = draft?.token else {
      throw CommandFailure(
        "Only the secrets of a service, or the token of a topic, can be replaced.")
    }
    return secret
  }

  private func service(_ name: String) throws -> Service {
    let catalog = servicesClient.catalog()
    if let fault = catalog.faults[name] { throw fault }
    guard let service = catalog[name] else {
      throw CommandFailure(
        "There is no service called \(quoted(name)).", advice: "See lifesignal channels services.")
    }
    return service
  }

  private func services(_ name: String?) async throws -> Report {
    guard let name else {
      let catalog = servicesClient.catalog()
      let width = catalog.services.map(\.id.count).max() ?? 0
      return Report(
        catalog.services.map { service in
          let gap = String(repeating: " ", count: width - service.id.count)
          return "\(service.id)\(gap)  \(service.title)"
        },
        warnings: (catalog.faults.values.map(\.text.description)
          + catalog.services.compactMap(\.acceptanceWarning)).sorted())
    }
    let service = try service(name)
    let open = service.fields.filter { !$0.isSecret }
    let word =
      "\(service.id):"
      + (open.count == 1
        ? open[0].id.uppercased()
        : open.map { "\($0.id)=\($0.id.uppercased())" }.joined(separator: ","))
    let fields = service.fields.map { field in
      "  \(field.id)  \(field.title)"
        + (field.isSecret
          ? ", which you are asked for" : field.example.isEmpty ? "" : ", such as \(field.example)")
    }
    return Report(
      [service.title, service.setup, ""] + fields + ["", "lifesignal channels add \(word)"],
      warnings: [service.acceptanceWarning].compactMap(\.self))
  }

  /// Returns the user's channels, or a contact's.
  private func owner(_ contactName: String?) async throws -> (
    contact: Contact?, channels: [Channel], overview: ChannelOverview
  ) {
    let overview = try await channelsClient.overview()
    guard let contactName else { return (nil, overview.own, overview) }
    let contact = try await contactsClient.contacts().filter { $0.link == nil }.named(
      contactName, "There is no contact without an account called \(quoted(contactName)).")
    return (contact, contact.channels, overview)
  }

  private func list(of contactName: String?) async throws -> Report {
    let (_, channels, overview) = try await owner(contactName)
    guard !channels.isEmpty else {
      return Report(warnings: ["There are no channels yet. See lifesignal channels --help."])
    }
    let width = channels.map(\.spelling.count).max() ?? 0
    return Report(
      channels.map { channel in
        let gap = String(repeating: " ", count: width - channel.spelling.count)
        let outcome = overview.last[channel.id].map { line($0) } ?? "never used"
        let muted = Topic.allCases.filter(overview.muted[channel.id].contains).map(\.rawValue)
        let off = muted.isEmpty ? "" : "  muted: \(muted.joined(separator: ", "))"
        return "\(channel.spelling)\(gap)  \(outcome)\(off)"
      },
      warnings: (contactName == nil
        ? overview.muted.mutedEverywhere(among: channels).map(\.mutedEverywhereText) : [])
        + servicesClient.catalog().acceptanceWarnings(for: channels))
  }

  /// Formats a message, such as `today 10:02  test  sent`.
  private func line(_ message: DeliveryReport) -> String {
    // Of an attempt that is under way, when it began.
    let time = dateClient.describe(message.begunAt ?? message.date)
    let waiting = message.waitingText(at: dateClient.now()) {
      dateClient.calendar.time(of: $0).clock
    }
    let outcome =
      switch message.state {
      case .pending where waiting != nil: waiting ?? ""
      case .pending where message.mayHaveBeenSent:
        "may have been sent, trying again: \(message.error ?? "")"
      case .failed where message.mayHaveBeenSent: "may have been sent: \(message.error ?? "")"
      case .pending where message.error == nil: "on its way"
      case .pending: "trying again: \(message.error ?? "")"
      case .sent: "sent"
      case .failed: "failed: \(message.error ?? "")"
      case .cancelled: "not sent"
      }
    return "\(time)  \(message.subject)  \(outcome)"
  }
}

extension Topic: NamedValue {}

extension DeliveryReport {
  /// What it was about, in a word; of a drill that it is one.
  fileprivate var subject: String {
    let word = stage.name.replacing("_", with: " ")
    return isDrill ? word.replacing("alert", with: "drill") : word
  }
}

extension [Channel] {
  /// Finds a channel by its address, in any case or as it was added, or by its kind if there is
  /// only one.
  fileprivate func named(_ word: String) throws -> Channel {
    let typed = word.lowercased()
    if let exact = first(where: {
      [$0.spelling, $0.address, $0.shortAddress].map { $0.lowercased() }.contains(typed)
    }) {
      return exact
    }
    if let draft = try? ChannelDraft(parsing: word),
      let same = first(where: { draft.hasSameAddress(as: ChannelDraft($0.kind, $0.address)) })
    {
      return same
    }
    let ofKind = filter { $0.kind.rawValue == typed }
    guard ofKind.count == 1 else {
      throw CommandFailure(
        "There is no channel \(quoted(word)).",
        advice: "See lifesignal channels; a contact's are in lifesignal channels --contact NAME.")
    }
    return ofKind[0]
  }
}
