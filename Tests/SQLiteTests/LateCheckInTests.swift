import Clients
import Domain
import FoundationEssentials
import Monitor
import Testing

@testable import SQLite
@testable import Store

/// CHK-1: check-ins that are executed long after they were made, while a missed deadline is on.
@Suite("Late check-ins", .timeLimit(.minutes(1)))
struct LateCheckInTests {
  /// A store whose person has missed a deadline 50 hours after their check-in.
  private func overdue(_ place: Place) async throws -> Opened {
    let store = try place.open()
    try await store.openAccount()
    place.advance(.hours(50))
    try await plan(store, place)
    #expect(try await store.alerts.history(9).map(\.alert.kind) == [.missed])
    return store
  }

  private func plan(_ store: Opened, _ place: Place) async throws {
    for account in try await store.monitor.due(place.now, 9) {
      let plan = Planner.plan(account, now: place.now, makeID: { UUID() })
      _ = try await store.monitor.apply(plan, account.user.id, account.revision, place.now)
    }
  }

  /// Checks in as if the program had waited since it was asked to.
  private func checkIn(
    _ store: Opened, _ place: Place, after waited: TimeSpan
  ) async throws -> User {
    let start = ContinuousClock.now.advanced(by: .seconds(-waited.seconds))
    return try await store.platform.store.checkIn(.manual, since: start)
  }

  /// The test itself takes a moment.
  private func isNear(_ date: Date, _ other: Date) -> Bool {
    abs(date.timeIntervalSince(other)) < 60
  }

  private func stages(_ store: Opened) async throws -> [String] {
    try await store.column(
      "SELECT stage FROM delivery WHERE recipient <> 'owner' AND stage <> 'contact_added'")
  }

  @Test("CHK-1, CHK-6: a check-in received late whose deadline is ahead ends the missed alert")
  func inTime() async throws {
    let place = try Place()
    let store = try await overdue(place)
    let made = place.now - .hours(3)
    let user = try await checkIn(store, place, after: .hours(3))
    #expect(isNear(user.lastCheckIn, made))
    let alert = try await store.alerts.history(1)[0].alert
    #expect(alert.resolvedAt == place.now.stored)
    try await plan(store, place)
    #expect(try await stages(store).allSatisfy { !$0.hasPrefix("late_sign") })
  }

  @Test("CHK-1: a check-in whose deadline has passed ends no alert; responders get one message")
  func tooLate() async throws {
    let place = try Place()
    let store = try await overdue(place)
    for hours in [25, 24] {
      let made = place.now - .minutes(hours * 60 + 30)
      let user = try await checkIn(store, place, after: .minutes(hours * 60 + 30))
      #expect(isNear(user.lastCheckIn, made))
      try await plan(store, place)
      #expect(try await store.alerts.history(9).map(\.alert.isActive) == [true])
      #expect(try await stages(store).sorted() == ["late_sign", "non_responsive"])
    }
    // A check-in of now ends it.
    _ = try await store.checkIn.checkIn(.manual)
    #expect(try await store.alerts.history(9).map(\.alert.isActive) == [false])
  }

  @Test("CHK-1, CHK-3: during a silent alert no message about a late check-in is sent")
  func silent() async throws {
    let place = try Place()
    let store = try await overdue(place)
    let silent = UUID()
    try await store.sql(
      """
      INSERT INTO alert (account, id, kind, message, raised_at)
      SELECT key, '\(silent.uuidString.lowercased())', 'duress', '', \(place.now.milliseconds)
      FROM account
      """)
    _ = try await checkIn(store, place, after: .minutes(25 * 60))
    try await plan(store, place)
    let claimed = try await store.monitor.claim(
      place.now, .minutes(1), ClaimRequest(limit: 100))
    #expect(claimed.contains { $0.alert?.id == silent })
    #expect(!claimed.contains { $0.stage == .lateSign && $0.pretendedResult == nil })
    #expect(try await store.alerts.history(9).map(\.alert.isActive) == [true])
  }

  @Test("CHK-1: a check-in made before the last changes nothing, unless the last is in the future")
  func overtaken() async throws {
    let place = try Place()
    let store = try place.open()
    let before = try await store.openAccount()
    place.advance(.hours(2))
    let last = try await store.checkIn.checkIn(.manual)
    for made in [before.lastCheckIn, last.lastCheckIn - .minutes(5)] {
      place.advance(.minutes(2))
      let waited = TimeSpan(seconds: Int(place.now.timeIntervalSince(made)))
      #expect(try await checkIn(store, place, after: waited) == last)
    }
    let ahead = (place.now + .days(9)).stored
    try await store.sql("UPDATE account SET last_check_in = \(ahead.milliseconds)")
    let made = place.now - .minutes(1)
    #expect(isNear(try await checkIn(store, place, after: .minutes(1)).lastCheckIn, made))
  }
}
