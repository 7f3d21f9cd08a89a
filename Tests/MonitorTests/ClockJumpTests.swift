import Clients
import Composable
import ComposableFoundation
import ComposableTesting
import Domain
import FoundationEssentials
import Testing

@testable import Monitor

/// Monitors, and the app that starts them, on a machine whose store judges its clock (ESC-5,
/// decision 89).
@MainActor @Suite struct ClockJumpTests {
  let jump = Jump()
  let world: World

  init() { world = World(jump: jump) }

  func monitor(_ number: UInt64 = 700) -> MonitorLoop<TestClock> {
    MonitorLoop(
      id: UUID(number), store: world.clients.monitorClient,
      deliveryService: world.mailbox.deliveryService, dateClient: world.clients.dateClient,
      clock: world.clock, random: WithRandomNumberGenerator(SplitMix64(seed: 1)),
      log: world.log.monitorLog)
  }

  /// Creates an account and watches it for an hour.
  func watchedAccount() async throws -> (MonitorLoop<TestClock>, MonitorTurns<TestClock>) {
    try await world.openAccount(responders: ["Bob"], email: "ada@example.org")
    let monitor = monitor()
    var schedule = MonitorTurns(loop: monitor)
    await take(&schedule, monitor, for: .hours(1))
    return (monitor, schedule)
  }

  /// Runs turns, at least one every ten seconds, and `other` after each.
  func take(
    _ schedule: inout MonitorTurns<TestClock>, _ monitor: MonitorLoop<TestClock>,
    for span: TimeSpan,
    _ other: () async -> Void = {}
  ) async {
    let end = world.clock.offset + Double(span.seconds)
    repeat {
      for delivery in await schedule.next() { await monitor.send(delivery) }
      await other()
      let left = Duration.seconds(end - world.clock.offset)
      await world.clock.advance(by: min(max(schedule.pause, .milliseconds(1)), .seconds(10), left))
    } while world.clock.offset < end
    for delivery in await schedule.next() { await monitor.send(delivery) }
  }

  var left: Int {
    get async throws {
      try await world.clients.userClient.currentUser().deadline.secondsLeft(
        at: world.clients.dateClient.now())
    }
  }

  @Test(
    "ESC-5: a clock 3 days ahead for 100 s notifies nobody, however many monitors start"
  )
  func aheadForAMoment() async throws {
    var (monitor, schedule) = try await watchedAccount()
    jump.seconds = 259_200
    var started: UInt64 = 700
    await take(&schedule, monitor, for: .seconds(100)) {
      let watch = try? await world.clients.watchClient.status()
      #expect((watch?.monitors ?? 0) >= 1)
      started += 1
      let watches = try? await self.monitor(started).joinIfNone()
      #expect(watches == false)
      started += 1
      let another = self.monitor(started)
      var its = MonitorTurns(loop: another)
      for delivery in await its.next() { await another.send(delivery) }
      await another.resign()
    }
    jump.seconds = 0
    await take(&schedule, monitor, for: .minutes(20))
    #expect(world.mailbox.lines.isEmpty)
    #expect(world.log.lines.contains { $0.contains("the wall clock is right again") })
    await take(&schedule, monitor, for: .seconds(try await left + 1))
    #expect(world.mailbox.lines == ["deadline_passed Ada"])
  }

  @Test(
    "ESC-5: setting the clock back 3 days for good delays no deadline and no notification"
  )
  func backForGood() async throws {
    var (monitor, schedule) = try await watchedAccount()
    jump.seconds = -259_200
    await take(&schedule, monitor, for: .minutes(10))
    #expect(world.clients.dateClient.now() == world.now - .days(3))
    #expect(try await left == 23 * 3_600 - 600)
    await take(&schedule, monitor, for: .seconds(try await left + 1))
    #expect(world.mailbox.lines == ["deadline_passed Ada"])
    await take(&schedule, monitor, for: .minutes(15))
    #expect(world.mailbox.lines == ["deadline_passed Ada", "non_responsive Bob"])
  }

  @Test("ESC-5: a check-in while the clock is 3 days ahead moves the deadline by one interval only")
  func checkInAhead() async throws {
    var (monitor, schedule) = try await watchedAccount()
    jump.seconds = 259_200
    _ = try await world.clients.checkInClient.checkIn(.manual)
    await take(&schedule, monitor, for: .seconds(60))
    jump.seconds = 0
    await take(&schedule, monitor, for: .minutes(5))
    #expect(try await left == 24 * 3_600 - 360)
  }

  @Test(
    "ESC-5: a retry due in 4 minutes is made in time although the clock jumps before",
    arguments: [-10_800.0, 259_200])
  func retry(_ seconds: Double) async throws {
    var (monitor, schedule) = try await watchedAccount()
    _ = try await world.clients.alertClient.raise("")
    world.mailbox.answer { _ in .retry(reason: "busy", after: .minutes(4)) }
    await take(&schedule, monitor, for: .seconds(1))
    jump.seconds = seconds
    await take(&schedule, monitor, for: .minutes(3))
    world.mailbox.answer { _ in .sent }
    await take(&schedule, monitor, for: .minutes(3))
    #expect(world.mailbox.lines.filter { $0.hasSuffix("Bob") } == ["alert_on Bob"])
  }

  @Test("ESC-5, ESC-2: an alert repeats every hour while the clock is wrong and once it is right")
  func repeats() async throws {
    var (monitor, schedule) = try await watchedAccount()
    _ = try await world.clients.alertClient.raise("")
    await take(&schedule, monitor, for: .minutes(30))
    jump.seconds = 259_200
    await take(&schedule, monitor, for: .hours(3))
    #expect(world.mailbox.lines.count { $0.hasPrefix("alert_on_again") } == 3)
    jump.seconds = 0
    await take(&schedule, monitor, for: .hours(3))
    let count = world.mailbox.lines.count { $0.hasPrefix("alert_on_again") }
    #expect((5...7).contains(count))
  }

  @Test(
    "ESC-5, CHK-3: a silent alert is sent at once while the clock is wrong")
  func silentAlert() async throws {
    var (monitor, schedule) = try await watchedAccount()
    try await world.clients.authClient.updateGate(
      Gate(passphrase: Secret("blue kettle"), duress: Secret("red kettle")))
    jump.seconds = -259_200
    await take(&schedule, monitor, for: .seconds(10))
    _ = try await world.clients.checkInClient.$checkIn(.manual, typing: Secret("red kettle"))
    await take(&schedule, monitor, for: .seconds(1))
    #expect(world.mailbox.lines == ["alert_on Bob"])
  }
}
