import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// `lifesignal contacts`: the people the user named, including those with accounts.
struct ContactsCommand: StoreCommand, VerbCommand {
  let verb: Verb<Self>
  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.channelsClient) var channelsClient
  @Dependency(\.watchClient) var watchClient
  @Dependency(\.accountHost) var accountHost
  @Dependency(\.connectionClient) var connectionClient
  @Dependency(\.dateClient) var dateClient
  @Dependency(\.fileClient) var fileClient
  @Dependency(\.qrCodeClient) var qrCodeClient

  init(verb: Verb<Self>) { self.verb = verb }

  /// What `contacts edit` changes; `nil` keeps what is there.
  struct Changes: Equatable, Sendable {
    var name: String?
    var roles: Roles?
    /// They replace all channels; empty to keep those.
    var channels: [ChannelDraft] = []
    /// A number, or `nil` in it to remove the number.
    var phone: String??
    var note: String?
    /// How long they wait before they are notified; zero for at once.
    var wait: TimeSpan?
    /// Whether a message is sent at each check-in.
    var news: Bool?
  }

  /// A choice on the command line.
  enum Switch: String, NamedValue { case on, off }

  /// Who is added by `contacts add`.
  enum Addition: Sendable {
    case code(SharedCode, Roles)
    case picture(path: String, Roles)
    case person(ContactDraft)
  }

  static let declaration = CommandDeclaration(
    "contacts", "List, add, change or remove contacts",
    discussion: [
      "Prints one line per contact: name, roles, channels and phone number, or a dash. For a"
        + " contact with an account, its state replaces the channels. Use --json in scripts.",
      "Each contact in the JSON has id, name, roles (responder, dependent), email, phone,"
        + " note, added_at (RFC 3339, UTC) and channels, an array of objects with kind and"
        + " address. A responder has after, the seconds after which they are notified. A contact with an"
        + " account also has state (requested, offered, active,"
        + " declined) and, if you respond for them, status, deadline and last_check_in. A status of"
        + " non_responsive is what the screens call no check-in.",
      "With --after, responders are notified of a missed deadline in order. If nobody before them can be"
        + " reached, they are notified after two minutes; an alert that you raise goes to everyone at once.",
      "With edit, an empty --phone or --note removes it, and channels replace all that were there."
        + " What leaves you with less help needs your passphrase, if you have set one.",
      "Where the server that this machine has joined can't be reached, it lists what was last known, says so, and"
        + " exits with 1.",
    ],
    exitCodes: [.locked]
  ) { syntax in
    let whom = syntax.argument(
      "CODE|NAME", "With add: a code or a new name. Otherwise: a contact's name or its beginning",
      isRequired: false, namesContact: true)
    let role = syntax.option(
      "role", "ROLE",
      "Their role: responder, dependent or both (default: responder; with add or edit)",
      read: Roles.init(word:))
    let wait = syntax.option(
      "after", "DURATION",
      "Notify them of a missed deadline only after 15m to 24h, if nobody is responding by then; 0m for at"
        + " once (with edit)"
    ) { try ResponderWait.checked(TimeSpan(parsing: $0)) }
    let news = syntax.option(
      "each-time", "on|off",
      "Send them a message at each check-in; for a dependent with an account, send it to you (with edit)",
      of: Switch.self)
    func channel(_ kind: Channel.Kind, _ placeholder: String, _ help: String) -> Option<
      ChannelDraft
    > {
      syntax.option(
        kind.rawValue, placeholder, "\(help) (with add and a name, or edit)", isRepeatable: true
      ) { try ChannelDraft(kind, $0).checked() }
    }
    let channels = [
      channel(.email, "ADDRESS", "Notify them by e-mail"),
      channel(.webhook, "URL", "Notify them by webhook"),
      channel(.ntfy, "TOPIC", "Notify them on an ntfy topic"),
    ]
    let desktop = syntax.flag(
      "desktop",
      "Notify them on the desktop of the monitor's machine (with add and a name, or edit)")
    let phone = syntax.option(
      "phone", "NUMBER", "Their phone number with the country code (with add and a name, or edit)",
      read: ProfileRules.phone)
    let name = syntax.option(
      "name", "NAME", "Their new name (with edit)", read: ProfileRules.name)
    let note = syntax.option(
      "note", "TEXT", "A note about them (with edit)", read: ProfileRules.note)
    let image = syntax.option(
      "image", "FILE", "Read the code from a PNG or JPEG picture (with add)")
    let json = syntax.flag("json", "Print one line of JSON, an array of contacts (with list)")

    @Sendable func drafts(_ arguments: ParsedArguments) throws -> [ChannelDraft] {
      try channels.flatMap { try arguments.all($0) }
        + (arguments.isSet(desktop) ? [ChannelDraft(.desktop, "")] : [])
    }

    let addition = Reading { arguments in
      let roles = try arguments.value(of: role) ?? .responder
      if let path = try arguments.value(of: image) {
        guard arguments.arguments.isEmpty else {
          throw arguments.invalidValueError(
            image, "A picture takes the place of a code.", advice: "Leave one of them out.")
        }
        return Addition.picture(path: path, roles)
      }
      _ = try arguments.required(whom)
      let drafts = try drafts(arguments)
      let number = try arguments.value(of: phone) ?? nil
      guard drafts.isEmpty else {
        return .person(
          try arguments.required(
            whom.reading {
              try ContactDraft(
                validating: $0, channels: drafts, phone: number ?? "", roles: roles)
            }))
      }
      guard number == nil else {
        throw arguments.invalidValueError(
          phone, "A number alone notifies nobody.",
          advice:
            "Add how they are notified, such as --email ADDRESS or --ntfy TOPIC. Someone with a"
            + " code brings their own number.")
      }
      return .code(try arguments.required(whom.reading(SharedCode.init(typed:))), roles)
    }
    let changes = Reading { arguments in
      let changes = Changes(
        name: try arguments.value(of: name), roles: try arguments.value(of: role),
        channels: try drafts(arguments), phone: try arguments.value(of: phone),
        note: try arguments.value(of: note), wait: try arguments.value(of: wait),
        news: try arguments.value(of: news).map { $0 == .on })
      guard changes != Changes() else {
        throw UsageError(
          sentence: "Nothing to change was given.",
          advice: "Write what to change, such as lifesignal contacts edit NAME --email ADDRESS.")
      }
      return changes
    }
    syntax.verb("list", "List your contacts", isDefault: true, json, run: Self.list)
    syntax.verb(
      "add", "Send a request to the owner of a code; or add a person by name, with a channel",
      addition, run: Self.add)
    syntax.verb(
      "edit", "Change a contact without an account", changes, whom, run: Self.edit)
    syntax.verb("remove", "Remove a contact", whom, run: Self.remove)
    syntax.verb("accept", "Accept a contact's request", whom, run: Self.accept)
    syntax.verb("decline", "Decline a contact's request", whom, run: Self.decline)
    return { [make = syntax.chosenVerb] arguments in
      // A role that isn't one is refused, even where it isn't used.
      _ = try arguments.value(of: role)
      return try make(arguments)
    }
  }

  private func add(_ invocation: Invocation, _ addition: Addition) async throws -> Report {
    switch addition {
    case .code(let code, let roles): return try await ask(code, roles)
    case .picture(let path, let roles): return try await ask(code(in: path), roles)
    case .person(let draft): return try await add(draft, invocation)
    }
  }

  private func add(_ draft: ContactDraft, _ invocation: Invocation) async throws -> Report {
    let namesakes = try await contactsClient.contacts().filter {
      $0.name.lowercased() == draft.name.lowercased()
    }
    let contact = try await contactsClient.add(draft)
    let own = (try? await channelsClient.overview().own) ?? []
    var warnings = draft.doubts(of: own)
    if contact.channels.contains(where: { $0.kind == .email }) {
      let watch = await Situation.Watch(watchClient)
      warnings += watch.mailWarnings(invocation) + [watch.problem?.text].compactMap(\.self)
    }
    return Report(
      [
        "Saved \(contact.name). "
          + (contact.roles.contains(.responder)
            ? "They are notified when you need help." : "You respond for them.")
      ],
      warnings: namesakes.prefix(1).map {
        "You now have two contacts called \($0.name). Give one of them another name in the app."
      } + warnings)
  }

  private func accept(_ name: String) async throws -> Report {
    let offer = try await offer(of: name)
    _ = try await contactsClient.accept(offer.id)
    return Report(["Accepted: \(offer.name) – \(offer.roles.displayText)."])
  }

  private func decline(_ name: String) async throws -> Report {
    let offer = try await offer(of: name)
    try await contactsClient.decline(offer.id)
    return Report(["Declined. \(offer.name) will be notified."])
  }

  private func edit(
    _ invocation: Invocation, _ changes: Changes, _ name: String
  ) async throws -> Report {
    var contact = try await contact(named: name)
    var others = changes
    (others.wait, others.news) = (nil, nil)
    guard contact.link == nil || others == Changes() else {
      throw CommandFailure(
        "\(contact.name) has an account; only they can change it.",
        advice: "Change their role in the app.")
    }
    if let news = changes.news {
      contact = try await contactsClient.setCheckInNews(contact.id, news)
      guard changes.wait != nil || others != Changes() else {
        let whose = contact.isLinked ? "\(contact.name)'s" : "your"
        let who = contact.isLinked ? "You get" : "\(contact.name) gets"
        return Report([
          "\(who) \(news ? "a message" : "no message") at each of \(whose) check-ins."
        ])
      }
    }
    // One line for both requests.
    let line = PassphraseLine(invocation)
    if let wait = changes.wait {
      guard contact.isResponder else {
        throw CommandFailure("\(contact.name) isn't your responder.")
      }
      contact = try await invocation.passingGate(with: line) {
        try await contactsClient.setWait(contact.id, wait)
      }
      guard others != Changes() else {
        return Report([
          "If you miss a deadline, \(contact.name) is notified "
            + (wait == .zero
              ? "at once." : "\(wait.inWords) later, if nobody is responding by then.")
        ])
      }
    }
    var draft = ContactDraft(contact)
    draft.name = changes.name ?? draft.name
    draft.roles = changes.roles ?? draft.roles
    draft.note = changes.note ?? draft.note
    if let phone = changes.phone { draft.phone = phone }
    if !changes.channels.isEmpty { draft.channels = changes.channels }
    let changed = try await invocation.passingGate(with: line) {
      try await contactsClient.update(contact, draft)
    }
    let own = (try? await channelsClient.overview().own) ?? []
    return Report(["Saved \(changed.name)."], warnings: draft.doubts(of: own))
  }

  private func remove(_ invocation: Invocation, _ name: String) async throws -> Report {
    let contact = try await contact(named: name)
    try await invocation.passingGate {
      try await contactsClient.delete(contact.id)
    }
    let left = try await contactsClient.contacts()
    return Report(
      ["Removed \(contact.name)."],
      warnings: left.contains(where: \.isResponder)
        ? []
        : [
          "Nobody would be notified: you have no responders. Add one with lifesignal contacts add."
        ])
  }

  private func contact(named name: String) async throws -> Contact {
    try await contactsClient.contacts().named(name, "There is no contact \(quoted(name)).")
  }

  private func ask(_ shared: SharedCode, _ roles: Roles) async throws -> Report {
    let contact = try await contactsClient.request(shared.code(at: accountHost), roles)
    return Report(["Sent \(contact.name) a request. They become a contact when they accept."])
  }

  /// Reads the code in a picture.
  private func code(in path: String) async throws -> SharedCode {
    let picture = try await fileClient.contents(fileClient.path(path), QRCodeClient.sizeLimit)
    let text = try await qrCodeClient.text(picture)
    if SharedCode.isServerLink(text) { throw ClientError.invalid(.serverLink) }
    guard let code = try? SharedCode(parsing: text) else { throw QRCodeError.otherCode }
    return code
  }

  private func offer(of name: String) async throws -> Contact {
    try await contactsClient.contacts()
      .filter { $0.link?.state == .offered }
      .named(name, "There is no request from \(quoted(name)).")
  }

  private func list(asJSON: Bool) async throws -> Report {
    // Phone numbers are needed most when nothing else answers.
    connectionClient.showLastKnown()
    let contacts = try await contactsClient.contacts()
    let age = connectionClient.ageLines(dateClient)
    let exitCode = age.isEmpty ? ExitCode.ok : .failure
    let now = dateClient.now()
    if asJSON {
      return Report(
        warnings: age, exitCode: exitCode,
        verbatim: JSONText.array(contacts.map { $0.json(at: now) }).text)
    }
    guard !contacts.isEmpty else {
      return Report(warnings: ["There are no contacts yet. Start lifesignal to add one."])
    }
    let rows = contacts.map { contact in
      [
        contact.name, contact.roles.names.joined(separator: ", "),
        contact.reach(at: now) + (contact.waitText.map { ", \($0)" } ?? ""),
        contact.phone.map(PhoneNumber.grouped) ?? "-",
      ].map(\.sanitized)
    }
    return Report(aligned(rows), warnings: age, exitCode: exitCode)
  }
}

