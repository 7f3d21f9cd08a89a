import Clients
import Composable
import Domain
import FoundationEssentials
package import ServerProtocol

/// Random values of every type sent over the wire, from a seed.
package struct Samples {
  private var random: SplitMix64

  package init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// The error for a type without a sample.
  package struct Missing: Error {
    package var type: String
    package var route: String
  }

  /// Returns a value of a type used by a route.
  package mutating func required(
    _ type: any (Codable & Sendable).Type, of route: Route
  ) throws -> any Codable & Sendable {
    for value in all() where Swift.type(of: value) == type { return value }
    throw Missing(type: "\(type)", route: route.name)
  }

  private mutating func id() -> UUID {
    withUnsafeBytes(of: (random.next(), random.next())) { UUID(uuid: $0.load(as: uuid_t.self)) }
  }
  private mutating func count() -> Int { Int(random.next() % 1_000_000) }
  private mutating func date() -> Date {
    Date(timeIntervalSince1970: Double(random.next() % 4_000_000_000_000) / 1_000)
  }
  private mutating func span() -> TimeSpan { .seconds(count()) }
  private mutating func text() -> String {
    let letters = Array("ab \"\\/%?&=#+\né漢\u{1F600}")
    return "x"
      + String(
        (0..<random.next() % 9).map { _ in letters[Int(random.next() % UInt64(letters.count))] })
  }
  private mutating func secret() -> Secret<String> { Secret(text()) }
  private mutating func isEven() -> Bool { random.next().isMultiple(of: 2) }

  private mutating func all() -> [any Codable & Sendable] {
    let channel = Channel(id: id(), kind: .ntfy, address: text())
    let draft = ChannelDraft(.ntfy, text(), token: secret())
    let alert = Alert(
      id: id(), kind: .manual, message: text(), raisedAt: date(), sequence: count(),
      resolvedAt: date(),
      acknowledgements: [Acknowledgement(responder: id(), name: text(), date: date())],
      noticedLateBy: span())
    let armed = ArmedAlert(id: id(), message: text(), armedAt: date(), firesAt: date())
    let report = DeliveryReport(
      id: id(), stage: .reminder(span()), recipientID: .contact(id()), recipient: text(),
      channel: .email, address: text(), state: .failed, date: date(), plannedAt: date(),
      error: text(), isDrill: isEven())
    let profile = Profile(name: text(), phone: text(), note: text(), email: text())
    let interval = try! CheckInInterval(.hours(1 + count() % 700))
    let user = User(
      id: id(), profile: profile, interval: interval, reminders: [span()], grace: span(),
      repeatInterval: span(), checkInSequence: count(), lastCheckIn: date(), pausedUntil: date(),
      pausedAt: date(), graceFrom: date(), createdAt: date(), code: AccountCode(id()),
      locks: User.Locks(rawValue: 1), picture: id(), deletedAt: date())
    let contact = Contact(
      id: id(), name: text(), phone: text(), note: text(), roles: .responder, channels: [channel],
      addedAt: date(), link: AccountLink(user: id(), state: .active),
      declinedAt: isEven() ? date() : nil)
    let contactDraft = ContactDraft(
      name: text(), phone: text(), note: text(), channels: [draft], roles: .dependent)
    let credentials = Credentials(email: text(), password: secret())
    let document = EmergencyDocument(
      id: id(), name: text(), contentType: ContentType(rawValue: "application/pdf"), size: count(),
      access: .always, addedAt: date())
    let path = try! CollectionPath("c\(count())").document("d\(count())")
    let json = Data("{\"a\":\(count())}".utf8)
    let stored = Document(path: path, version: count(), json: json)
    let query = DocumentQuery(
      filters: [DocumentQuery.Filter(text(), .less, .number(0.5))], order: text(), descending: true,
      limit: count())
    let checkIn = CheckIn(
      id: id(), date: date(), source: .manual, sequence: count(), margin: span())
    let item = NotificationItem(
      id: id(), kind: .dependentAlert, date: date(), isRead: isEven(), subject: text(),
      detail: text())
    var muted = MutedTopics()
    muted[channel.id] = [.pauses]
    return [
      text(), count(), isEven(), date(), span(), id(), json, secret(), interval, alert, armed, user,
      try! SetTimes(
        [.init(minute: count() % 1_440, days: .daily)], zone: "Europe/Berlin", opening: .hours(3)),
      [user.grace], report, [report], profile, contact, [contact], contactDraft, credentials,
      document, [document], path, path.collection, query, [stored], checkIn, [checkIn], item,
      [item],
      Optional(count()), Optional<Int>.none as Int?, Optional(secret()), Optional(stored),
      Optional(armed), Optional(alert), Optional(id()),
      Optional(Gate(passphrase: secret(), duress: secret())),
      NewAccount(
        profile: profile, interval: interval, responders: [contactDraft], credentials: credentials),
      AuthState.signedIn(id()),
      [
        Session(
          id: id(), device: text(), createdAt: date(), lastUsedAt: date(), isCurrent: isEven())
      ], PictureChange.set(json), Standby(heartbeat: text(), topic: text()),
      WatchStatus(
        monitors: count(), lastSeen: date(), problem: text(), failingKinds: [.email], fault: text(),
        notice: text()),
      AccountExport(
        user: User(id: id(), profile: Profile(name: "Ada"), lastCheckIn: date(), createdAt: date()),
        contacts: [], checkIns: [], alerts: [], notifications: [], documents: []),
      ImportReport(),
      AccountMove(
        export: AccountExport(
          user: User(
            id: id(), profile: Profile(name: "Ada"), lastCheckIn: date(), createdAt: date()),
          contacts: [], checkIns: [], alerts: [], notifications: [], documents: []),
        secrets: [id(): secret()], gate: AccountMove.GateHashes(gate: secret()),
        takesLinks: isEven(),
        picture: id(), standby: Standby(topic: text()), movedTo: text()),
      Invitation(id: id(), roles: .responder, createdAt: date(), expiresAt: date()),
      [Invitation(id: id(), roles: .dependent, createdAt: date(), expiresAt: date())],
      Optional(InvitationOffer(name: text(), roles: .dependent)),
      OutingDraft(end: text(), zone: text(), responders: [id()], holdsDeadline: isEven()),
      OutingExtension(
        Outing(id: id(), text: text(), until: date(), startedAt: date()), by: span()),
      CheckIn.Source.manual, AccountCode(id()), Roles.responder,
      Ping(id: id(), sentAt: date(), state: .open, endedAt: date()), Arming.armed(armed),
      [AlertReport(alert: alert, deliveries: [report])],
      NtfyTopic(id: id()),
      LinkCheckIn(
        person: text(), deadline: date(), state: .endsNothing(since: date()), isAlertOn: isEven()),
      ResponseInvitation(
        person: text(), responder: text(), hasResponded: isEven(),
        call: ResponseInvitation.Call(
          alert: alert, phone: text(), note: text(), lastCheckIn: date(), lastSource: .link)),
      Response(
        kind: .acknowledged, person: text(), responder: text(), isAboutUser: isEven()),
      ChannelOverview(own: [channel], last: [channel.id: report], muted: muted), draft,
      NewChannel(channel: channel, secret: secret()), Topic.pauses,
      NotificationFilter(topic: nil, isUnreadOnly: isEven()), NotificationItem.Kind.dependentAlert,
      StorageMetadata(name: text(), contentType: document.contentType, access: .duringAlert),
      StoredFileURL(id()), EmergencyDocument.Access.duringAlert,
      [
        DocumentWrite.set(path, json), .delete(path), .increment(path, field: text(), by: count()),
        .require(path, stored), .require(path, nil),
      ],
    ]
  }
}
