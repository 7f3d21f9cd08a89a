import Clients
import Composable
import ComposableFoundation
import Cryptography
import Domain
import FoundationEssentials
import TestSupport
import Testing

@testable import SQLite
@testable import Store

/// A store on a machine whose wall clock jumps (ESC-5, decision 89).
@Suite("ESC-5: clocks that jump", .timeLimit(.minutes(1)))
struct StoreClockTests {
  let place: Place
  let clock = JumpingClock(Place.start)

  init() throws { place = try Place() }

  var uptime: @Sendable () -> Uptime? {
    { [clock] in Uptime(boot: clock.running.boot, seconds: clock.running.seconds) }
  }

  /// Opens the store as another program of the machine.
  func open() throws -> Opened {
    Opened(
      try EmbeddedPlatform(
        file: StoreFile(place.folders), now: clock.wall, uptime: uptime, hashing: .minimal),
      place: place)
  }

  /// Opens the store with an account that checked in an hour ago.
  func opened() async throws -> Opened {
    let store = try open()
    try await store.openAccount()
    clock.advance(.hours(1))
    _ = try await store.monitor.heartbeat(UUID(1), store.now, .seconds(30), nil)
    return store
  }

  /// Lets time pass while a monitor watches.
  func watch(_ store: Opened, for span: TimeSpan) async throws {
    for _ in 0..<max(1, span.seconds / 10) {
      clock.advance(.seconds(10))
      _ = try await store.monitor.heartbeat(UUID(1), store.now, .seconds(30), nil)
    }
  }

  func left(_ store: Opened) async throws -> Int {
    try await store.user.currentUser().deadline.secondsLeft(at: store.now)
  }

  static let hour = 3_600

  // MARK: For a moment

  @Test(
    "ESC-5: while the clock is 3 days ahead, monitors keep their leases and programs agree"
  )
  func lease() async throws {
    let store = try await opened()
    clock.jump(.days(3))
    #expect(try await store.watch.status().monitors == 1)
    let other = try open()
    #expect(try await other.watch.status().monitors == 1)
    #expect(try await left(other) == 23 * Self.hour)
    #expect(other.now == Place.start + .hours(1))
    #expect(try await other.monitor.heartbeat(UUID(2), other.now, .seconds(30), nil) == 1)
  }

