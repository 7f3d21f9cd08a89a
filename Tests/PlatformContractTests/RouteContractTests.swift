import Clients
import Domain
import FoundationEssentials
import Testing

/// Messages that wait for one login or token (CHN-2).
@Suite("MonitorClient: messages that wait for a login or token", .timeLimit(.minutes(1)))
struct RouteContractTests {
  private static let refused = DeliveryOutcome.accessRefused(reason: "535 no")
  private static let mail = MailRoute(key: "mail 1", server: "mail.example.org")

  /// A world in which messages to several responders are due.
  private func world(
    _ platform: Platform, _ responders: [ContactDraft] = (1...9).map { .numbered($0) }
  ) async throws -> World {
    let world = try World(platform)
    try await world.openAccount(responders: responders)
    let contacts = try await world.contacts.contacts()
    let alert = try await world.alerts.raise("Ankle.")
    try await world.apply(
      Plan(
        deliveries: contacts.flatMap { contact in
          contact.channels.map {
            PlannedDelivery(
              occasion: .alert(alert.id), stage: .alertOn, recipient: .contact(contact.id),
              recipientName: contact.name, channel: $0.kind, address: $0.address)
          }
        }))
    return world
  }

  /// Claims like a monitor, which first plans for the accounts that have changed.
  private func claim(
    _ world: World, _ mail: MailRoute? = Self.mail, limit: Int = 20
  ) async throws -> [ClaimedDelivery] {
    for account in try await world.monitor.due(world.now, 100) {
      _ = try await world.monitor.apply(Plan(), account.user.id, account.revision, world.now)
    }
    return try await world.monitor.claim(
      world.now, .seconds(90),
      ClaimRequest(limit: limit, limitPerDestination: 8, mail: mail))
  }

