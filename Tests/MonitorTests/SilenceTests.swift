import Clients
import Composable
import ComposableFoundation
import ComposableTesting
import Cryptography
import Domain
import SQLite
import FoundationEssentials
import Monitor
import Synchronization
import Testing

/// ALT-9: two worlds that differ only in whether the person acted under duress.
@Suite struct SilenceTests {
  static let gate = Gate(passphrase: Secret("blue kettle"), duress: Secret("green kettle"))
  static let platforms = ["memory", "embedded"]

  /// A store with a monitor, where the person always passes the gate with the same passphrase.
  final class Life: Sendable {
    let passphrase: Secret<String>
    let clients: DependencyValues
    let mailbox = Mailbox()
    let log = Log()
    let upkeep: UpkeepClient
    private let folder: String?

    init(_ platform: String, _ passphrase: Secret<String>) throws {
      self.passphrase = passphrase
      let time = Time()
      self.clock = time
      var values = DependencyValues()
      if platform == "memory" {
        EmbeddedPlatform.inMemory(now: { time.now }, makeUUID: { UUID() }, clock: TestClock())
          .install(in: &values)
        folder = nil
      } else {
        let path = "/tmp/lifesignal-silence-\(UUID().uuidString)"
        try EmbeddedPlatform(
          folders: Folders(
            data: path + "/data", config: path + "/config", state: path + "/state"),
          now: { time.now }, hashing: .minimal
        ).install(in: &values)
        folder = path
      }
      clients = values
      upkeep = values.upkeepClient
    }

    deinit { if let folder { try? FileManager.default.removeItem(atPath: folder) } }

    final class Time: Sendable {
      private let contents = Mutex(start)
      var now: Date { contents.withLock { $0 } }
      func advance(_ span: TimeSpan) { contents.withLock { $0 = $0 + span } }
    }
    let clock: Time

    /// Lets the monitor do all that is due. No step takes any time.
    func watch() async {
      let loop = MonitorLoop(
        id: UUID(700), store: clients.monitorClient, deliveryService: mailbox.deliveryService,
        dateClient: DateClient(now: { [clock] in clock.now }, calendar: .utc),
        clock: ShortSleepClock(), random: WithRandomNumberGenerator(SplitMix64(seed: 1)),
        log: log.monitorLog, pace: .init(concurrency: 1))
      _ = await loop.runOnce()
    }

    func live(_ span: TimeSpan) async {
      var left = span.seconds
      while left > 0 {
        clock.advance(.seconds(min(100, left)))
        left -= 100
        await watch()
      }
    }

    /// All answers of the person's clients, with identifiers numbered by their first appearance.
    func everything() async throws -> [String: String] {
      var seen: [String: String] = [:]
      let values = clients
      seen["user"] = "\(try await values.userClient.currentUser())"
      seen["state"] = "\(try await values.authClient.state())"
      seen["sessions"] = "\(try await values.authClient.sessions())"
      let contacts = try await values.contactsClient.contacts()
      let names = Dictionary(
        uniqueKeysWithValues: contacts.flatMap(\.channels).map { ($0.id, $0.address) })
      seen["contacts"] = "\(contacts)"
      seen["alerts"] = "\(try await values.alertClient.history(50))"
      seen["check-ins"] = "\(try await values.checkInClient.history(50))"
      seen["notifications"] = "\(try await values.notificationClient.notifications(50, .all))"
      let channels = try await values.channelsClient.overview()
      seen["channels"] = "\(channels.own) \(channels.muted)"
      for (id, report) in channels.last { seen["last on \(names[id] ?? "own")"] = "\(report)" }
      for contact in contacts {
        for channel in contact.channels {
          seen["log of \(channel.address)"] =
            "\(try await values.channelsClient.log(channel.id))"
        }
      }
      seen["documents"] = "\(try await values.documentsClient.documents())"
      seen["watch"] = "\(try await values.watchClient.status())"
      seen["standby"] = "\(try await values.standbyClient.standby())"
      seen["load"] = "\(try await upkeep.load())"
      seen["export"] = String(
        decoding: try await values.transferClient.exportAccount().encoded(), as: UTF8.self)
      seen["log"] = log.lines.joined(separator: "\n")
      return seen.mapValues(\.withNumberedIDs)
    }
  }

