import Clients
import Domain
import FoundationEssentials
import Testing

@Suite("ESC-4: MonitorClient: gaps in monitoring", .timeLimit(.minutes(1)))
struct GapContractTests {
  private func beat(_ world: World, _ monitor: UUID = UUID()) async throws {
    _ = try await world.monitor.heartbeat(monitor, world.now, .seconds(30), nil)
  }

  /// The time since which a monitor watches, as the planner sees it.
  private func watchedSince(_ world: World) async throws -> Date? {
    try await world.monitor.due(world.now + .days(4_000), 10).first?.watchedSince
  }

  @Test(
    "ESC-4: heartbeats up to 2 minutes apart count as continuous monitoring, from any monitor",
    arguments: Platform.allCases)
  func oneWatch(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    #expect(try await watchedSince(world) == nil)
    let begin = world.now
    for _ in 1...4 {
      try await beat(world)
      world.advance(.minutes(2))
    }
    #expect(try await watchedSince(world) == begin)
    world.advance(.seconds(1))
    try await beat(world)
    #expect(try await watchedSince(world) == world.now)
  }

  @Test(
    "ESC-5: setting the clock back 3 h begins a new monitoring period; 30 s doesn't",
    arguments: Platform.allCases)
  func setBack(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    try await beat(world)
    world.advance(.hours(-3))
    try await beat(world)
    #expect(try await watchedSince(world) == world.now)
    let begin = world.now
    world.advance(.minutes(1))
    try await beat(world)
    world.advance(.seconds(-30))
    try await beat(world)
    #expect(try await watchedSince(world) == begin)
  }

  @Test(
    "ESC-4: after a gap in monitoring every account is planned again", arguments: Platform.allCases)
  func afresh(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    try await beat(world)
    try await world.apply(Plan())
    world.advance(.minutes(1))
    try await beat(world)
    #expect(try await world.monitor.due(world.now, 10) == [])
    world.advance(.minutes(3))
    try await beat(world)
    #expect(try await world.monitor.due(world.now, 10).count == 1)
  }

  @Test(
    "ESC-5: after the clock is set back, a claimed message can be claimed again within 2 minutes",
    arguments: Platform.allCases)
  func waits(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    let bo = try await world.contacts.contacts()[0]
    let alert = try await world.alerts.raise("")
    try await beat(world)
    try await world.apply(Plan(deliveries: [.alertOn(alert, to: bo)]))
    let request = ClaimRequest(limit: 9)
    #expect(try await world.monitor.claim(world.now, .minutes(90), request).count == 1)
    world.advance(.hours(-3))
    try await beat(world)
    try await world.apply(Plan())
    #expect(try await world.monitor.claim(world.now, .seconds(60), request).isEmpty)
    world.advance(.minutes(2))
    #expect(try await world.monitor.claim(world.now, .seconds(60), request).count == 1)
    #expect(try await world.watch.status().monitors == 0)
  }

  @Test(
    "ESC-5: a retry time set by a monitor whose clock is 3 h ahead doesn't hold up the message",
    arguments: Platform.allCases)
  func waitsForTheLastBeliever(_ platform: Platform) async throws {
    let world = try World(platform)
    let (first, last) = (UUID(), UUID())
    try await world.openAccount(responders: [.bo])
    let bo = try await world.contacts.contacts()[0]
    let alert = try await world.alerts.raise("")
    try await beat(world, first)
    try await beat(world, last)
    try await world.apply(Plan(deliveries: [.alertOn(alert, to: bo)]))
    let old = world.now
    world.advance(.hours(-3))
    try await beat(world, first)
    try await world.apply(Plan())
    let begin = try await watchedSince(world)
    let request = ClaimRequest(limit: 9)
    // The last monitor's clock is still three hours ahead.
    let claimed = try #require(
      try await world.monitor.claim(old + .seconds(1), .seconds(60), request).first)
    #expect(
      try await world.monitor.record(
        claimed.id, claimed.token, .retry(reason: "busy", after: nil), old + .minutes(5), old))
    world.advance(.seconds(10))
    try await beat(world, first)
    world.advance(.seconds(10))
    try await beat(world, last)
    try await world.apply(Plan())
    world.advance(.minutes(2))
    #expect(try await world.monitor.claim(world.now, .seconds(60), request).count == 1)
    // There was no gap in the watch.
    #expect(try await watchedSince(world) == begin)
  }

  @Test(
    "ESC-4: a restarted grace time is shown to person and responder and ends with the check-in",
    arguments: Platform.allCases)
  func graceAnew(_ platform: Platform) async throws {
    let world = try World(platform)
    let bo = try await {
      try await world.openAccount()
      return try await world.openPeer()
    }()
    let relation = try await world.befriend(bo, .responder)
    world.advance(.hours(30))
    let due = try await world.monitor.due(world.now, 10)
    let ida = try #require(due.first { $0.user.profile.name == "Ida" })
    #expect(
      try await world.monitor.apply(
        Plan(graceFrom: world.now, stagesToShow: [.noticedLate]), ida.user.id, ida.revision,
        world.now))
    let user = try await world.user.currentUser()
    #expect(user.graceFrom == world.now)
    #expect(user.deadline.status(at: world.now + .minutes(14)) == .overdue)
    #expect(user.deadline.graceEnd == world.now + .minutes(15))
    let dependent = try #require(try await bo.contact(relation.theirs.id).link?.dependentStatus)
    #expect(dependent.deadline == user.deadline)
    let notice = try await world.notifications.notifications(1, .all)[0]
    #expect(notice.kind == .deadlinePassed && notice.detail.contains("No monitor was running"))
    _ = try await world.checkIn.checkIn(.manual)
    #expect(try await world.user.currentUser().graceFrom == nil)
  }

  @Test(
    "ESC-4: an alert records how late the missed deadline was noticed", arguments: Platform.allCases
  )
  func noticedLate(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let alert = Alert(
      id: UUID(), kind: .missed, raisedAt: world.now, sequence: 0, noticedLateBy: .hours(5))
    try await world.apply(Plan(missedAlert: alert))
    #expect(try await world.alerts.history(1).map(\.alert) == [alert])
  }
}