  private func record(
    _ delivery: ClaimedDelivery, _ outcome: DeliveryOutcome, in world: World
  ) async throws {
    var random = SystemRandomNumberGenerator()
    let retryAt = DeliveryPolicy.standard.nextAttempt(
      after: outcome, of: delivery, now: world.now, random: &random)
    #expect(
      try await world.monitor.record(delivery.id, delivery.token, outcome, retryAt, world.now))
  }

  @Test(
    "ESC-5: after the clock was set back 40 min, a refused login waits for at most its pause",
    arguments: Platform.allCases)
  func setBack(_ platform: Platform) async throws {
    let world = try await world(platform)
    let monitor = UUID()
    func beat() async throws {
      _ = try await world.monitor.heartbeat(monitor, world.now, .minutes(3), nil)
    }
    try await beat()
    for delivery in try await claim(world) { try await record(delivery, Self.refused, in: world) }
    // A monitor that doesn't know of it yet writes when to try again.
    world.advance(.minutes(-40))
    try await beat()
    world.advance(.minutes(3))
    #expect(try await claim(world).count == 1)
  }

  @Test(
    "CHN-2: one message probes a refused login after 5, 10, 20, 40, then every 60 minutes",
    arguments: Platform.allCases)
  func refusedLogin(_ platform: Platform) async throws {
    let world = try await world(platform)
    let first = try await claim(world)
    #expect(first.count == 2, "A login that nobody has seen working is tried by two at once.")
    for delivery in first { try await record(delivery, Self.refused, in: world) }
    for minutes in [5, 10, 20, 40, 60, 60] {
      world.advance(.seconds(60 * minutes - 1))
      #expect(try await claim(world) == [], "before \(minutes) min")
      world.advance(.seconds(1))
      let probe = try await claim(world)
      #expect(probe.count == 1, "after \(minutes) min")
      #expect(try await claim(world) == [], "the others wait for the probe")
      for delivery in probe { try await record(delivery, Self.refused, in: world) }
    }
    world.advance(.minutes(60))
    let probe = try #require(try await claim(world).first)
    try await record(probe, .sent, in: world)
    #expect(try await claim(world).count == 8, "It works again, so all go.")
  }

  @Test(
    "CHN-2, ESC-5: a refused login waits for its probe even if a fast clock recorded a success",
    arguments: Platform.allCases)
  func acceptedInTheFuture(_ platform: Platform) async throws {
    let world = try await world(platform)
    world.advance(.hours(5))
    for delivery in try await claim(world, limit: 1) {
      try await record(delivery, .sent, in: world)
    }
    world.advance(.hours(-5))
    for delivery in try await claim(world) { try await record(delivery, Self.refused, in: world) }
    #expect(try await claim(world) == [])
    world.advance(.minutes(4))
    #expect(try await claim(world) == [])
    world.advance(.minutes(2))
    #expect(try await claim(world).count == 1)
  }

  @Test(
    "CHN-2: messages waiting for a refused login show the login's error",
    arguments: Platform.allCases)
  func reason(_ platform: Platform) async throws {
    let world = try await world(platform)
    for delivery in try await claim(world) { try await record(delivery, Self.refused, in: world) }
    #expect(try await claim(world) == [])
    let reports = try await world.alerts.history(1)[0].deliveries
    #expect(reports.count == 9 && reports.allSatisfy { $0.error == "535 no" })
  }

  @Test(
    "CHN-2: retrying mail by hand sends one message at once, whose result decides for the rest",
    arguments: Platform.allCases.filter { !$0.isShared })
  func retried(_ platform: Platform) async throws {
    let world = try await world(platform)
    for delivery in try await claim(world) { try await record(delivery, Self.refused, in: world) }
    #expect(try await claim(world) == [])
    // They say when the next attempt is.
    let next = world.now + .minutes(5)
    #expect(try await world.alerts.history(1)[0].deliveries.allSatisfy { $0.date == next })
    try await world.watch.retryMail()
    for delivery in try await claim(world) { try await record(delivery, Self.refused, in: world) }
    #expect(try await claim(world) == [])
    world.advance(.minutes(1))
    try await world.watch.retryMail()
    let probe = try await claim(world)
    #expect(probe.count == 1)
    // While it tries, nobody else does.
    try await world.watch.retryMail()
    #expect(try await claim(world) == [])
    try await record(probe[0], .sent, in: world)
    #expect(try await claim(world).count == 8)
  }

  @Test(
    "CHN-2: new settings are tried at once; another login doesn't wait for a refused login",
    arguments: Platform.allCases)
  func newSettings(_ platform: Platform) async throws {
    let world = try await world(platform)
    for delivery in try await claim(world) { try await record(delivery, Self.refused, in: world) }
    #expect(try await claim(world) == [])
    let other = MailRoute(key: "mail 2", server: "mail.example.org", isNew: true)
    let claimed = try await claim(world, other)
    #expect(claimed.count == 2)
    for delivery in claimed { try await record(delivery, .sent, in: world) }
    #expect(try await claim(world, other).count == 7)
  }

  @Test(
    "CHN-2: while a server offers no login, one message tries again every minute",
    arguments: Platform.allCases)
  func misconfigured(_ platform: Platform) async throws {
    let world = try await world(platform)
    for delivery in try await claim(world) {
      try await record(delivery, .misconfigured(reason: "no AUTH"), in: world)
    }
    for _ in 0..<3 {
      world.advance(.seconds(59))
      #expect(try await claim(world) == [])
      world.advance(.seconds(1))
      let probe = try await claim(world)
      #expect(probe.count == 1)
      for delivery in probe {
        try await record(delivery, .misconfigured(reason: "no AUTH"), in: world)
      }
    }
  }

  @Test(
    "CHN-2: a probe whose monitor is killed is repeated after its lease; others wait until then",
    arguments: Platform.allCases)
  func killedProbe(_ platform: Platform) async throws {
    let world = try await world(platform)
    for delivery in try await claim(world) { try await record(delivery, Self.refused, in: world) }
    world.advance(.minutes(5))
    #expect(try await claim(world).count == 1)
    world.advance(.seconds(89))
    #expect(try await claim(world) == [])
    world.advance(.seconds(1))
    #expect(try await claim(world).count == 1)
  }

  @Test(
    "CHN-2: a refusal by one recipient's server doesn't hold up other recipients",
    arguments: Platform.allCases)
  func oneRecipient(_ platform: Platform) async throws {
    let world = try await world(platform)
    let first = try await claim(world)
    try await record(first[0], .sent, in: world)
    try await record(first[1], .accessRefused(reason: "5.7.1", scope: .message), in: world)
    #expect(try await claim(world).count == 7)
  }

  @Test(
    "CHN-2: Retry-After holds up one token of a service for 5 min; other tokens go on",
    arguments: Platform.allCases)
  func retryAfter(_ platform: Platform) async throws {
    let token = Secret("tk_aaaaaaaaaaaaaaaaaaaaaaaaaaaaa")
    let other = Secret("tk_bbbbbbbbbbbbbbbbbbbbbbbbbbbbb")
    func topic(_ name: String, _ token: Secret<String>) -> ContactDraft {
      var draft = ContactDraft(name: name, email: nil, roles: .responder)
      draft.channels = [
        ChannelDraft(.ntfy, "https://ntfy.example.org/\(name)", token: token)
      ]
      return draft
    }
    let world = try await world(
      platform, [topic("ada", token), topic("bob", token), topic("cyd", other)])
    let first = try #require(try await claim(world, limit: 1).first)
    #expect(first.secret == token)
    try await record(first, .retry(reason: "429", after: .days(1)), in: world)
    let second = try await claim(world)
    #expect(second.map(\.recipientName) == ["cyd"])
    for delivery in second { try await record(delivery, .sent, in: world) }
    world.advance(.seconds(299))
    #expect(try await claim(world) == [])
    world.advance(.seconds(1))
    let probe = try await claim(world)
    #expect(probe.count == 1)
    for delivery in probe { try await record(delivery, .sent, in: world) }
    #expect(try await claim(world).count == 1)
  }

  @Test(
    "ESC-3: a claim can be renewed until another monitor has taken the message",
    arguments: Platform.allCases)
  func renewal(_ platform: Platform) async throws {
    let world = try await world(platform, [.numbered(1)])
    let first = try #require(try await claim(world).first)
    for _ in 0..<5 {
      world.advance(.seconds(60))
      #expect(try await world.monitor.renew(first.id, first.token, world.now + .seconds(90)))
      #expect(try await claim(world) == [])
    }
    let report = try await world.alerts.history(1)[0].deliveries[0]
    #expect(
      report.waitingText(at: world.now) { "\(Int(world.now.timeIntervalSince($0)))" }
        == "waiting for mail.example.org since 300")
    world.advance(.seconds(90))
    let second = try #require(try await claim(world).first)
    #expect(try await !world.monitor.renew(first.id, first.token, world.now + .seconds(90)))
    #expect(second.id == first.id && second.token != first.token)
  }

  @Test(
    "CHN-2: an unclear answer is retried after 2, 10 and 30 min, and shows as maybe sent",
    arguments: Platform.allCases)
  func earlier(_ platform: Platform) async throws {
    let world = try await world(platform, [.numbered(1)])
    var gaps: [Double] = []
    for attempt in 1...4 {
      let delivery = try #require(try await claim(world).first)
      #expect(delivery.earlier.ambiguous == attempt - 1)
      try await record(delivery, .ambiguous(reason: "cut"), in: world)
      let report = try await world.alerts.history(1)[0].deliveries[0]
      #expect(report.mayHaveBeenSent)
      #expect(report.state == (attempt == 4 ? .failed : .pending))
      gaps.append(report.date.timeIntervalSince(world.now) / 60)
      world.advance(.minutes(Int(gaps.last ?? 0)))
    }
    #expect(gaps == [2, 10, 30, 0])
    #expect(try await claim(world) == [])
  }
}

extension ContactDraft {
  fileprivate static func numbered(_ number: Int) -> ContactDraft {
    ContactDraft(name: "R\(number)", email: "r\(number)@example.org", roles: .responder)
  }
}