  /// Runs the same story in both worlds.
  private func compare(
    _ platform: String, _ story: (Life) async throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> (open: Life, forced: Life) {
    var lives: [Life] = []
    var answers: [[String: String]] = []
    for passphrase in [Self.gate.passphrase, Self.gate.duress!] {
      let life = try Life(platform, passphrase)
      _ = try await life.clients.authClient.createAccount(
        NewAccount(
          profile: Profile(name: "Ada", email: "ada@example.org"),
          responders: [
            ContactDraft(name: "Bob", email: "bob@example.org", roles: .responder),
            ContactDraft(name: "Cyd", email: "cyd@example.org", roles: .responder),
          ]))
      try await life.clients.authClient.updateGate(Self.gate)
      await life.watch()
      try await story(life)
      lives.append(life)
      answers.append(try await life.everything())
    }
    for key in Set(answers[0].keys).union(answers[1].keys).sorted() {
      let lines = answers.map { ($0[key] ?? "nothing").replacing("Domain.", with: "") }
        .map { $0.split(separator: /\n|(?=Report\()/).map(String.init) }
      #expect(
        lines[1].difference(from: lines[0]).isEmpty,
        "\(key): \(lines[1].difference(from: lines[0]).map { "\($0)" })",
        sourceLocation: sourceLocation)
    }
    return (lives[0], lives[1])
  }

  @Test(
    "ALT-9: a check-in under duress looks like any other in every answer, log and export",
    arguments: platforms)
  func checkIn(_ platform: String) async throws {
    let lives = try await compare(platform) { life in
      await life.live(.hours(1))
      _ = try await life.clients.checkInClient.$checkIn(.manual, typing: life.passphrase)
      await life.live(.hours(3))
    }
    #expect(lives.open.mailbox.lines.filter { $0.hasPrefix("alert_on") } == [])
    #expect(lives.forced.mailbox.lines.filter { $0 == "alert_on Bob" }.count == 1)
  }

  @Test(
    "ALT-9: a late check-in under duress looks like any other everywhere",
    arguments: platforms)
  func lateCheckIn(_ platform: String) async throws {
    _ = try await compare(platform) { life in
      await life.live(.hours(25))
      _ = try await life.clients.checkInClient.$checkIn(.manual, typing: life.passphrase)
      await life.watch()
      await life.live(.minutes(30))
    }
  }

  /// The outcomes of the messages that an alert is over.
  enum Weather: CaseIterable {
    case fair, cut, refused, notSetUp

    var outcome: DeliveryOutcome {
      switch self {
      case .fair: .sent
      // With a delay set by the server, no random backoff is used.
      case .cut: .retry(reason: "no route to host", after: .minutes(6))
      case .refused: .permanent(reason: "550 no such user")
      case .notSetUp: .misconfigured(reason: "535 wrong password")
      }
    }
  }

  @Test(
    "ALT-9: cancelling under duress looks like any other, and nobody is sent the alert's end",
    arguments: platforms, Weather.allCases)
  func cancelledAlert(_ platform: String, _ weather: Weather) async throws {
    let lives = try await compare(platform) { life in
      _ = try await life.clients.alertClient.raise("help")
      await life.watch()
      life.mailbox.answer { _ in weather.outcome }
      _ = try await life.clients.alertClient.$cancel(typing: life.passphrase)
      await life.watch()
      await life.live(.minutes(20))
      life.mailbox.answer { _ in .sent }
      await life.live(.hours(2))
    }
    #expect(lives.open.mailbox.attempts.contains { $0.stage.isEnd })
    #expect(lives.forced.mailbox.attempts.allSatisfy { !$0.stage.isEnd })
  }

  @Test(
    "ALT-9: cancelling under duress looks like any other, also if no alert could be sent",
    arguments: platforms,
    Weather.allCases)
  func untoldAlert(_ platform: String, _ weather: Weather) async throws {
    let lives = try await compare(platform) { life in
      life.mailbox.answer { _ in weather.outcome }
      _ = try await life.clients.alertClient.raise("help")
      await life.watch()
      _ = try await life.clients.alertClient.$cancel(typing: life.passphrase)
      await life.live(.minutes(20))
      life.mailbox.answer { _ in .sent }
      await life.live(.hours(1))
    }
    #expect(lives.forced.mailbox.attempts.allSatisfy { !$0.stage.isEnd })
  }

  @Test(
    "ALT-9: during a silent alert, ending an alert and a missed deadline looks like any other",
    arguments: platforms, Weather.allCases)
  func severalEnds(_ platform: String, _ weather: Weather) async throws {
    let lives = try await compare(platform) { life in
      _ = try await life.clients.checkInClient.$checkIn(.manual, typing: life.passphrase)
      await life.live(.hours(25))
      _ = try await life.clients.alertClient.raise("help")
      await life.live(.minutes(10))
      life.mailbox.answer { _ in weather.outcome }
      _ = try await life.clients.alertClient.$cancel(typing: life.passphrase)
      _ = try await life.clients.checkInClient.$checkIn(.manual, typing: life.passphrase)
      await life.live(.minutes(20))
      life.mailbox.answer { _ in .sent }
      await life.live(.hours(1))
    }
    #expect(lives.open.mailbox.attempts.count { $0.stage.isEnd } >= 4)
    #expect(lives.forced.mailbox.attempts.allSatisfy { !$0.stage.isEnd })
  }

  @Test("ALT-9: failing messages of a silent alert show nowhere", arguments: platforms)
  func failing(_ platform: String) async throws {
    _ = try await compare(platform) { life in
      life.mailbox.answer { delivery in
        switch (delivery.alert?.kind, delivery.recipientName) {
        case (.duress, "Bob"): .permanent(reason: "550 no such user")
        case (.duress, _): .misconfigured(reason: "535 wrong password")
        default: .sent
        }
      }
      _ = try await life.clients.checkInClient.$checkIn(.manual, typing: life.passphrase)
      await life.live(.hours(2))
    }
  }

  @Test(
    "ALT-8: a drill during a silent alert looks like any other and sends nothing",
    arguments: platforms)
  func drill(_ platform: String) async throws {
    let lives = try await compare(platform) { life in
      _ = try await life.clients.checkInClient.$checkIn(.manual, typing: life.passphrase)
      await life.live(.minutes(5))
      _ = try await life.clients.alertClient.drill()
      await life.live(.minutes(5))
    }
    let isDrill: (ClaimedDelivery) -> Bool = { $0.alert?.kind == .drill }
    #expect(lives.open.mailbox.attempts.count(where: isDrill) == 4)
    #expect(lives.forced.mailbox.attempts.count(where: isDrill) == 0)
    // After the silent alert ends, nobody is notified of the drill either.
    try await lives.forced.clients.authClient.$endSilentAlert(typing: Self.gate.passphrase)
    await lives.forced.live(.minutes(5))
    #expect(lives.forced.mailbox.attempts.count(where: isDrill) == 0)
  }

  @Test(
    "ALT-8: a drill running when a silent alert begins seems to go on, but sends nothing more",
    arguments: platforms)
  func drillBefore(_ platform: String) async throws {
    let lives = try await compare(platform) { life in
      _ = try await life.clients.alertClient.drill()
      life.mailbox.answer { delivery in
        delivery.alert?.kind == .drill && delivery.stage == .alertOn
          && delivery.recipientName == "Cyd" && delivery.attempt == 1
          ? .retry(reason: "450 later", after: nil) : .sent
      }
      await life.watch()
      _ = try await life.clients.checkInClient.$checkIn(.manual, typing: life.passphrase)
      await life.live(.minutes(10))
    }
    let sent = lives.forced.mailbox.lines
    let silent = try #require(
      lives.forced.mailbox.attempts.firstIndex { $0.alert?.kind == .duress })
    #expect(lives.forced.mailbox.attempts[silent...].allSatisfy { $0.alert?.kind != .drill })
    #expect(sent.contains("alert_on Bob"))
  }

