import Clients
import Domain
import FoundationEssentials
import Testing

@Suite("MonitorClient: claim and record", .timeLimit(.minutes(1)))
struct DeliveryContractTests {
  /// A world in which one message to Bo is due.
  private func world(_ platform: Platform) async throws -> (World, Alert) {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    let bo = try await world.contacts.contacts()[0]
    let alert = try await world.alerts.raise("Ankle.")
    try await world.apply(Plan(deliveries: [.alertOn(alert, to: bo)]))
    return (world, alert)
  }

  private func claimOne(_ world: World, _ lease: TimeSpan = .seconds(60)) async throws
    -> ClaimedDelivery
  {
    let claimed = try await world.monitor.claim(world.now, lease, ClaimRequest(limit: 10))
    return try #require(claimed.count == 1 ? claimed.first : nil, "\(claimed.count) claimed")
  }

  private func record(
    _ delivery: ClaimedDelivery, _ outcome: DeliveryOutcome, retryAt: Date? = nil, in world: World
  ) async throws -> Bool {
    try await world.monitor.record(delivery.id, delivery.token, outcome, retryAt, world.now)
  }

  @Test(
    "A claimed delivery contains everything that its message needs", arguments: Platform.everywhere)
  func claim(_ platform: Platform) async throws {
    let (world, alert) = try await world(platform)
    let bo = try await world.contacts.contacts()[0]
    let claimed = try await claimOne(world)
    #expect(claimed.attempt == 1)
    #expect(claimed.stage == .alertOn)
    #expect(claimed.recipient == .contact(bo.id))
    #expect(claimed.recipientName == "Bo")
    #expect(claimed.channel == .email)
    #expect(claimed.address == "bo@example.org")
    #expect(claimed.inReplyTo == nil)
    #expect(claimed.plannedAt == world.now)
    #expect(claimed.user == (try await world.user.currentUser()))
    #expect(claimed.alert == alert)
  }

  @Test(
    "An all-clear carries the message id of the call that it follows",
    arguments: Platform.everywhere)
  func inReplyTo(_ platform: Platform) async throws {
    let (world, alert) = try await world(platform)
    let bo = try await world.contacts.contacts()[0]
    let first = try await claimOne(world)
    #expect(try await record(first, .sent, in: world))
    let cancelled = try await world.alerts.cancel()
    var allClear = PlannedDelivery.alertOn(alert, to: bo)
    allClear.stage = .alertOff
    allClear.inReplyTo = first.messageID
    try await world.apply(Plan(deliveries: [allClear]))
    let second = try await claimOne(world)
    #expect(second.inReplyTo == first.messageID)
    #expect(second.messageID != first.messageID)
    #expect(second.alert == cancelled)
  }

  @Test(
    "ESC-3: a claimed message can't be claimed again until its lease ends",
    arguments: Platform.everywhere)
  func lease(_ platform: Platform) async throws {
    let (world, _) = try await world(platform)
    let first = try await claimOne(world)
    #expect(try await world.monitor.claim(world.now, .seconds(60), ClaimRequest(limit: 10)) == [])
    #expect(try await world.monitor.nextWake() == world.now + .seconds(60))
    world.advance(.seconds(59))
    #expect(try await world.monitor.claim(world.now, .seconds(60), ClaimRequest(limit: 10)) == [])
    world.advance(.seconds(1))
    let second = try await claimOne(world)
    #expect(second.id == first.id)
    #expect(second.messageID == first.messageID)
    #expect(second.attempt == 2)
    #expect(second.token != first.token)
  }

