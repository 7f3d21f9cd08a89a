import Clients
import Composable
import ComposableFoundation
import ComposableTesting
import Domain
import FoundationEssentials
import Glibc
import Synchronization
import Testing

@testable import Monitor

/// Wall clocks that jump, and machines that sleep (ESC-4, ESC-5).
@MainActor @Suite struct TimekeeperTests {
  let world = World()
  let jump = Jump()

  func monitor() -> MonitorLoop<TestClock> {
    let (clock, jump) = (world.clock, jump)
    return MonitorLoop(
      id: UUID(700), store: world.clients.monitorClient,
      deliveryService: world.mailbox.deliveryService,
      dateClient: DateClient(now: { start + clock.offset + jump.seconds }, calendar: .utc),
      clock: clock, random: WithRandomNumberGenerator(SplitMix64(seed: 1)),
      log: world.log.monitorLog)
  }

  /// Creates an account and watches it for an hour.
  func watchedAccount() async throws -> (MonitorLoop<TestClock>, MonitorTurns<TestClock>) {
    try await world.openAccount(responders: ["Bob"])
    let monitor = monitor()
    var schedule = MonitorTurns(loop: monitor)
    await take(&schedule, monitor, for: .hours(1))
    return (monitor, schedule)
  }

  /// Runs turns, at least one every ten seconds.
  func take(
    _ schedule: inout MonitorTurns<TestClock>, _ monitor: MonitorLoop<TestClock>, for span: TimeSpan
  ) async {
    let end = world.now + span
    repeat {
      for delivery in await schedule.next() { await monitor.send(delivery) }
      await world.clock.advance(
        by: min(max(schedule.pause, .milliseconds(1)), .seconds(end.timeIntervalSince(world.now))))
    } while world.now < end
    for delivery in await schedule.next() { await monitor.send(delivery) }
  }

  @Test("ESC-5: a clock two days ahead for 90 s sends nothing and moves no deadline")
  func thereAndBack() async throws {
    var (monitor, schedule) = try await watchedAccount()
    jump.seconds = 172_800
    await take(&schedule, monitor, for: .seconds(90))
    #expect(monitor.now == world.now)
    jump.seconds = 0
    await take(&schedule, monitor, for: .minutes(5))
    #expect(world.mailbox.lines.isEmpty)
    #expect(try await world.clients.userClient.currentUser().graceFrom == nil)
    try await world.advance(to: world.deadline)
    #expect(world.mailbox.lines.isEmpty)
    await take(&schedule, monitor, for: .minutes(16))
    #expect(world.mailbox.lines == ["non_responsive Bob"])
  }

  @Test("ESC-5: a clock set two days ahead counts after 2 minutes and starts the grace time again")
  func forward() async throws {
    var (monitor, schedule) = try await watchedAccount()
    jump.seconds = 172_800
    await take(&schedule, monitor, for: .seconds(110))
    #expect(try await world.clients.userClient.currentUser().graceFrom == nil)
    await take(&schedule, monitor, for: .seconds(30))
    #expect(monitor.now == world.now + .days(2))
    #expect(try await world.clients.userClient.currentUser().graceFrom != nil)
    await take(&schedule, monitor, for: .minutes(10))
    #expect(world.mailbox.lines.isEmpty, "the grace time began again")
    await take(&schedule, monitor, for: .minutes(6))
    #expect(world.mailbox.lines == ["non_responsive Bob"])
    #expect(world.log.lines.contains { $0.contains("jumped by 172800 s") })
    #expect(world.log.lines.contains { $0.contains("the new wall clock time counts") })
  }

  @Test("ESC-5: a clock jump counts exactly 2 minutes later, although the jump grows in between")
  func instant() async {
    let (clock, jump) = (world.clock, jump)
    let time = Timekeeper(
      clock: clock,
      dateClient: DateClient(now: { start + clock.offset + jump.seconds }, calendar: .utc),
      log: world.log.monitorLog)
    jump.seconds = 172_800
    #expect(time.now == start)
    await clock.advance(by: .milliseconds(119_750))
    jump.seconds += 120
    #expect(time.now == start + 119.75)
    await clock.advance(by: .milliseconds(250))
    #expect(time.now == start + 120 + jump.seconds)
    #expect(time.acceptedJumps == 1)
  }