  @Test(
    "CHK-3: requests refused under duress are refused as always and raise the silent alert",
    arguments: platforms)
  func refused(_ platform: String) async throws {
    let errors = Mutex<[[String]]>([])
    let lives = try await compare(platform) { life in
      var said: [String] = []
      func attempt(_ what: String, _ body: () async throws -> Void) async {
        do {
          try await body()
          said.append("\(what): done")
        } catch { said.append("\(what): \(error)") }
      }
      let (values, pass) = (life.clients, life.passphrase)
      await life.live(.hours(25))
      await attempt("pause while overdue") {
        _ = try await values.checkInClient.$pause(life.clock.now + .hours(5), typing: pass)
      }
      await attempt("pause too long") {
        _ = try await values.checkInClient.$pause(life.clock.now + .hours(24 * 90), typing: pass)
      }
      await attempt("resume") { _ = try await values.checkInClient.$resume(.manual, typing: pass) }
      await attempt("cancel") { _ = try await values.alertClient.$cancel(typing: pass) }
      await attempt("answer") { _ = try await values.pingClient.$answer(UUID(1), typing: pass) }
      await attempt("answer all") { _ = try await values.pingClient.$answerAll(typing: pass) }
      await attempt("secret") { _ = try await values.channelsClient.$secret(UUID(1), typing: pass) }
      await attempt("too short a gate") {
        try await values.authClient.$updateGate(Gate(passphrase: Secret("a")), typing: pass)
      }
      errors.withLock { $0.append(said) }
      await life.watch()
    }
    let said = errors.withLock { $0 }
    #expect(said[0] == said[1])
    #expect(said[0].allSatisfy { !$0.hasSuffix(": done") }, "\(said[0])")
    #expect(lives.forced.mailbox.attempts.contains { $0.alert?.kind == .duress })
  }