  @Test("ESC-5: a check-in while the clock is three days ahead counts from when it was made")
  func checkInAhead() async throws {
    _ = try await opened()
    clock.jump(.days(3))
    #expect(
      try await open().checkIn.checkIn(.commandLine).lastCheckIn == Place.start + .hours(1))
    clock.advance(.seconds(90))
    clock.jump(.days(-3))
    let store = try open()
    #expect(try await left(store) == 24 * Self.hour - 90)
    #expect(try await store.watch.status().clock == nil)
  }

  @Test(
    "ESC-5: an alert armed while the clock is wrong fires after its five seconds",
    arguments: [-3, 3])
  func armed(_ days: Int) async throws {
    let store = try await opened()
    clock.jump(.days(days))
    guard case .armed(let alert) = try await open().alerts.arm(UUID(7), "", .seconds(5)) else {
      Issue.record("not armed")
      return
    }
    #expect(!alert.isDue(at: store.now))
    clock.advance(.seconds(5))
    #expect(alert.isDue(at: store.now))
  }

  // MARK: For good

  @Test("ESC-5: a clock set back for good gives nobody more time, and is shown for a day")
  func setBack() async throws {
    let store = try await opened()
    _ = try await store.alerts.raise("Fell")
    clock.jump(.days(-3))
    #expect(try await left(store) == 23 * Self.hour)
    try await watch(store, for: .minutes(1))
    #expect(try await store.watch.status().clock == ClockWarning(seconds: -259_200))
    try await watch(store, for: .minutes(2))
    #expect(store.now == clock.wall())
    #expect(try await left(store) == 23 * Self.hour - 180)
    #expect(try await left(open()) == 23 * Self.hour - 180)
    #expect(try await open().watch.status().clock?.seconds == -259_200)
    #expect(try await open().watch.status().monitors == 1)
    // The alert was raised just before the clock was set.
    let raised = try #require(try await store.alerts.history(1).first?.alert.raisedAt)
    #expect(store.now.timeIntervalSince(raised) == 180)
    // A day later, nobody needs to know.
    try await watch(store, for: .hours(1))
    clock.advance(.days(1))
    #expect(try await store.watch.status().clock == nil)
  }

  @Test(
    "ESC-5, SCH-2: set times chosen while the clock is wrong count by the true time once it is right",
    arguments: [-2, 2])
  func setTimes(_ days: Int) async throws {
    let store = try await opened()
    clock.jump(.days(days))
    try await watch(store, for: .minutes(5))
    _ = try await store.checkIn.checkIn(.manual)
    _ = try await store.checkIn.updateSchedule(SetTimes(parsing: "daily 09:00", zone: "UTC"))
    clock.jump(.days(-days))
    try await watch(store, for: .minutes(5))
    #expect(store.now == clock.wall())
    // The account was opened on Wednesday at 11:06.
    let user = try await store.user.currentUser()
    #expect(user.deadline.date == Place.start + .seconds(21 * 3_600 + 53 * 60 + 20))
    #expect(user.schedule?.since ?? .distantFuture <= store.now)
  }

  @Test("ESC-5: a clock that is three days behind for five minutes changes no deadline")
  func backAndForth() async throws {
    let store = try await opened()
    clock.jump(.days(-3))
    try await watch(store, for: .minutes(5))
    clock.jump(.days(3))
    try await watch(store, for: .minutes(5))
    #expect(store.now == clock.wall())
    #expect(try await left(store) == 23 * Self.hour - 600)
  }

  @Test(
    "ESC-5: a clock set ahead for good counts after two minutes, like an outage"
  )
  func setAhead() async throws {
    let store = try await opened()
    clock.jump(.days(3))
    try await watch(store, for: .seconds(100))
    #expect(try await left(store) == 23 * Self.hour - 100)
    try await watch(store, for: .seconds(40))
    #expect(store.now == clock.wall())
    #expect(try await left(store) == 23 * Self.hour - 140 - 3 * 24 * Self.hour)
    // The deadline lies before the watch, so that the person is reminded first (ESC-4).
    let account = try #require(try await store.monitor.due(store.now, 1).first)
    #expect(try #require(account.watchedSince) > account.user.deadline.date)
  }

  @Test("ESC-5: a check-in within two minutes of a clock jump has its whole interval")
  func checkInInDoubt() async throws {
    let store = try await opened()
    // A computer that slept without noticing: the time since its start stood still.
    clock.jump(.hours(10))
    _ = try await open().checkIn.checkIn(.commandLine)
    try await watch(store, for: .minutes(3))
    #expect(store.now == clock.wall())
    #expect(try await left(store) == 24 * Self.hour - 180)
  }

  @Test(
    "ESC-5: a clock ahead for an hour and back keeps deadlines; a check-in in that hour counts"
  )
  func aheadForAnHour() async throws {
    let store = try await opened()
    clock.jump(.days(3))
    try await watch(store, for: .hours(1))
    clock.jump(.days(-3))
    try await watch(store, for: .minutes(5))
    #expect(try await left(store) == 22 * Self.hour - 300)
    clock.jump(.days(3))
    try await watch(store, for: .hours(1))
    _ = try await store.checkIn.checkIn(.manual)
    clock.jump(.days(-3))
    try await watch(store, for: .minutes(5))
    #expect(try await left(store) == 24 * Self.hour - 300)
  }

  @Test("ESC-5: without a monitor, two writes three minutes apart accept a clock jump")
  func withoutMonitor() async throws {
    let store = try open()
    try await store.openAccount()
    clock.jump(.days(-3))
    _ = try await open().checkIn.checkIn(.commandLine)
    clock.advance(.minutes(3))
    let other = try open()
    _ = try await other.checkIn.checkIn(.commandLine)
    #expect(other.now == clock.wall())
    #expect(try await other.user.currentUser().lastCheckIn == clock.wall())
    #expect(try await left(other) == 24 * Self.hour)
  }

  @Test("ESC-5: a clock set back extends no pause and no lock of the passphrase gate")
  func pauseAndLock() async throws {
    let store = try await opened()
    _ = try await store.checkIn.pause(store.now + .hours(10))
    try await store.auth.updateGate(Gate(passphrase: Secret("blue kettle")))
    for _ in 1...5 { _ = try? await store.checkIn.$checkIn(.manual, typing: Secret("red kettle")) }
    clock.jump(.days(-3))
    try await watch(store, for: .minutes(3))
    let end = try #require(try await store.user.currentUser().pausedUntil)
    #expect(end == store.now + .hours(10) - .minutes(3))
    _ = try await store.checkIn.$checkIn(.manual, typing: Secret("blue kettle"))
  }

  @Test("ESC-5, CHN-2: a clock set back doesn't extend the wait after a refused login")
  func routes() async throws {
    let store = try await opened()
    let (held, begun) = (store.now + .minutes(5), store.now)
    try await store.sql(
      """
      INSERT INTO route (key, refusals, held_until, works_at) VALUES
        ('refused', 1, \(held.milliseconds), NULL),
        ('works', 0, \(begun.milliseconds), \(begun.milliseconds))
      """)
    clock.jump(.days(-3))
    try await watch(store, for: .minutes(3))
    #expect(store.now == clock.wall())
    let until = try await store.value(
      Int.self, "SELECT held_until FROM route WHERE key = 'refused'")
    #expect(until == (store.now + .minutes(2)).milliseconds)
    let worked = try await store.value(
      Int.self, "SELECT works_at FROM route WHERE key = 'works'")
    #expect(worked == (store.now - .minutes(3)).milliseconds)
  }

  @Test("ESC-5: two programs accept a clock jump only once")
  func once() async throws {
    let (store, other) = (try await opened(), try open())
    clock.jump(.days(-3))
    _ = try await other.user.currentUser()
    try await watch(store, for: .seconds(110))
    clock.advance(.seconds(30))
    _ = try await store.checkIn.checkIn(.manual)
    _ = try await other.checkIn.checkIn(.manual)
    #expect(try await store.value(Int.self, "SELECT jumps FROM clock") == 1)
    #expect(store.now == clock.wall() && other.now == clock.wall())
    #expect(try await left(other) == 24 * Self.hour)
  }

  @Test("ESC-5: a clock jump counts only once the store can record the jump")
  func unwritable() async throws {
    let store = try await opened()
    try await store.sql(
      "CREATE TRIGGER full BEFORE UPDATE ON account BEGIN SELECT raise(ABORT, 'full'); END")
    clock.jump(.days(-3))
    try await watch(store, for: .minutes(4))
    #expect(store.now == clock.wall() + .days(3))
    #expect(try await left(store) == 23 * Self.hour - 240)
    try await store.sql("DROP TRIGGER full")
    try await watch(store, for: .minutes(1))
    #expect(store.now == clock.wall())
    #expect(try await left(store) == 23 * Self.hour - 300)
  }

  // MARK: Across starts

  @Test(
    "ESC-5: a clock behind after a restart counts after 2 minutes, with an interval left at most"
  )
  func restartBehind() async throws {
    _ = try await opened()
    clock.restart()
    clock.jump(.days(-3))
    let store = try open()
    #expect(try await left(store) <= 23 * Self.hour)
    #expect(try await store.watch.status().clock != nil)
    clock.jump(.days(3))
    #expect(try await left(store) == 23 * Self.hour - 60)
    #expect(try await store.watch.status().clock == nil)
    clock.jump(.days(-3))
    try await watch(store, for: .minutes(3))
    #expect(store.now == clock.wall())
    #expect(try await left(store) <= 24 * Self.hour)
    #expect(try await left(store) >= 22 * Self.hour)
  }

  @Test("ESC-5: a restart after ten days off isn't a clock jump")
  func restart() async throws {
    _ = try await opened()
    clock.restart(after: Double(TimeSpan.days(10).seconds))
    let store = try open()
    #expect(store.now == clock.wall())
    #expect(try await store.watch.status().clock == nil)
  }

  @Test("ESC-5: after a start ten years ahead is corrected, at most an interval is left")
  func startsAhead() async throws {
    let store = try await opened()
    clock.restart()
    clock.jump(.days(3_650))
    let other = try open()
    _ = try await other.checkIn.checkIn(.commandLine)
    clock.jump(.days(-3_650))
    try await watch(other, for: .minutes(3))
    #expect(other.now == clock.wall())
    #expect(try await left(other) == 24 * Self.hour - 180)
    _ = store
  }

  @Test("ESC-6: a damaged clock record keeps nobody from checking in")
  func damaged() async throws {
    let store = try await opened()
    try await store.sql("UPDATE clock SET uptime = -5, boot = 'other'")
    _ = try await store.checkIn.checkIn(.manual)
    #expect(try await left(store) == 24 * Self.hour)
  }

  @Test("ESC-5: on a machine without an uptime counter the wall clock counts")
  func withoutUptime() async throws {
    let store = try place.open()
    try await store.openAccount()
    #expect(try await store.value(Int.self, "SELECT count(*) FROM clock") == 0)
    place.advance(.days(-3))
    #expect(store.now == place.now)
  }
}

extension JumpingClock {
  fileprivate func advance(_ span: TimeSpan) { advance(Double(span.seconds)) }
  fileprivate func jump(_ span: TimeSpan) { jump(Double(span.seconds)) }
}

extension Opened {
  fileprivate var now: Date { platform.store.now() }
}
