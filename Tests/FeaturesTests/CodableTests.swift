import Clients
import Composable
import Domain
import Foundation
import Terminal
import Testing

@testable import Features

/// A recording replays exactly: every value of the domain, and every type with handwritten coding,
/// survives a round trip.
@Suite struct CodableTests {
  @Test(
    "Encoding a value as JSON and decoding the JSON gives the same value", arguments: UInt64(0)..<40
  )
  func roundTrip(seed: UInt64) throws {
    var random = Random(generator: SplitMix64(seed: seed))
    for value in Self.values(&random) { try check(value) }
  }

  private func check<Value: Codable & Equatable>(_ value: Value) throws {
    let data = try JSONEncoder().encode([value])
    #expect(try JSONDecoder().decode([Value].self, from: data) == [value])
  }

  @Test("The values checked by the JSON round trip leave no field empty")
  func everyFieldIsSet() {
    var random = Random(generator: SplitMix64(seed: 1))
    for value in Self.values(&random) {
      var gaps: [String] = []
      Self.walk(value, path: "\(type(of: value))", gaps: &gaps)
      #expect(gaps == [])
    }
  }

  @Test("The JSON round trip covers every Codable type of the domain and all handwritten coding")
  func everyTypeIsChecked() throws {
    var random = Random(generator: SplitMix64(seed: 1))
    var known = Self.exceptions
    for value in Self.values(&random) { Self.collect(value, into: &known) }
    let declared = try Self.declaredTypes()
    #expect(declared.count > 60)
    #expect(declared.subtracting(known).sorted() == [])
    // The list has no outdated exceptions.
    #expect(Self.exceptions.subtracting(declared).sorted() == [])
  }

  /// The types that are only decoded or only encoded, and those that hide their contents.
  private static let exceptions: Set<String> = [
    // The configuration, which people write by hand.
    "Configuration.File", "Configuration.SMTP", "SendmailSection", "HeartbeatSection",
    "LinkSection", "ErrorLogSection", "SecretCommandSection", "Service.Field", "Strict",
    // The files of services.
    "AnswerRules", "AnswerPattern", "AnswerPattern.List",
    // Messages to services.
    "WebhookEvent.Content", "WebhookEvent.AlertContent", "NtfyMessage",
    // In memory only; the core's own tests cover them.
    "IdentifiedArray", "PresentationState", "Presents", "StackState", "BindingAction",
    // A file whose coding checks its format; tested where it is written and read.
    "OutboxFolder.Format",
    // A sheet can't be recorded; its actions are tested by their names.
    "OpenSheet", "SheetAction",
    // Decodes as empty, since no recording contains a secret.
    "Secret",
    // File formats, which have their own tests.
    "AccountExport", "RecordingHeader", "FormatVersion",
    // Messages between a server and an app.
    "ArgumentReader.Members", "ArgumentWriter", "ServerRefusal",
    // What enums have in common.
    "ExtensibleEnum",
    // In neither the store nor recordings.
    "CheckInStatus", "NotificationItem.Priority",
  ]

  // MARK: Values

  struct Random: RandomNumberGenerator {
    var generator: SplitMix64

    mutating func next() -> UInt64 { generator.next() }

    mutating func id() -> UUID {
      let (high, low) = (next(), next())
      return withUnsafeBytes(of: (high, low)) { UUID(uuid: $0.load(as: uuid_t.self)) }
    }
    mutating func count() -> Int { Int.random(in: 1...1_000_000, using: &self) }
    mutating func date() -> Date {
      Date(timeIntervalSinceReferenceDate: .random(in: -4e9...4e9, using: &self))
    }
    mutating func span() -> TimeSpan { .seconds(count()) }
    mutating func text() -> String {
      let characters = Array("ab \"\\/\n\u{0}é漢\u{1F600}\u{2028}e\u{301}")
      return String(
        (0...Int.random(in: 1...9, using: &self)).map { _ in
          characters.randomElement(using: &self)!
        })
    }
    mutating func any<Value>(_ values: [Value]) -> Value { values.randomElement(using: &self)! }
    mutating func any<Value: CaseIterable>(_ type: Value.Type) -> Value {
      Value.allCases.randomElement(using: &self)!
    }
    mutating func schedule() -> Schedule {
      let times = (0..<3).map { _ in
        SetTimes.Time(
          minute: .random(in: 0..<1_440, using: &self),
          days: Weekdays(rawValue: .random(in: 1...127, using: &self)))
      }
      return Schedule(
        times: try! SetTimes(times, zone: "Europe/Berlin", opening: .hours(3)), since: date(),
        rule: text(), opens: date(), next: date(), isEarly: any([true, false]))
    }
    mutating func outing() -> Outing {
      Outing(
        id: id(), text: text(), until: date(), startedAt: date(), measuredAt: date(),
        responders: [id()], isAnnounced: any([true, false]), holdsDeadline: any([true, false]),
        grace: span(), graceFrom: date())
    }
    mutating func interval() -> CheckInInterval {
      try! CheckInInterval(.seconds(Int.random(in: 3_600...2_592_000, using: &self)))
    }
  }

