import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite("NotificationClient", .timeLimit(.minutes(1)))
struct NotificationContractTests {
  @Test(
    "NOT-1: notifications are listed newest first, and can be filtered by topic and unread",
    arguments: Platform.everywhere)
  func reading(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    #expect(try await world.notifications.unreadCount() == 0)
    let ping = try await world.notifications.addLocal(.pingSent, "Bo", "")
    world.advance(.minutes(1))
    let info = try await world.notifications.addLocal(.info, "", "Backup kept.")
    #expect(info.date == world.now)
    #expect(!info.isRead)
    #expect(try await world.list() == [info, ping])
    #expect(try await world.notifications.notifications(1, .all) == [info])
    #expect(try await world.list(.init(topic: .pings)) == [ping])
    #expect(try await world.list(.init(topic: .alerts)) == [])

    try await world.notifications.markAsRead(info.id)
    #expect(try await world.list(.init(isUnreadOnly: true)) == [ping])
    #expect(try await world.notifications.unreadCount() == 1)
    #expect(try await world.list().map(\.isRead) == [true, false])
    try await world.notifications.markAllAsRead()
    #expect(try await world.notifications.unreadCount() == 0)
  }

  @Test(
    "NOT-1: notifications can be deleted singly or all together; a second delete does nothing",
    arguments: Platform.everywhere)
  func deleting(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let first = try await world.notifications.addLocal(.info, "", "1")
    let second = try await world.notifications.addLocal(.info, "", "2")
    try await world.notifications.delete(first.id)
    try await world.notifications.delete(first.id)
    try await world.notifications.markAsRead(first.id)
    #expect(try await world.list() == [second])
    try await world.notifications.clearAll()
    #expect(try await world.list() == [])
  }

  @Test("NOT-1: notifications are kept for 30 days", arguments: Platform.everywhere)
  func lifetime(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    _ = try await world.notifications.addLocal(.info, "", "old")
    world.advance(.seconds(30 * 86_400 - 1))
    _ = try await world.notifications.addLocal(.info, "", "young")
    #expect(try await world.list().map(\.detail) == ["young", "old"])
    world.advance(.seconds(1))
    _ = try await world.notifications.addLocal(.info, "", "new")
    #expect(try await world.list().map(\.detail) == ["new", "young"])
  }

  @Test(
    "NOT-1: an observer gets notifications that a monitor writes", arguments: Platform.everywhere)
  func observing(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    var changes = world.notifications.observe(5, .all).makeAsyncIterator()
    #expect(try await changes.next() == [])
    _ = try await world.apply(Plan(stagesToShow: [.reminder(.minutes(30))]))
    #expect(try await changes.next()?.map(\.kind) == [.reminder])
  }

  @Test(
    "NOT-1: people can read and delete only their own notifications, and only when signed in",
    arguments: Platform.everywhere)
  func privacy(_ platform: Platform) async throws {
    let world = try World(platform)
    await expect(ClientError.notAuthenticated, world.notifications.unreadCount)
    try await world.openAccount()
    let item = try await world.notifications.addLocal(.info, "", "mine")
    let second = try world.second(account: "bo@example.org")
    _ = try await second.auth.createAccount(
      NewAccount(
        profile: Profile(name: "Bo"),
        credentials: Credentials(email: "bo@example.org", password: Secret("four random words"))))
    #expect(try await second.list() == [])
    try await second.notifications.delete(item.id)
    try await second.notifications.clearAll()
    #expect(try await world.list() == [item])
  }

  // MARK: Automatic notifications

  @Test(
    "NOT-1: raising and cancelling an alert each add one notification",
    arguments: Platform.everywhere)
  func alert(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let alert = try await world.alerts.raise("Ankle.")
    _ = try await world.alerts.raise("again")
    let sent = try await world.list()
    #expect(sent.map(\.kind) == [.alertSent])
    #expect(sent.first?.detail == "Ankle.")
    #expect(sent.first?.date == alert.raisedAt)
    world.advance(.minutes(1))
    _ = try await world.alerts.cancel()
    #expect(try await world.list().map(\.kind) == [.alertEnded, .alertSent])
  }

  @Test(
    "NOT-1: a missed deadline and its all-clear each add one notification",
    arguments: Platform.everywhere)
  func missed(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    world.advance(.hours(25))
    for _ in 0..<2 {
      let alert = Alert(id: UUID(), kind: .missed, raisedAt: world.now, sequence: 0)
      try await world.apply(Plan(missedAlert: alert, nextPlanning: world.now))
    }
    #expect(try await world.list().map(\.kind) == [.nonResponsive])
    _ = try await world.checkIn.checkIn(.manual)
    _ = try await world.checkIn.checkIn(.manual)
    #expect(try await world.list().map(\.kind) == [.allClear, .nonResponsive])
  }

  @Test(
    "REM-1: a reminder is shown once on screen for each deadline", arguments: Platform.everywhere)
  func notices(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let stages: [Stage] = [.reminder(.minutes(30)), .deadlinePassed]
    try await world.apply(Plan(stagesToShow: stages, nextPlanning: world.now))
    #expect(try await world.dueAccount().shownStages == Set(stages))
    try await world.apply(Plan(stagesToShow: stages))
    #expect(try await world.list().map(\.kind) == [.deadlinePassed, .reminder])
    #expect(try await world.list().last?.detail == "30m")
    // A monitor that started late shows the time that is left.
    let late = try World(platform)
    try await late.openAccount()
    late.advance(.seconds(24 * 3_600 - 114))
    try await late.apply(Plan(stagesToShow: [.reminder(.minutes(30))]))
    #expect(try await late.list().map(\.detail) == ["2m"])
    // Deleted notifications don't come back.
    try await world.notifications.clearAll()
    _ = try await world.checkIn.updateInterval(CheckInInterval.presets[0])
    #expect(try await world.dueAccount().shownStages == [])
    try await world.apply(Plan(stagesToShow: stages))
    #expect(try await world.list().count == 2)
  }