  @Test(
    "ESC-3: an outcome is recorded only with the current claim's token",
    arguments: Platform.everywhere)
  func token(_ platform: Platform) async throws {
    let (world, _) = try await world(platform)
    let first = try await claimOne(world)
    world.advance(.seconds(60))
    let second = try await claimOne(world)
    #expect(try await !record(first, .permanent(reason: "no"), in: world))
    #expect(try await world.alerts.history(1)[0].deliveries[0].state == .pending)
    #expect(try await world.alerts.history(1)[0].deliveries[0].address == ContactDraft.bo.email)
    #expect(try await record(second, .sent, in: world))
    #expect(try await !record(second, .permanent(reason: "no"), in: world))
    let report = try await world.alerts.history(1)[0].deliveries[0]
    #expect(report.state == .sent)
    #expect(report.date == world.now)
    #expect(report.error == nil)
    #expect(
      try await !world.monitor.record(UUID(), second.token, .sent, nil, world.now))
  }

  @Test(
    "An outcome can be recorded after the lease if no other monitor took over",
    arguments: Platform.everywhere)
  func lateRecord(_ platform: Platform) async throws {
    let (world, _) = try await world(platform)
    let claimed = try await claimOne(world)
    world.advance(.minutes(10))
    #expect(try await record(claimed, .sent, in: world))
    #expect(try await world.monitor.claim(world.now, .seconds(60), ClaimRequest(limit: 10)) == [])
  }

  @Test(
    "Each outcome leaves a delivery sent, failed or pending with its error and retry time",
    arguments: Platform.everywhere)
  func outcomes(_ platform: Platform) async throws {
    let cases: [(DeliveryOutcome, retry: Bool, DeliveryState, error: String?, arrived: Bool)] = [
      (.sent, false, .sent, nil, true),
      (.permanent(reason: "550"), false, .failed, "550", false),
      (.retry(reason: "451", after: nil), true, .pending, "451", false),
      (.retry(reason: "451", after: nil), false, .failed, "451", false),
      (.misconfigured(reason: "535"), true, .pending, "535", false),
      (.ambiguous(reason: "cut"), true, .pending, "cut", true),
      (.ambiguous(reason: "cut"), false, .failed, "cut", true),
    ]
    for (outcome, retry, state, error, arrived) in cases {
      let (world, _) = try await world(platform)
      let claimed = try await claimOne(world)
      world.advance(.seconds(2))
      let retryAt = retry ? world.now + .seconds(30) : nil
      #expect(try await record(claimed, outcome, retryAt: retryAt, in: world), "\(outcome)")
      let report = try await world.alerts.history(1)[0].deliveries[0]
      #expect(report.state == state, "\(outcome)")
      #expect(report.error == error, "\(outcome)")
      #expect(report.date == retryAt ?? world.now, "\(outcome)")
      let record = try await world.dueAccount().deliveries[0]
      #expect(record.state == state, "\(outcome)")
      #expect(record.attempts == 1, "\(outcome)")
      #expect(record.leasedUntil == nil, "\(outcome)")
      #expect(record.mayHaveArrived == arrived, "\(outcome)")
      try await world.apply(Plan())
      #expect(try await world.monitor.nextWake() == retryAt, "\(outcome)")
      #expect(
        try await world.monitor.claim(world.now, .seconds(60), ClaimRequest(limit: 10)) == [],
        "\(outcome)")
      world.advance(.seconds(30))
      let again = try await world.monitor.claim(world.now, .seconds(60), ClaimRequest(limit: 10))
      #expect(again.map(\.attempt) == (retry ? [2] : []), "\(outcome)")
    }
  }

  @Test(
    "CHK-6: a delivery claimed without a recorded outcome may have arrived, even after a retry",
    arguments: Platform.everywhere)
  func doubtStays(_ platform: Platform) async throws {
    let (world, _) = try await world(platform)
    _ = try await claimOne(world)
    _ = try await world.checkIn.checkIn(.manual)
    var delivery = try await world.dueAccount().deliveries[0]
    #expect(delivery.leasedUntil == world.now + .seconds(60))
    #expect(delivery.mayHaveArrived)
    try await world.apply(Plan())
    world.advance(.seconds(60))
    let second = try await claimOne(world)
    #expect(
      try await record(
        second, .retry(reason: "451", after: nil), retryAt: world.now + .hours(1), in: world))
    delivery = try await world.dueAccount().deliveries[0]
    #expect(delivery.mayHaveArrived)
  }

  @Test("Recording an outcome makes the account due for planning", arguments: Platform.everywhere)
  func recordMakesDue(_ platform: Platform) async throws {
    let (world, _) = try await world(platform)
    let claimed = try await claimOne(world)
    #expect(try await world.monitor.due(world.now, 10) == [])
    #expect(try await record(claimed, .sent, in: world))
    #expect(try await world.dueAccount().deliveries.map(\.state) == [.sent])
  }

  @Test(
    "Nothing is claimed for an account that must be planned again first",
    arguments: Platform.everywhere)
  func attentionFirst(_ platform: Platform) async throws {
    let (world, _) = try await world(platform)
    _ = try await world.alerts.cancel()
    #expect(try await world.monitor.claim(world.now, .seconds(60), ClaimRequest(limit: 10)) == [])
    let delivery = try await world.dueAccount().deliveries[0]
    try await world.apply(Plan(cancelled: [delivery.id]))
    #expect(try await world.monitor.claim(world.now, .seconds(60), ClaimRequest(limit: 10)) == [])
    #expect(try await world.alerts.history(1)[0].deliveries.map(\.state) == [.cancelled])
  }

  @Test("A plan made before a message was claimed is refused", arguments: Platform.everywhere)
  func claimRaisesRevision(_ platform: Platform) async throws {
    let (world, _) = try await world(platform)
    let bo = try await world.contacts.contacts()[0]
    let later = world.now + .hours(1)
    _ = try await world.contacts.update(bo, .bo)
    try await world.apply(Plan(nextPlanning: later))
    // A monitor whose clock is ahead reads the account before another one claims.
    let account = try await world.monitor.due(later, 1)[0]
    _ = try await claimOne(world)
    #expect(
      try await !world.monitor.apply(Plan(), account.user.id, account.revision, later))
  }

  @Test(
    "A delivery cancelled during sending counts as sent if sending succeeds, else as cancelled",
    arguments: Platform.everywhere)
  func cancelledWhileSent(_ platform: Platform) async throws {
    for (outcome, state) in [
      (DeliveryOutcome.sent, DeliveryState.sent),
      (.retry(reason: "451", after: nil), .cancelled),
    ] {
      let (world, _) = try await world(platform)
      let claimed = try await claimOne(world)
      _ = try await world.contacts.add(.cem)
      try await world.apply(Plan(cancelled: [claimed.id], nextPlanning: world.now))
      #expect(try await world.dueAccount().deliveries.map(\.state) == [.cancelled])
      #expect(
        try await record(claimed, outcome, retryAt: world.now + .seconds(9), in: world))
      #expect(try await world.dueAccount().deliveries.map(\.state) == [state])
    }
  }

  @Test("The oldest deliveries are claimed first, up to the limit", arguments: Platform.everywhere)
  func order(_ platform: Platform) async throws {
    let world = try World(platform)
    let user = try await world.openAccount()
    for hours in 1...4 {
      try await world.apply(
        Plan(
          deliveries: [.reminder(.hours(hours), of: user)], nextPlanning: world.now + .seconds(1)))
      world.advance(.seconds(1))
    }
    try await world.apply(Plan())
    let first = try await world.monitor.claim(world.now, .seconds(60), ClaimRequest(limit: 3))
    #expect(first.map(\.stage) == [1, 2, 3].map { .reminder(.hours($0)) })
    let second = try await world.monitor.claim(world.now, .seconds(60), ClaimRequest(limit: 3))
    #expect(second.map(\.stage) == [.reminder(.hours(4))])
    #expect(second[0].alert == nil)
    #expect(second[0].recipient == .owner)
  }

  @Test(
    "ESC-6: an account that must be planned again doesn't hold up another account's messages",
    arguments: Platform.everywhere)
  func otherAccounts(_ platform: Platform) async throws {
    let (world, _) = try await world(platform)
    _ = try await world.openFurtherAccount(NewAccount(profile: Profile(name: "Jo")))
    #expect(try await world.dueAccount().user.profile.name == "Jo")
    #expect(try await claimOne(world).recipientName == "Bo")
  }
}