  /// Requests that pass the gate but can't be carried out.
  enum Request: CaseIterable {
    case pause, resume, cancel, answer, answerAll, secret

    func make(_ values: DependencyValues, _ pass: Secret<String>) async throws {
      switch self {
      case .pause: _ = try await values.checkInClient.$pause(start - .hours(1), typing: pass)
      case .resume: _ = try await values.checkInClient.$resume(.manual, typing: pass)
      case .cancel: _ = try await values.alertClient.$cancel(typing: pass)
      case .answer: _ = try await values.pingClient.$answer(UUID(1), typing: pass)
      case .answerAll: _ = try await values.pingClient.$answerAll(typing: pass)
      case .secret: _ = try await values.channelsClient.$secret(UUID(1), typing: pass)
      }
    }
  }

  @Test(
    "CHK-3: each kind of refused request under duress raises the silent alert by itself",
    arguments: platforms, Request.allCases)
  func each(_ platform: String, _ request: Request) async throws {
    let life = try Life(platform, Self.gate.duress!)
    _ = try await life.clients.authClient.createAccount(
      NewAccount(profile: Profile(name: "Ada")))
    try await life.clients.authClient.updateGate(Self.gate)
    await #expect(throws: (any Error).self) {
      try await request.make(life.clients, life.passphrase)
    }
    let account = try #require(try await life.clients.monitorClient.due(start, 1).first)
    #expect(account.alerts.map(\.kind) == [.duress])
    #expect(
      try await life.clients.authClient.$silentAlert(typing: Self.gate.passphrase)?.kind == .duress)
  }

  @Test("DUR-1: a silent alert goes out by ntfy before e-mail")
  func order() {
    var bob = Contact.bob
    bob.channels.append(
      Channel(id: UUID(120), kind: .ntfy, address: "https://ntfy.example.org/bob"))
    func kinds(_ alert: Alert) -> [Channel.Kind] {
      Planner.plan(
        MonitoredAccount(
          user: .ada(email: nil, reminders: []), revision: 1, responders: [bob, .cyd],
          alerts: [alert], deliveries: []),
        now: start + .hours(3), makeID: { .cyd }
      ).deliveries.map(\.channel)
    }
    #expect(kinds(.duress()) == [.ntfy, .email, .email])
    #expect(kinds(.manual()) == [.email, .ntfy, .email])
  }
}

extension String {
  /// The text with each identifier replaced by the number of its first appearance.
  fileprivate var withNumberedIDs: String {
    var numbers: [Substring: Int] = [:]
    return replacing(
      /[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|delivery [0-9a-f]{8}|(monitor|account) [0-9a-f]{8}/
    ) {
      let number = numbers[$0.output.0, default: numbers.count]
      numbers[$0.output.0] = number
      return "id\(number)"
    }
  }
}

/// A clock that stands still: sleeps of less than half a minute end at once, and longer ones only
/// when they are cancelled. A monitor renews its claims in such longer sleeps. If these ended at
/// once, a loaded machine would renew a claim many times, and log that the clock had jumped.
private struct ShortSleepClock: Clock {
  var now: ImmediateClock.Instant { .init() }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ImmediateClock.Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    guard deadline.offset >= .seconds(30) else { return await Task.yield() }
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    defer { continuation.finish() }
    for await _ in stream {}
    throw CancellationError()
  }
}
