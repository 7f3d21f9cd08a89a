import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite("AlertClient", .timeLimit(.minutes(1)))
struct AlertContractTests {
  @Test("ALT-1: an alert raised by hand is on at once", arguments: Platform.everywhere)
  func raise(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    world.advance(.hours(1))
    let alert = try await world.alerts.raise("Ankle, red hut.")
    #expect(alert.kind == .manual)
    #expect(alert.message == "Ankle, red hut.")
    #expect(alert.raisedAt == world.now)
    #expect(alert.isActive)
    #expect(try await world.alerts.history(10) == [AlertReport(alert: alert)])
  }

  @Test(
    "ALT-3: raising an alert again returns the active alert unchanged",
    arguments: Platform.everywhere)
  func raiseTwice(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let first = try await world.alerts.raise("one")
    world.advance(.minutes(1))
    #expect(try await world.alerts.raise("two") == first)
    #expect(try await world.alerts.history(10).count == 1)
  }

  @Test(
    "ALT-3: messages to two contacts with the same name are reported separately by recipient",
    arguments: Platform.everywhere)
  func namesakes(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [
      .bo, ContactDraft(name: "Bo", email: "other@example.org", roles: .responder),
    ])
    let people = try await world.contacts.contacts()
    let alert = try await world.alerts.raise("")
    try await world.apply(Plan(deliveries: people.map { .alertOn(alert, to: $0) }))
    let deliveries = try await world.alerts.history(1)[0].deliveries
    #expect(deliveries.map(\.recipient) == ["Bo", "Bo"])
    for person in people {
      #expect(
        deliveries.filter { $0.recipientID == .contact(person.id) }.map(\.address)
          == [person.email])
    }
    #expect(try await world.alerts.history(1)[0].messages.count == 2)
  }

  @Test("An alert message of more than 500 characters is refused", arguments: Platform.everywhere)
  func messageTooLong(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    await expect(ClientError.invalid(.messageLength(501))) { () throws(ClientError) in
      try await world.alerts.raise(String(repeating: "x", count: 501))
    }
    #expect(try await world.alerts.history(10) == [])
  }

  @Test("ALT-2: a cancelled alert stays in the history", arguments: Platform.everywhere)
  func cancel(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let alert = try await world.alerts.raise("")
    world.advance(.minutes(5))
    let cancelled = try await world.alerts.cancel()
    #expect(cancelled.id == alert.id)
    #expect(cancelled.resolvedAt == world.now)
    #expect(try await world.alerts.history(10).map(\.alert) == [cancelled])
    await expect(ClientError.alertNotActive, world.alerts.cancel)
    // The next alert has a new identifier.
    #expect(try await world.alerts.raise("").id != alert.id)
  }

  @Test("ALT-2: a missed alert cannot be cancelled by hand", arguments: Platform.everywhere)
  func cancelMissed(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    world.advance(.hours(25))
    try await world.apply(
      Plan(missedAlert: Alert(id: UUID(), kind: .missed, raisedAt: world.now, sequence: 0)))
    await expect(ClientError.alertNotActive, world.alerts.cancel)
  }

  @Test(
    "The alert history is newest first and limited to the requested length",
    arguments: Platform.everywhere)
  func history(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    for number in 1...3 {
      world.advance(.hours(1))
      _ = try await world.alerts.raise("\(number)")
      _ = try await world.alerts.cancel()
    }
    #expect(try await world.alerts.history(10).map(\.alert.message) == ["3", "2", "1"])
    #expect(try await world.alerts.history(2).map(\.alert.message) == ["3", "2"])
  }

  @Test(
    "ALT-3: an alert's report shows each message's status, error and next retry",
    arguments: Platform.everywhere)
  func observe(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    let bo = try await world.contacts.contacts()[0]
    var changes = world.alerts.observe(5).makeAsyncIterator()
    #expect(try await changes.next() == [])
    let alert = try await world.alerts.raise("")
    #expect(try await changes.next() == [AlertReport(alert: alert)])

    try await world.apply(Plan(deliveries: [.alertOn(alert, to: bo)]))
    var report = try await changes.next()?.first?.deliveries.first
    #expect(report?.stage == .alertOn)
    #expect(report?.recipient == "Bo")
    #expect(report?.state == .pending)
    #expect(report?.date == world.now)

    let claimed = try await world.monitor.claim(world.now, .seconds(60), ClaimRequest(limit: 5))[0]
    _ = try await changes.next()
    let retryAt = world.now + .seconds(30)
    _ = try await world.monitor.record(
      claimed.id, claimed.token, .retry(reason: "451 later", after: nil), retryAt, world.now)
    report = try await changes.next()?.first?.deliveries.first
    #expect(report?.state == .pending)
    #expect(report?.error == "451 later")
    #expect(report?.date == retryAt)
  }
}

extension PlannedDelivery {
  /// The message that tells a responder that an alert is on.
  static func alertOn(_ alert: Alert, to contact: Contact) -> Self {
    PlannedDelivery(
      occasion: .alert(alert.id), stage: alert.kind == .missed ? .nonResponsive : .alertOn,
      recipient: .contact(contact.id), recipientName: contact.name, channel: .email,
      address: contact.email ?? "")
  }

  /// A reminder to the person.
  static func reminder(_ lead: TimeSpan, of user: User) -> Self {
    PlannedDelivery(
      occasion: .deadline(sequence: user.checkInSequence), stage: .reminder(lead),
      recipient: .owner, recipientName: user.profile.name, channel: .email,
      address: user.profile.email ?? "")
  }
}