extension SharedCode {
  /// Reads a code. Other text is a name whose address is missing, unless it is one word with
  /// digits.
  fileprivate init(typed text: String) throws {
    do throws(ValidationError) { try self.init(parsing: text) } catch {
      guard error == .code, (try? ProfileRules.name(text)) != nil,
        text.contains(" ") && text.count(where: \.isHexDigit) < 16
          || !text.contains(where: \.isNumber)
      else { throw error }
      throw InvalidValue(
        "There is no address for \(quoted(text)).",
        advice:
          "Add one, such as --email ADDRESS or --ntfy TOPIC, or type the code of their account.")
    }
  }
}

extension ContactDraft {
  /// Returns questions about suspicious addresses.
  /// - Parameter own: The user's own channels.
  func doubts(of own: [Channel]) -> [String] {
    channels.compactMap { roles.contains(.responder) ? $0.doubt(ofResponderTo: own) : $0.doubt }
  }
}

extension Roles {
  /// Reads `responder`, `dependent` or `both`.
  init(word: String) throws {
    switch word {
    case "responder": self = .responder
    case "dependent": self = .dependent
    case "both": self = [.responder, .dependent]
    default:
      throw InvalidValue(
        "\(quoted(word)) isn't a role.", advice: "Write responder, dependent or both.")
    }
  }