  static func stages(_ random: inout Random) -> [Stage] {
    [
      .reminder(random.span()), .pauseEnds, .deadlinePassed, .noticedLate, .passwordReset,
      .nonResponsive, .nonResponsiveAgain(random.count()), .alertOn, .alertOnAgain(random.count()),
      .accountDeleted, .allClear, .alertOff, .acknowledged(random.id()), .contactAdded,
      .channelTest(random.id()), .alertNote(random.id()), .unwatched, .responderNotice(random.id()),
      .addressCode, .addressReplaced, .addressTakenBack(random.id()),
      .requestWaits(random.id()), .serverRestored(random.id()),
      .passwordWasReset(random.id()), .reassurance(random.id()), .checkedIn(random.id()),
      .outingEnds(random.span(), Date(timeIntervalSince1970: Double(random.count()))),
      .outingNoticedLate(Date(timeIntervalSince1970: Double(random.count()))),
    ]
  }

  private static func values(_ random: inout Random) -> [any Codable & Equatable] {
    var settings = TerminalSettings()
    settings.appearance = Appearance(theme: .light, reducesMotion: true)
    settings.lists = ListChoices(responders: .dateAdded, dependents: .name)
    settings.use(random.text())
    settings.hasAdopted = true
    let stages = stages(&random)
    let channel = Channel(
      id: random.id(), kind: random.any(Channel.Kind.self), address: random.text())
    let word = Acknowledgement(
      responder: random.id(), name: random.text(), date: random.date(),
      withdrawals: random.count())
    let alert = Alert(
      id: random.id(), kind: random.any(Alert.Kind.self), message: random.text(),
      raisedAt: random.date(), sequence: random.count(), resolvedAt: random.date(),
      acknowledgements: [word], noticedLateBy: random.span(), dueBack: random.date())
    var delivery = DeliveryReport(
      id: random.id(), stage: random.any(stages),
      recipientID: random.any([.owner, .contact(random.id())]), recipient: random.text(),
      channel: random.any(Channel.Kind.self), address: random.text(),
      state: random.any([.pending, .sent, .failed, .cancelled]), date: random.date(),
      plannedAt: random.date(), error: random.text(), isDrill: random.any([true, false]))
    delivery.mayHaveBeenSent = random.any([true, false])
    (delivery.begunAt, delivery.server) = (random.date(), random.text())
    let standby = Standby(heartbeat: random.text(), topic: random.text())
    let ping = Ping(
      id: random.id(), sentAt: random.date(), state: random.any(Ping.State.self),
      endedAt: random.date())
    var link = AccountLink(
      user: random.id(), state: random.any([.requested, .offered, .active, .declined]),
      picture: random.id(),
      dependentStatus: DependentStatus(
        interval: random.interval(), lastCheckIn: random.date(), grace: random.span(),
        pausedUntil: random.date(), graceFrom: random.date(),
        lastSource: random.any(CheckIn.Source.self), alert: alert, address: random.text(),
        access: random.text(), schedule: random.schedule()),
      sentPing: ping, receivedPing: ping)
    link.dependentStatus?.outing = random.outing()
    link.dependentStatus?.deadlineHeldUntil = random.date()
    link.channelKinds = [.email, .ntfy]
    var contact = Contact(
      id: random.id(), name: random.text(), phone: random.text(), note: random.text(),
      roles: Roles(rawValue: random.count()), channels: [channel], addedAt: random.date(),
      link: link, declinedAt: random.date(),
      wait: ResponderWait(span: random.span(), earlier: random.span(), changedAt: random.date()))
    contact.hearsCheckIns = true
    var user = User(
      id: random.id(),
      profile: Profile(
        name: random.text(), phone: random.text(), note: random.text(), email: random.text(),
        address: random.text(), access: random.text()),
      interval: random.interval(), reminders: [random.span(), random.span()],
      grace: random.span(), repeatInterval: random.span(), checkInSequence: random.count(),
      lastCheckIn: random.date(), pausedUntil: random.date(), pausedAt: random.date(),
      graceFrom: random.date(), createdAt: random.date(), code: AccountCode(random.id()),
      locks: User.Locks(rawValue: random.count()), picture: random.id(), deletedAt: random.date(),
      schedule: random.schedule())
    user.outing = random.outing()
    let outingDraft = OutingDraft(
      end: random.text(), zone: random.text(), text: random.text(), responders: [random.id()],
      isAnnounced: true, holdsDeadline: true, grace: random.span())
    let checkIns = (0..<5).map { _ in
      CheckIn(
        id: random.id(), date: Date(timeIntervalSinceReferenceDate: Double(random.count())),
        source: random.any(CheckIn.Source.self), sequence: random.count(), margin: random.span(),
        receivedAt: random.date())
    }
    var muted = MutedTopics()
    muted[random.id()] = [random.any(Domain.Topic.self)]
    muted[random.id()] = Set(Domain.Topic.allCases)
    let family: ErrorFamily = random.any(ErrorFamily.self)
    let armed = ArmedAlert(
      id: random.id(), message: random.text(), armedAt: random.date(), firesAt: random.date())
    let error = ErrorText(
      random.text(), random.text(), recovery: random.text(), isRetryable: true,
      retryAfter: random.span(), family: family)
    var values: [any Codable & Equatable] = [
      Uptime(boot: random.text(), seconds: 7),
      Outbox(
        checkIns: [
          .init(id: random.id(), madeAt: random.date(), refusal: error, outing: random.id())
        ],
        alerts: [
          .init(id: random.id(), raisedAt: random.date(), mayBeSent: true, isStopped: true)
        ]), armed,
      SpooledAlert.armed(armed, account: random.id()),
      SpooledAlert.stopped(
        random.id(), at: random.date(), dueAt: random.date(), account: random.id()),
      SpooledAlert.silent(random.id(), at: random.date(), account: random.id()),
      random.any([Arming.armed(armed), .raised(alert), .stopped]),
      random.any(GatedOperation.self), random.any(DeliveryOutcome.Kind.self),
      user, contact, outingDraft, OutingExtension(random.outing(), by: random.span()),
      AlertReport(
        alert: alert, deliveries: [delivery],
        withdrawals: [
          Withdrawal(responder: random.id(), name: random.text(), date: random.date())
        ]), checkIns[0], muted, channel,
      CheckInRecord(checkIns, calendar: .utc),
      Response(
        kind: random.any([.acknowledged, .declined]), person: random.text(),
        responder: random.text(), isAboutUser: Bool.random(using: &random)),
      ContactDraft(
        name: random.text(), phone: random.text(), note: random.text(),
        channels: [ChannelDraft(random.any(Channel.Kind.self), random.text(), token: Secret(""))],
        roles: .dependent),
      SharedCode(user.code, server: random.text()),
      ChannelOverview(own: [channel], last: [channel.id: delivery], muted: muted),
      NotificationFilter(
        topic: random.any(NotificationItem.Topic.self), isUnreadOnly: Bool.random(using: &random)),
      Pause(start: random.date(), end: random.date()),
      NotificationItem(
        id: random.id(), kind: random.any(NotificationItem.Kind.self), date: random.date(),
        isRead: Bool.random(using: &random), subject: random.text(), detail: random.text()),
      EmergencyDocument(
        id: random.id(), name: random.text(), contentType: ContentType(rawValue: random.text()),
        size: random.count(), access: random.any(EmergencyDocument.Access.self),
        addedAt: random.date()),
      WatchStatus(
        monitors: random.count(), lastSeen: random.date(), problem: random.text(),
        failingKinds: [random.any(Channel.Kind.self)], fault: random.text(), notice: random.text(),
        clock: ClockWarning(seconds: random.count(), acceptedAt: random.date()),
        standby: StandbyStatus(
          standby, heartbeatAnswer: random.text(), topicAnswer: random.text(),
          messageDate: random.date())),
      ConnectionState.reconnecting(asOf: random.date()),
      ConnectionState.offline(since: random.date(), asOf: random.date()),
      Credentials(email: random.text(), password: Secret("")),
      NewAccount(
        profile: user.profile, interval: random.interval(), reminders: [random.span()],
        grace: random.span(), repeatInterval: random.span(),
        responders: [
          ContactDraft(
            name: random.text(), phone: random.text(), note: random.text(),
            channels: [ChannelDraft(.ntfy, random.text(), token: Secret(""))], roles: .responder)
        ], credentials: Credentials(email: random.text(), password: Secret("")), isArriving: true),
      ResponseInvitation(
        person: random.text(), responder: random.text(), hasResponded: true,
        call: ResponseInvitation.Call(
          alert: alert, phone: random.text(), note: random.text(), lastCheckIn: random.date(),
          lastSource: .link, address: random.text(), access: random.text())),
      LinkCheckIn(
        person: random.text(), deadline: random.date(),
        state: random.any([.ready, .needsPassphrase, .endsNothing(since: random.date())]),
        isAlertOn: true,
        missed: LinkCheckIn.Missed(sentAt: random.date(), passedOnAt: random.date())),
      NewInvitation(
        Invitation(
          id: random.id(), roles: Roles(rawValue: random.count()), createdAt: random.date(),
          expiresAt: random.date()), link: Secret("")),
      InvitationOffer(name: random.text(), roles: Roles(rawValue: random.count())),
      random.any(Invitation.End.self),
      Gate(passphrase: Secret(""), duress: Secret("")),
      random.any([AuthState.newcomer, .signedOut, .signedIn(random.id())]),
      Session(
        id: random.id(), device: random.text(), createdAt: random.date(), lastUsedAt: random.date(),
        isCurrent: Bool.random(using: &random)),
      standby,
      random.any(Quota.self), NtfyTopic(random: (0..<20).map { _ in UInt8(random.count() & 255) }),
      WaitingMessage(topic: random.text(), date: random.date()),
      ContactOverview(
        responderCount: random.count(), firstResponders: [contact], channelKinds: [.email, .ntfy],
        linked: [contact]),
      ErrorText(
        random.text(), random.text(), recovery: random.text(),
        isRetryable: Bool.random(using: &random), retryAfter: .seconds(random.count()),
        family: family),
      random.any([ValidationError.phone, .nameLength(random.count()), .duration(random.text())]),
      // Types outside the domain with handwritten coding.
      Appearance(theme: .mono, reducesMotion: true), settings,
      PixelPicture(width: 3, height: 2, rgba: Data((0..<24).map { UInt8($0) })),
      JSONValue.object([
        random.text(): .array([
          .null, .bool(true), .integer(random.count()), .number(0.5), .string(random.text()),
          .object(["": .integer(-1)]),
        ])
      ]),
      StackElementID(random.next()), SecureText("•••"),
      CollectionPath.settings, DocumentPath.lists, StoredFileURL(random.id()),
    ]
    values += stages.map { $0 as any Codable & Equatable }
    return values
  }

