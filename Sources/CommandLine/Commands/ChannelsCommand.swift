import Clients
import Composable
import Domain

/// `lifesignal channels`: the ways to reach the user, or one of their contacts (CHN-1).
struct ChannelsCommand: StoreCommand {
  var action: Action
  var contactName: String?
  @Dependency(\.channelsClient) var channelsClient
  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.watchClient) var watchClient
  @Dependency(\.dateClient) var dateClient

  enum Action: Equatable, Sendable {
    case list
    case add(ChannelDraft, asksToken: Bool)
    case remove(String)
    case test(String)
    case log(String)
    case secret(String)
    case setMuted(String, Topic, isMuted: Bool)
  }

  private enum Word: String, CaseIterable, Sendable {
    case list, add, remove, test, log, secret, mute, unmute
  }

  private static let contact = Option(
    OptionDeclaration(
      name: "contact", placeholder: "NAME",
      help: "Of this contact: a name, or enough of its beginning; without it, your own"),
    read: { (text: String) throws(InvalidValue) in text })
  private static let token = Flag(
    "token", help: "Ask for the access token of a protected topic, or read it from standard input")
  private static let word = Argument(
    ArgumentDeclaration(
      placeholder: "WORD", help: "What to do",
      isRequired: false,
      choices: [
        .init(name: "list", help: "List them and how each works; so without a word"),
        .init(name: "add", help: "Add one"),
        .init(name: "remove", help: "Remove one"),
        .init(name: "test", help: "Send a test; the list says what became of it"),
        .init(name: "log", help: "Show the last 50 messages on one"),
        .init(name: "secret", help: "Show what signs a webhook, or opens a topic"),
        .init(name: "mute", help: "Tell you something no more on one of your own"),
        .init(name: "unmute", help: "Tell it there again"),
      ]),
    read: byName(Word.self))
  private static let channel = ArgumentDeclaration(
    placeholder: "CHANNEL",
    help: "Which: an e-mail address, a webhook's URL, ntfy:TOPIC or desktop", isRequired: false)

  private static let matter = Argument(
    ArgumentDeclaration(
      placeholder: "TOPIC", help: "What to mute or unmute", isRequired: false,
      choices: Topic.allCases.map { .init(name: $0.rawValue, help: $0.help) }),
    read: byName(Topic.self))

  static let declaration = CommandDeclaration(
    name: "channels", summary: "List, add, try and remove the ways to reach you or a contact",
    discussion: [
      "Reminders reach you on each of your channels that tells them; a responder is told on each of theirs. The e-mail"
        + " address of your account belongs to your profile.",
      "A new webhook gets a secret, by which its receiver checks the signature of each message"
        + " (Standard Webhooks). It is printed when the webhook is added.",
      "What is muted on a channel of yours is not sent there; the app shows it all the same. Alerts,"
        + " who takes care of one, and that your deadline passed cannot be muted.",
    ],
    arguments: [word.declaration, channel, matter.declaration],
    options: [contact.declaration, token.declaration], exitCodes: [.locked],
    make: { (arguments: ParsedArguments) throws(UsageError) in
      ChannelsCommand(
        action: try action(arguments), contactName: try arguments.value(of: contact))
    })

  private static func action(_ arguments: ParsedArguments) throws(UsageError) -> Action {
    let word = try arguments.argument(word) ?? .list
    guard word != .list else { return .list }
    guard word != .add else {
      return .add(
        try arguments.required(Argument(channel, read: byRule(ChannelDraft.init(parsing:))), at: 1),
        asksToken: arguments.isSet(token))
    }
    let name = try arguments.required(
      Argument(channel, read: { (text: String) throws(InvalidValue) in text }), at: 1)
    return switch word {
    case .remove: .remove(name)
    case .test: .test(name)
    case .log: .log(name)
    case .mute, .unmute:
      .setMuted(name, try arguments.required(matter, at: 2), isMuted: word == .mute)
    case .secret, .list, .add: .secret(name)
    }
  }

  func run(_ invocation: Invocation) async throws(CommandFailure) -> Report {
    let overview = try await attempt { () async throws(ChannelError) in
      try await channelsClient.overview()
    }
    let contact = try await contact()
    let channels = contact?.channels ?? overview.own
    switch action {
    case .list: return list(channels, overview)
    case .add(let draft, let asksToken):
      var draft = draft
      if asksToken { draft.token = try readToken(invocation) }
      let new = try await attempt { [draft] () async throws(ChannelError) in
        try await channelsClient.add(draft, contact?.id)
      }
      var report = Report(["Added: \(new.channel.word)"])
      if new.channel.kind == .webhook, let secret = new.secret {
        report.lines.append("Its secret: \(secret.value)")
      }
      return report
    case .remove(let name):
      let channel = try channels.named(name)
      try await invocation.passingGate {
        (passphrase: Secret<String>?) async throws(ChannelError) in
        try await channelsClient.remove(channel.id, passphrase)
      }
      return Report(["Removed: \(channel.word)"])
    case .test(let name):
      let channel = try channels.named(name)
      try await attempt { () async throws(ChannelError) in
        try await channelsClient.sendTest(channel.id)
      }
      do throws(StorageError) { try await located(watchClient.start) } catch {
        throw CommandFailure(
          "Nobody sends the test: \(error.errorDescription)", advice: "Start lifesignal monitor.")
      }
      return Report(["A test is on its way to \(channel.word). See lifesignal channels."])
    case .log(let name):
      let channel = try channels.named(name)
      let messages = try await attempt { () async throws(ChannelError) in
        try await channelsClient.log(channel.id)
      }
      return Report(messages.map { line($0) })
    case .setMuted(let name, let topic, let isMuted):
      if let contact {
        throw CommandFailure("What \(contact.name) is told cannot be muted.")
      }
      let channel = try channels.named(name)
      try await invocation.passingGate {
        (passphrase: Secret<String>?) async throws(ChannelError) in
        try await channelsClient.setMuted(topic, channel.id, isMuted, passphrase)
      }
      return Report(["\(isMuted ? "Muted" : "Unmuted") on \(channel.word): \(topic.rawValue)"])
    case .secret(let name):
      let channel = try channels.named(name)
      let secret = try await invocation.passingGate {
        (passphrase: Secret<String>?) async throws(ChannelError) in
        try await channelsClient.secret(channel.id, passphrase)
      }
      guard let secret else { throw CommandFailure("This channel has no secret.") }
      return Report([secret.value])
    }
  }

  private func contact() async throws(CommandFailure) -> Contact? {
    guard let contactName else { return nil }
    return try await attempt { () async throws(ContactsError) in
      try await contactsClient.contacts()
    }
    .filter { $0.link == nil }
    .named(
      contactName, "There is no contact without an account who is called \(quoted(contactName)).")
  }

  private func readToken(_ invocation: Invocation) throws(CommandFailure) -> Secret<String> {
    do throws(SecretError) { return Secret(try invocation.readSecret("Access token: ")) } catch {
      throw CommandFailure(error)
    }
  }

  private func list(_ channels: [Channel], _ overview: ChannelOverview) -> Report {
    guard !channels.isEmpty else {
      return Report(warnings: ["There are no channels yet. See lifesignal channels --help."])
    }
    let width = channels.map(\.word.count).max() ?? 0
    return Report(
      channels.map { channel in
        let gap = String(repeating: " ", count: width - channel.word.count)
        let fate = overview.last[channel.id].map { line($0) } ?? "never used"
        let muted = Topic.allCases.filter(overview.muted[channel.id].contains).map(\.rawValue)
        let off = muted.isEmpty ? "" : "  muted: \(muted.joined(separator: ", "))"
        return "\(channel.word)\(gap)  \(fate)\(off)"
      },
      warnings: contactName == nil
        ? overview.muted.toldNowhere(among: channels).map(\.toldNowhereText) : [])
  }

  /// `today 10:02  test  sent`.
  private func line(_ message: DeliveryReport) -> String {
    let time = dateClient.calendar.describe(message.date, now: dateClient.now())
    let fate =
      switch message.state {
      case .pending where message.error == nil: "on its way"
      case .pending: "trying again: \(message.error ?? "")"
      case .sent: "sent"
      case .failed: "failed: \(message.error ?? "")"
      case .cancelled: "not sent"
      }
    return "\(time)  \(message.stage.word)  \(fate)"
  }
}

extension Topic {
  fileprivate var help: String {
    switch self {
    case .reminders: "With mute and unmute: that your deadline comes nearer"
    case .pauses: "With mute and unmute: that a pause is about to end"
    }
  }
}

extension Stage {
  /// What a message was about, in a word.
  fileprivate var word: String {
    String(storageKey.prefix { $0 != ":" }).replacing("_", with: " ")
  }
}

extension [Channel] {
  /// The one that a word means: its address in any case or as it was added, or its kind where there is
  /// one of it.
  fileprivate func named(_ word: String) throws(CommandFailure) -> Channel {
    let typed = word.lowercased()
    if let exact = first(where: {
      [$0.word, $0.address, $0.shortAddress].map { $0.lowercased() }.contains(typed)
    }) {
      return exact
    }
    if let draft = try? ChannelDraft(parsing: word),
      let same = first(where: { draft.leadsToSamePlace(as: ChannelDraft($0.kind, $0.address)) })
    {
      return same
    }
    let ofKind = filter { $0.kind.rawValue == typed }
    guard ofKind.count == 1 else {
      throw CommandFailure(
        "There is no channel \(quoted(word)).", advice: "See lifesignal channels.")
    }
    return ofKind[0]
  }
}