  @Test(
    "NOT-1: a message that failed for good adds a notification; a retried message doesn't",
    arguments: Platform.everywhere)
  func deliveryFailed(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    let bo = try await world.contacts.contacts()[0]
    let alert = try await world.alerts.raise("")
    try await world.notifications.clearAll()
    try await world.apply(Plan(deliveries: [.alertOn(alert, to: bo)]))
    try await world.record(.retry(reason: "451 later", after: nil), retryAt: world.now)
    #expect(try await world.list() == [])
    try await world.record(.permanent(reason: "550 unknown"), retryAt: nil)
    let told = try await world.list()
    #expect(told.map(\.kind) == [.deliveryFailed])
    #expect(told.first?.subject == "Bo")
    #expect(told.first?.detail == "550 unknown")
  }

  @Test(
    "A failed message to the person themselves is shown without a name",
    arguments: Platform.everywhere)
  func ownDeliveryFailed(_ platform: Platform) async throws {
    let world = try World(platform)
    let user = try await world.openAccount()
    try await world.apply(Plan(deliveries: [.reminder(.minutes(30), of: user)]))
    try await world.record(.permanent(reason: "550 full"), retryAt: nil)
    #expect(try await world.list().map(\.subject) == [""])
  }

  // MARK: Duress

  @Test(
    "CHK-3: a silent alert adds no notification, even if its message fails",
    arguments: Platform.everywhere)
  func duress(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    let bo = try await world.contacts.contacts()[0]
    try await world.auth.updateGate(
      Gate(passphrase: Secret("open sesame"), duress: Secret("under the mat")))
    try await world.notifications.clearAll()
    _ = try await world.checkIn.$checkIn(.manual, typing: Secret("under the mat"))
    #expect(try await world.list() == [])
    let account = try await world.dueAccount()
    let silent = try #require(account.alerts.first { $0.kind == .duress })
    var word = PlannedDelivery.alertOn(silent, to: bo)
    word.stage = .alertOn
    try await world.apply(Plan(deliveries: [word]))
    try await world.record(.permanent(reason: "550 unknown"), retryAt: nil)
    #expect(try await world.list() == [])
    #expect(try await world.notifications.unreadCount() == 0)
  }

  @Test(
    "CHK-3: an alert cancelled under duress looks like a normally cancelled alert",
    arguments: Platform.everywhere)
  func duressCancellation(_ platform: Platform) async throws {
    var looks: [[String]] = []
    for passphrase in ["open sesame", "under the mat"] {
      let world = try World(platform)
      try await world.openAccount(responders: [.bo, .cem])
      let people = try await world.contacts.contacts()
      try await world.auth.updateGate(
        Gate(passphrase: Secret("open sesame"), duress: Secret("under the mat")))
      let alert = try await world.alerts.raise("help")
      try await world.apply(Plan(deliveries: people.map { .alertOn(alert, to: $0) }))
      try await world.record(.sent, retryAt: nil)
      try await world.record(
        .retry(reason: "451 later", after: nil), retryAt: world.now + .minutes(5))
      world.advance(.minutes(1))
      _ = try await world.alerts.$cancel(typing: Secret(passphrase))
      // The monitor's plan, and one some time later.
      let account = try await world.dueAccount()
      let told = account.deliveries.filter { $0.state == .sent }
      let pending = account.deliveries.filter { $0.state == .pending }
      var word = PlannedDelivery.alertOn(alert, to: people[0])
      word.stage = .alertOff
      word.inReplyTo = told.first?.messageID
      try await world.apply(Plan(deliveries: [word], cancelled: pending.map(\.id)))
      try await world.record(.sent, retryAt: nil)
      let reports = try await world.alerts.history(10)
      looks.append(
        reports.flatMap(\.deliveries).map { "\($0.stage) \($0.recipient) \($0.state)" }
          + reports.map { "\($0.alert.kind) \($0.alert.isActive)" }
          + (try await world.list().map { "\($0.kind)" }))
    }
    #expect(looks[0] == looks[1])
    #expect(looks[0].contains("manual false"))
  }
}

extension World {
  func list(_ filter: NotificationFilter = .all) async throws -> [NotificationItem] {
    try await notifications.notifications(100, filter)
  }

  /// Claims one delivery and records its outcome.
  func record(_ outcome: DeliveryOutcome, retryAt: Date?) async throws {
    let claimed = try #require(
      try await monitor.claim(now, .seconds(60), ClaimRequest(limit: 1)).first)
    _ = try await monitor.record(claimed.id, claimed.token, outcome, retryAt, now)
    // The account must be planned again before more can be claimed.
    if try await monitor.due(now, 1).count == 1 { try await apply(Plan()) }
  }
}

extension NotificationContractTests {
  @Test(
    "NOT-1: an observer sees when a single notification is read or deleted",
    arguments: Platform.everywhere)
  func observeOne(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let first = try await world.notifications.addLocal(.info, "", "1")
    let second = try await world.notifications.addLocal(.info, "", "2")
    var changes = world.notifications.observe(5, .all).makeAsyncIterator()
    _ = try await changes.next()
    try await world.notifications.markAsRead(first.id)
    #expect(try await changes.next()?.map(\.isRead) == [false, true])
    try await world.notifications.delete(second.id)
    #expect(try await changes.next()?.map(\.id) == [first.id])
  }
}