  // MARK: Search

  private static func walk(_ value: Any, path: String, gaps: inout [String]) {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional, mirror.children.isEmpty {
      gaps.append(path)
    } else if mirror.displayStyle == .collection || mirror.displayStyle == .set
      || mirror.displayStyle == .dictionary, mirror.children.isEmpty
    {
      gaps.append(path)
    }
    for child in mirror.children {
      walk(child.value, path: path + "." + (child.label ?? ""), gaps: &gaps)
    }
  }

  private static func collect(_ value: Any, into known: inout Set<String>) {
    var name = String(reflecting: type(of: value))
    if let generic = name.firstIndex(of: "<") { name = String(name[..<generic]) }
    known.insert(name.split(separator: ".").dropFirst().joined(separator: "."))
    for child in Mirror(reflecting: value).children { collect(child.value, into: &known) }
  }

  /// The names of the `Codable` types in `Domain`, and of types anywhere in `Sources` with a
  /// handwritten initializer, encoding or coding keys.
  private static func declaredTypes() throws -> Set<String> {
    let root = #filePath.replacing("Tests/FeaturesTests/CodableTests.swift", with: "Sources/")
    let files = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    let declaration =
      /\s*(?:(?:public|package|private|fileprivate|final|indirect) )*(?:struct|enum|class|actor|extension) (?<name>[A-Za-z_.]+)(?<rest>.*)/
    var types: Set<String> = []
    for file in files where file.hasSuffix(".swift") {
      let text = try String(contentsOfFile: root + file, encoding: .utf8)
      guard text.contains("Codable") || text.contains("decoder:") || text.contains("CodingKey")
      else { continue }
      // The declarations that enclose a line, found by their indentation.
      var enclosing: [(indent: Int, name: String)] = []
      for line in text.split(separator: "\n") {
        let indent = line.prefix { $0 == " " }.count
        if let match = line.wholeMatch(of: declaration) {
          enclosing.removeAll { $0.indent >= indent }
          enclosing.append((indent, String(match.name)))
          let isCodable = match.rest.prefix { $0 != "{" }.contains("Codable")
          if file.hasPrefix("Domain/"), isCodable, !match.name.hasSuffix("Entry") {
            types.insert(enclosing.map(\.name).joined(separator: "."))
          }
        }
        if line.contains("init(from decoder:") || line.contains("func encode(to encoder:")
          || line.contains("enum CodingKeys")
        {
          let names = enclosing.filter { $0.indent < indent && $0.name != "CodingKeys" }.map(\.name)
          types.insert(names.joined(separator: "."))
        }
      }
    }
    return types
  }
}
