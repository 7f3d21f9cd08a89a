import Clients
import Domain
import FoundationEssentials
import Testing

@Suite("MonitorClient: due and apply", .timeLimit(.minutes(1)))
struct MonitorContractTests {
  @Test(
    "Every write that can change the plan makes the account due for planning",
    arguments: Platform.everywhere)
  func writesMakeDue(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    let bo = try await world.contacts.contacts()[0]
    let writes: [(String, () async throws -> Void)] = [
      ("check-in", { _ = try await world.checkIn.checkIn(.manual) }),
      ("repeat", { _ = try await world.checkIn.checkIn(.manual) }),
      ("interval", { _ = try await world.checkIn.updateInterval(CheckInInterval(.hours(12))) }),
      ("profile", { _ = try await world.user.updateProfile(Profile(name: "Idun")) }),
      ("add", { _ = try await world.contacts.add(ContactDraft(name: "Cem", roles: .dependent)) }),
      ("update", { _ = try await world.contacts.update(bo, .bo) }),
      ("delete", { try await world.contacts.delete(bo.id) }),
      ("raise", { _ = try await world.alerts.raise("") }),
      ("cancel", { _ = try await world.alerts.cancel() }),
    ]
    var revision = try await world.dueAccount().revision
    for (name, write) in writes {
      try await world.apply(Plan(nextPlanning: world.now + .hours(1)))
      #expect(try await world.monitor.due(world.now, 10) == [], "\(name)")
      #expect(try await world.monitor.nextWake() == world.now + .hours(1), "\(name)")
      try await write()
      let due = try await world.monitor.due(world.now, 10)
      #expect(due.count == 1, "\(name)")
      #expect((due.first?.revision ?? 0) > revision, "\(name)")
      #expect(try #require(await world.monitor.nextWake()) <= world.now, "\(name)")
      revision = due.first?.revision ?? revision
    }
  }

  @Test(
    "An account is due at its next planning time, and never if no time is set",
    arguments: Platform.everywhere)
  func nextPlanning(_ platform: Platform) async throws {
    let world = try World(platform)
    #expect(try await world.monitor.nextWake() == nil)
    try await world.openAccount()
    let look = world.now + .hours(24)
    #expect(try await world.apply(Plan(nextPlanning: look)))
    #expect(try await world.monitor.nextWake() == look)
    #expect(try await world.monitor.due(look - .seconds(1), 10) == [])
    #expect(try await world.monitor.due(look, 10).count == 1)
    world.advance(.hours(24))
    #expect(try await world.apply(Plan()))
    #expect(try await world.monitor.nextWake() == nil)
    #expect(try await world.monitor.due(world.now + .days(10_000), 10) == [])
  }

  @Test(
    "A due account comes with its responders, alerts and deliveries", arguments: Platform.everywhere
  )
  func contents(_ platform: Platform) async throws {
    let world = try World(platform)
    let user = try await world.openAccount(responders: [.cem, .bo])
    _ = try await world.contacts.add(ContactDraft(name: "Erik", roles: .dependent))
    let alert = try await world.alerts.raise("")
    let account = try await world.dueAccount()
    #expect(account.user == user)
    #expect(account.responders.map(\.name) == ["Bo", "Cem"])
    #expect(account.responders.map(\.email) == ["bo@example.org", "cem@example.org"])
    #expect(account.alerts == [alert])
    #expect(account.deliveries == [])
  }