  /// The names of the roles: `["responder", "dependent"]`.
  var names: [String] {
    (contains(.responder) ? ["responder"] : []) + (contains(.dependent) ? ["dependent"] : [])
  }
}

extension Contact {
  /// Returns the channels of an outside contact, or the state of another account.
  func reach(at now: Date) -> String {
    if let standing = standing(at: now) { return standing }
    guard declinedAt == nil else { return "declined" }
    return channels.isEmpty ? "-" : channels.map(\.spelling).joined(separator: ", ")
  }

  /// Returns the status of another account in a few words; `nil` for an outside contact.
  func standing(at now: Date) -> String? {
    guard link != nil else { return nil }
    switch status(at: now) {
    case .requested: return "has not answered"
    case .offered: return "asks you"
    case .declined: return "declined"
    case .outside: return nil
    case .account: return "account"
    case .dependent(let dependent, let status):
      let left = dependent.deadline.distanceText(at: now)
      return switch status {
      case .ok, .dueSoon: "\(left) left"
      case .overdue: "overdue \(left)"
      case .nonResponsive: "no check-in, overdue \(left)"
      case .alert: "ALERT"
      case .paused: "paused"
      }
    }
  }

  /// Returns the contact as `contacts --json` prints it.
  func json(at now: Date) -> JSONText {
    let json: JSONText = [
      "id": .string(id.uuidString.lowercased()), "name": .string(name),
      "roles": .array(roles.names.map(JSONText.string)), "email": .optional(email),
      "phone": .optional(phone), "note": .string(note), "added_at": .string(addedAt.rfc3339),
    ]
    let channels = channels.map { channel -> JSONText in
      ["kind": .string(channel.kind.rawValue), "address": .string(channel.address)]
    }
    let dependent = link?.dependentStatus
    return json.adding("after", roles.contains(.responder) ? .integer(waitSpan.seconds) : nil)
      .adding("each_time", hearsCheckIns == true ? .boolean(true) : nil)
      .adding("channels", link == nil ? .array(channels) : nil)
      .adding("declined_at", declinedAt.map { .string($0.rfc3339) })
      .adding("state", link.map { .string($0.state.rawValue) })
      .adding("status", dependent.map { .string($0.status(at: now).rawValue) })
      .adding("deadline", dependent.map { .string($0.deadline.date.rfc3339) })
      .adding("last_check_in", dependent.map { .string($0.lastCheckIn.rfc3339) })
      .adding("last_source", dependent?.lastSource.map { .string($0.rawValue) })
  }
}