  @Test("ESC-5: setting the clock back three hours doesn't delay the retry of an alert")
  func back() async throws {
    var (monitor, schedule) = try await watchedAccount()
    _ = try await world.clients.alertClient.raise("")
    world.mailbox.answer { _ in .retry(reason: "busy", after: .minutes(4)) }
    await take(&schedule, monitor, for: .seconds(1))
    jump.seconds = -10_800
    await take(&schedule, monitor, for: .minutes(3))
    #expect(monitor.now == world.now - .hours(3))
    world.mailbox.answer { _ in .sent }
    await take(&schedule, monitor, for: .minutes(3))
    #expect(world.mailbox.lines == ["alert_on Bob"])
  }

  @Test("ESC-5: while the clock is in doubt an alert raised by hand is sent at once")
  func manualAlert() async throws {
    var (monitor, schedule) = try await watchedAccount()
    jump.seconds = 172_800
    await take(&schedule, monitor, for: .seconds(10))
    _ = try await world.clients.alertClient.raise("")
    await take(&schedule, monitor, for: .seconds(1))
    #expect(world.mailbox.lines == ["alert_on Bob"])
  }

  @Test("ESC-4: a machine that slept past a deadline notifies the person first (fault 8)")
  func suspend() async throws {
    var (monitor, schedule) = try await watchedAccount()
    await world.clock.advance(by: .seconds(30 * 3_600))
    await take(&schedule, monitor, for: .minutes(14))
    #expect(world.mailbox.lines.isEmpty)
    #expect(!world.log.lines.contains { $0.contains("jumped") })
    #expect(
      try await world.clients.notificationClient.notifications(9, .all).map(\.kind)
        == [.deadlinePassed])
    await take(&schedule, monitor, for: .minutes(2))
    #expect(world.mailbox.lines == ["non_responsive Bob"])
    #expect(world.mailbox.attempts[0].alert?.noticedLateBy != nil)
  }

  @Test("ESC-4: a gap starts the grace time again even if the monitor's heartbeat can't be stored")
  func untoldGap() async throws {
    try await world.openAccount(responders: ["Bob"])
    var store = world.clients.monitorClient
    let (healthy, clock) = (store, world.clock)
    store.heartbeat = { (id, now, lease, problem) async throws(StorageError) in
      if clock.offset > 7_200 { throw .busy }
      return try await healthy.heartbeat(id, now, lease, problem)
    }
    let monitor = world.monitor(store)
    var schedule = MonitorTurns(loop: monitor)
    _ = await schedule.next()
    await world.clock.advance(by: .seconds(30 * 3_600))
    for delivery in await schedule.next() { await monitor.send(delivery) }
    #expect(world.mailbox.lines.isEmpty)
    #expect(try await world.clients.userClient.currentUser().graceFrom != nil)
  }

  @Test("ESC-5: ContinuousClock is CLOCK_BOOTTIME, which counts while the machine sleeps")
  func clockThatGoesOn() throws {
    // Both clocks count from boot, but only one of them counts while the machine sleeps.
    func seconds(_ clock: clockid_t) -> Double {
      var time = timespec()
      clock_gettime(clock, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let before = seconds(CLOCK_BOOTTIME)
    let text = try JSONEncoder().encode(ContinuousClock().now)
    let after = seconds(CLOCK_BOOTTIME)
    let parts = try JSONDecoder().decode([String: [UInt64]].self, from: text)["_value"]
    let (high, low) = (try #require(parts?.first), try #require(parts?.last))
    let attoseconds = Double(high) * 18_446_744_073_709_551_616 + Double(low)
    #expect((before...after + 0.001).contains(attoseconds / 1e18 + 0.001))
  }
}