  @Test(
    "At most the requested number of accounts is due at once, longest waiting first",
    arguments: Platform.everywhere)
  func order(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    for name in ["Jo", "Kim", "Lee"] {
      _ = try await world.openFurtherAccount(NewAccount(profile: Profile(name: name)))
    }
    let all = try await world.monitor.due(world.now, 10)
    #expect(all.count == 4)
    let hours = ["Ida": 3, "Jo": 1, "Kim": 4, "Lee": 2]
    for account in all {
      let look = world.now + .hours(hours[account.user.profile.name] ?? 0)
      #expect(
        try await world.monitor.apply(
          Plan(nextPlanning: look), account.user.id, account.revision, world.now))
    }
    world.advance(.hours(3))
    #expect(
      try await world.monitor.due(world.now, 10).map(\.user.profile.name) == ["Jo", "Lee", "Ida"])
    #expect(try await world.monitor.due(world.now, 2).map(\.user.profile.name) == ["Jo", "Lee"])
  }

  @Test("A plan for an older revision is refused as a whole", arguments: Platform.everywhere)
  func staleRevision(_ platform: Platform) async throws {
    let world = try World(platform)
    let user = try await world.openAccount(responders: [.bo])
    let account = try await world.dueAccount()
    _ = try await world.checkIn.checkIn(.manual)
    let plan = Plan(
      missedAlert: Alert(id: UUID(), kind: .missed, raisedAt: world.now, sequence: 0),
      deliveries: [.reminder(.minutes(30), of: user)], nextPlanning: world.now + .hours(1))
    #expect(
      try await !world.monitor.apply(plan, user.id, account.revision, world.now))
    let after = try await world.dueAccount()
    #expect(after.alerts == [])
    #expect(after.deliveries == [])
    #expect(try await !world.monitor.apply(plan, UUID(), account.revision, world.now))
  }

  @Test(
    "ESC-3: of two plans made from the same revision only the first is applied",
    arguments: Platform.everywhere)
  func twoMonitors(_ platform: Platform) async throws {
    let world = try World(platform)
    let user = try await world.openAccount(responders: [.bo])
    world.advance(.hours(25))
    let bo = try await world.contacts.contacts()[0]
    let account = try await world.dueAccount()
    var results: [Bool] = []
    for _ in 1...2 {
      let alert = Alert(id: UUID(), kind: .missed, raisedAt: world.now, sequence: 0)
      let plan = Plan(
        missedAlert: alert, deliveries: [.alertOn(alert, to: bo)],
        nextPlanning: world.now + .hours(1))
      results.append(
        try await world.monitor.apply(plan, user.id, account.revision, world.now))
    }
    #expect(results == [true, false])
    #expect(try await world.alerts.history(10).map(\.deliveries.count) == [1])
  }

  @Test(
    "ESC-3: two plans that raise an alert for the same missed deadline make one alert",
    arguments: Platform.everywhere)
  func oneAlertPerSequence(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    world.advance(.hours(25))
    let bo = try await world.contacts.contacts()[0]
    let first = Alert(id: UUID(), kind: .missed, raisedAt: world.now, sequence: 0)
    #expect(try await world.apply(Plan(missedAlert: first, nextPlanning: world.now)))
    let second = Alert(id: UUID(), kind: .missed, raisedAt: world.now, sequence: 0)
    #expect(
      try await world.apply(
        Plan(
          missedAlert: second, deliveries: [.alertOn(second, to: bo)], nextPlanning: world.now)))
    // Its deliveries would belong to an alert that doesn't exist.
    #expect(try await world.alerts.history(10) == [AlertReport(alert: first)])
    _ = try await world.checkIn.checkIn(.manual)
    world.advance(.hours(25))
    let third = Alert(id: UUID(), kind: .missed, raisedAt: world.now, sequence: 1)
    #expect(try await world.apply(Plan(missedAlert: third)))
    #expect(try await world.alerts.history(10).map(\.id) == [third.id, first.id])
  }

  @Test(
    "ESC-3: planning the same delivery twice creates one message; a new address gets another",
    arguments: Platform.everywhere)
  func sameDelivery(_ platform: Platform) async throws {
    let world = try World(platform)
    let user = try await world.openAccount()
    let reminder = PlannedDelivery.reminder(.minutes(30), of: user)
    var elsewhere = reminder
    elsewhere.address = "other@example.org"
    let plan = Plan(deliveries: [reminder, reminder, .reminder(.hours(1), of: user)])
    try await world.apply(Plan(deliveries: plan.deliveries, nextPlanning: world.now))
    let first = try await world.dueAccount().deliveries
    #expect(first.map(\.stage) == [.reminder(.minutes(30)), .reminder(.hours(1))])
    try await world.apply(Plan(deliveries: plan.deliveries + [elsewhere], nextPlanning: world.now))
    let second = try await world.dueAccount().deliveries
    #expect(Array(second.prefix(2)) == first)
    // A new address gets its own message.
    #expect(second.map(\.address).last == "other@example.org")
    #expect(second.count == 3)
  }

  @Test(
    "Planners still see pending deliveries of earlier deadlines and can cancel them",
    arguments: Platform.everywhere)
  func earlierDeadlines(_ platform: Platform) async throws {
    let world = try World(platform)
    let user = try await world.openAccount()
    try await world.apply(
      Plan(deliveries: [.reminder(.hours(1), of: user), .reminder(.minutes(30), of: user)]))
    let claimed = try await world.monitor.claim(world.now, .seconds(60), ClaimRequest(limit: 1))[0]
    #expect(
      try await world.monitor.record(claimed.id, claimed.token, .sent, nil, world.now))
    _ = try await world.checkIn.checkIn(.manual)
    let deliveries = try await world.dueAccount().deliveries
    #expect(deliveries.map(\.state) == [.pending])
    #expect(deliveries.map(\.occasion) == [.deadline(sequence: 0)])
    try await world.apply(Plan(cancelled: deliveries.map(\.id), nextPlanning: world.now))
    #expect(try await world.dueAccount().deliveries == [])
    #expect(
      try await world.monitor.claim(world.now + .days(1), .seconds(60), ClaimRequest(limit: 10))
        == [])
  }

  @Test(
    "A cancelled delivery that is planned again keeps its identifier",
    arguments: Platform.everywhere)
  func revived(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    let bo = try await world.contacts.contacts()[0]
    let alert = try await world.alerts.raise("")
    let plan = Plan(deliveries: [.alertOn(alert, to: bo)], nextPlanning: world.now)
    try await world.apply(plan)
    let delivery = try await world.dueAccount().deliveries[0]
    try await world.apply(Plan(cancelled: [delivery.id], nextPlanning: world.now))
    #expect(try await world.dueAccount().deliveries.map(\.state) == [.cancelled])
    world.advance(.minutes(5))
    try await world.apply(plan)
    let revived = try await world.dueAccount().deliveries
    var expected = delivery
    expected.plannedAt = world.now
    #expect(revived == [expected])
    try await world.apply(Plan())
    let claimed = try await world.monitor.claim(world.now, .seconds(60), ClaimRequest(limit: 10))
    #expect(claimed.map(\.id) == [delivery.id])
    #expect(claimed.map(\.plannedAt) == [world.now])
  }

  @Test(
    "Settling hides an ended alert from planners; an active alert can't be settled",
    arguments: Platform.everywhere)
  func settled(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let alert = try await world.alerts.raise("")
    try await world.apply(Plan(settled: [alert.id], nextPlanning: world.now))
    #expect(try await world.dueAccount().alerts == [alert])
    let cancelled = try await world.alerts.cancel()
    #expect(try await world.dueAccount().alerts == [cancelled])
    try await world.apply(Plan(settled: [alert.id], nextPlanning: world.now))
    #expect(try await world.dueAccount().alerts == [])
    #expect(try await world.alerts.history(10).map(\.alert) == [cancelled])
  }

  @Test("Monitors are woken by check-ins, alerts and plans", arguments: Platform.everywhere)
  func changes(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    var changes = world.monitor.changes().makeAsyncIterator()
    _ = try await world.checkIn.checkIn(.manual)
    #expect(await changes.next() != nil)
    _ = try await world.alerts.raise("")
    #expect(await changes.next() != nil)
    try await world.apply(Plan(nextPlanning: world.now + .hours(1)))
    #expect(await changes.next() != nil)
  }

  @Test(
    "Monitors aren't woken by reads, refused writes, heartbeats or documents",
    arguments: Platform.everywhere)
  func noChanges(_ platform: Platform) async throws {
    let world = try World(platform)
    let user = try await world.openAccount()
    try await world.apply(Plan(nextPlanning: world.now + .hours(1)))
    let changes = world.monitor.changes()
    // The first element means that the platform has begun to listen.
    for await _ in changes { break }
    #expect(try await world.monitor.claim(world.now, .seconds(60), ClaimRequest(limit: 10)) == [])
    #expect(try await world.monitor.due(world.now, 10) == [])
    #expect(try await !world.monitor.apply(Plan(), user.id, 99, world.now))
    #expect(try await !world.monitor.record(UUID(), UUID(), .sent, nil, world.now))
    _ = try await world.monitor.heartbeat(UUID(), world.now, .seconds(10), nil)
    _ = try await world.storage.setDocument(.appearance, Data("{}".utf8), nil)
    // A cancelled task still gets pending elements, but doesn't wait for more.
    let heard = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      for await _ in changes { return true }
      return false
    }
    #expect(await !heard.value)
  }
}
