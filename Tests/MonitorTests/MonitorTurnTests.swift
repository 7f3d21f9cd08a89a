import Clients
import Composable
import ComposableFoundation
import ComposableTesting
import Domain
import FoundationEssentials
import SQLite
import Synchronization
import TestSupport
import Testing

@testable import Monitor

/// A monitor's turns against the store in memory, run in sequence.
@MainActor @Suite struct MonitorTurnTests {
  let world = World()

  @Test("ESC-1, CHK-6: reminder, deadline, responders and all-clear are sent in order, each once")
  func wholeWay() async throws {
    try await world.openAccount(email: "ada@example.org", reminders: [.minutes(30)])
    let monitor = world.monitor()
    await world.live(monitor, until: world.deadline - .minutes(31))
    #expect(world.mailbox.lines == [])
    await world.live(monitor, until: world.deadline - .minutes(29))
    #expect(world.mailbox.lines == ["reminder:1800 Ada"])
    await world.live(monitor, until: world.deadline + .seconds(1))
    #expect(world.mailbox.lines.dropFirst() == ["deadline_passed Ada"])
    await world.live(monitor, until: world.deadline + .minutes(15) + .seconds(1))
    #expect(Set(world.mailbox.lines.dropFirst(2)) == ["non_responsive Bob", "non_responsive Cyd"])
    _ = try await world.clients.checkInClient.checkIn(.manual)
    await world.live(monitor, until: world.now + .seconds(60))
    #expect(Set(world.mailbox.lines.dropFirst(4)) == ["all_clear Bob", "all_clear Cyd"])
    #expect(world.mailbox.lines.count == 6)
    #expect(world.log.lines.allSatisfy { !$0.contains("Ada") && !$0.contains("@") })
  }

  @Test("ESC-1: responders are notified within 10 ms after the grace time, not before")
  func punctual() async throws {
    try await world.openAccount(responders: ["Bob"])
    let graceEnd = world.deadline + .minutes(15)
    let monitor = world.monitor()
    await world.live(monitor, until: graceEnd)
    #expect(world.mailbox.arrivals.isEmpty)
    await world.live(monitor, until: graceEnd + 0.01)
    #expect(world.mailbox.lines == ["non_responsive Bob"])
  }

  @Test(
    "CHN-2: a message that the server defers is retried with the same message ID until it is sent")
  func retries() async throws {
    try await world.openAccount(responders: ["Bob"])
    _ = try await world.clients.alertClient.raise("")
    world.mailbox.answer { $0.attempt < 4 ? .retry(reason: "busy", after: nil) : .sent }
    await world.live(world.monitor(), until: start + .seconds(2))
    #expect(world.mailbox.arrivals.isEmpty)
    await world.live(world.monitor(), until: start + .seconds(5))
    #expect(world.mailbox.lines == ["alert_on Bob"])
    #expect(world.mailbox.attempts.map(\.attempt) == [1, 2, 3, 4])
    #expect(Set(world.mailbox.attempts.map(\.messageID)).count == 1)
  }

  @Test("WCH-1: a monitor that can't use its store shows the problem until the store works again")
  func storeLetsNothingBeDone() async throws {
    try await world.openAccount(responders: ["Bob"])
    var store = world.clients.monitorClient
    store.due = { (_: Date, _: Int) async throws(StorageError) in throw .corrupt(detail: "page 7") }
    let monitor = world.monitor(store)
    await world.live(monitor, until: start + .minutes(1))
    let status = try await world.clients.watchClient.status()
    #expect(status.problem == "the store failed (STORE_CORRUPT)")
    #expect(status.failingKinds == Set(Channel.Kind.allCases))
    await world.live(world.monitor(), until: start + .minutes(2))
    #expect(try await world.clients.watchClient.status().problem == nil)
  }

  @Test("ESC-3: --once reports that a sent message could not be recorded")
  func onceUnrecorded() async throws {
    try await world.openAccount(responders: ["Bob"])
    _ = try await world.clients.alertClient.raise("")
    var store = world.clients.monitorClient
    store.record = {
      (_: UUID, _: UUID, _: DeliveryOutcome, _: Date?, _: Date) async throws(StorageError) in
      throw .corrupt(detail: "page 21")
    }
    let monitor = MonitorLoop(
      id: UUID(7), store: store, deliveryService: world.mailbox.deliveryService,
      dateClient: .constant(world.now),
      clock: TurnClock(), random: WithRandomNumberGenerator(SplitMix64(seed: 1)))
    let round = await monitor.runOnce()
    #expect(round.problems == ["what was sent could not be recorded, and will be sent again"])
  }

  @Test("CHN-2: an unknown recipient is tried twice, then shown as failed; others are notified")
  func permanent() async throws {
    try await world.openAccount()
    _ = try await world.clients.alertClient.raise("")
    world.mailbox.answer {
      $0.recipientName == "Bob" ? .permanent(reason: "no such user") : .sent
    }
    let monitor = world.monitor()
    await world.live(monitor, until: start + .minutes(59))
    #expect(world.mailbox.lines == ["alert_on Cyd"])
    #expect(world.mailbox.attempts.count == 2)
    await world.live(monitor, until: start + .minutes(62))
    let calls = world.mailbox.attempts.filter { $0.stage == .alertOn }
    #expect(calls.map(\.recipientName).sorted() == ["Bob", "Bob", "Cyd"])
    let reports = try await world.clients.alertClient.history(1)[0].deliveries
    #expect(reports.first { $0.recipient == "Bob" }?.state == .failed)
    #expect(reports.first { $0.recipient == "Bob" }?.error == "no such user")
  }

  @Test("CHN-2: after 24 h a call for help is retried every hour, until its alert ends")
  func givenUp() async throws {
    try await world.openAccount(responders: ["Bob"])
    _ = try await world.clients.alertClient.raise("")
    world.mailbox.answer { $0.stage == .alertOn ? .retry(reason: "busy", after: nil) : .sent }
    let monitor = world.monitor()
    await world.live(monitor, until: start + .hours(1))
    try await world.advance(to: start + .hours(23))
    await world.live(monitor, until: start + .hours(23) + .minutes(10))
    let attempts = world.mailbox.attempts.count
    #expect(attempts > 20)
    await world.live(monitor, until: start + .hours(24) + .minutes(10))
    #expect(world.mailbox.attempts.count > attempts)
    func call() async throws -> DeliveryState? {
      try await world.clients.alertClient.history(2)
        .first { $0.alert.kind == .manual }?.deliveries.first?.state
    }
    #expect(try await call() == .pending)
    let before = world.mailbox.attempts.count { $0.stage == .alertOn }
    try await world.advance(to: start + .hours(25))
    await world.live(monitor, until: start + .hours(28))
    let hourly = world.mailbox.attempts.count { $0.stage == .alertOn } - before
    #expect((2...4).contains(hourly), "\(hourly)")
    _ = try await world.clients.alertClient.cancel()
    await world.live(monitor, until: start + .hours(28) + .minutes(1))
    #expect(try await call() == .cancelled)
  }

  @Test("ESC-3: an attempt with an unclear result is repeated with the same message ID")
  func ambiguous() async throws {
    try await world.openAccount(responders: ["Bob"])
    _ = try await world.clients.alertClient.raise("")
    world.mailbox.answer { $0.attempt == 1 ? .ambiguous(reason: "cut") : .sent }
    await world.live(world.monitor(), until: start + .seconds(130))
    #expect(Set(world.mailbox.attempts.map(\.messageID)).count == 1)
    #expect(world.mailbox.lines == ["alert_on Bob"])
  }

  @Test("CHK-6: a responder who may have been sent an alert is notified of its end")
  func ambiguousThenOver() async throws {
    try await world.openAccount(responders: ["Bob"])
    _ = try await world.clients.alertClient.raise("")
    world.mailbox.answer { $0.stage == .alertOn ? .ambiguous(reason: "cut") : .sent }
    await world.live(world.monitor(), until: start + .seconds(1))
    _ = try await world.clients.alertClient.cancel()
    await world.live(world.monitor(), until: start + .minutes(10))
    #expect(world.mailbox.lines == ["alert_off Bob"])
  }

  @Test("While mail isn't set up nothing is claimed and the app shows why; then all is sent")
  func notSetUp() async throws {
    try await world.openAccount(responders: ["Bob"])
    _ = try await world.clients.alertClient.raise("")
    let deliveryService = DeliveryService(
      readiness: { .init(kinds: [], problems: [.email: "mail is not set up"]) },
      deliver: world.mailbox.deliver)
    await world.live(world.monitor(deliveryService: deliveryService), until: start + .minutes(5))
    #expect(world.mailbox.attempts.isEmpty)
    #expect(try await world.clients.watchClient.status().problem == "mail is not set up")
    await world.live(world.monitor(), until: world.now + .seconds(15))
    #expect(world.mailbox.lines == ["alert_on Bob"])
    #expect(world.mailbox.attempts.map(\.attempt) == [1])
  }

  @Test("The log reports once that mail can't be sent, and once that it can again")
  func deliveryProblem() async throws {
    let readiness = Mutex(DeliveryService.Readiness())
    let monitor = world.monitor(
      deliveryService: DeliveryService(
        readiness: { readiness.withLock { $0 } }, deliver: world.mailbox.deliver))
    var schedule = MonitorTurns(loop: monitor)
    let broken = DeliveryService.Readiness(problems: [.email: "mail is not set up"])
    for next in [broken, broken, .init(), .init(notice: "an old file"), .init()] {
      readiness.withLock { $0 = next }
      _ = await schedule.next()
    }
    #expect(
      world.log.lines == [
        "warning: cannot send: mail is not set up", "info: can send again",
        "warning: settings not applied: an old file",
      ])
  }

  @Test("A problem that doesn't block sending is shown, and everything is sent")
  func problemOnly() async throws {
    try await world.openAccount(responders: ["Bob"])
    _ = try await world.clients.alertClient.raise("")
    let deliveryService = DeliveryService(
      readiness: { .init(problems: [.email: "config.json5 is broken"]) },
      deliver: world.mailbox.deliver)
    await world.live(world.monitor(deliveryService: deliveryService), until: start + .seconds(5))
    #expect(world.mailbox.lines == ["alert_on Bob"])
    #expect(try await world.clients.watchClient.status().problem == "config.json5 is broken")
  }

  @Test("A monitor that is to run only if there is no other leaves when another is running")
  func ifNone() async throws {
    let (first, second) = (world.monitor(), world.monitor())
    #expect(try await first.joinIfNone())
    #expect(try await !second.joinIfNone())
    #expect(try await world.clients.watchClient.status().monitors == 1)
    await first.resign()
    #expect(try await second.joinIfNone())
  }

  @Test("--once returns how many messages were sent and why the others were not")
  func round() async throws {
    try await world.openAccount()
    #expect(await world.monitor().runOnce() == .init())
    _ = try await world.clients.alertClient.raise("")
    world.mailbox.answer {
      $0.recipientName == "Bob" ? .retry(reason: "busy", after: nil) : .sent
    }
    #expect(await world.monitor().runOnce() == .init(sent: 1, problems: ["busy"]))
    #expect(await world.monitor().runOnce() == .init())
    let deliveryService = DeliveryService(
      readiness: { .init(kinds: [], problems: [.email: "mail is not set up"]) },
      deliver: world.mailbox.deliver)
    try await world.advance(to: start + .seconds(1))
    let round = await world.monitor(deliveryService: deliveryService).runOnce()
    #expect(round == .init(problems: ["mail is not set up"]))
    #expect(world.mailbox.attempts.count == 2)
  }

  @Test("ESC-6: an account that cannot be planned keeps nobody else from being notified")
  func failingAccount() async throws {
    try await world.openAccount(responders: ["Bob"])
    for name in ["Eve", "Fay"] {
      _ = try await world.platform.openFurtherAccount(.named(name, responders: ["Cyd"]))
    }
    let ada = try #require(try await world.clients.authClient.currentUserID())
    var store = world.clients.monitorClient
    let apply = store.apply
    store.apply = { (plans, now) async throws(StorageError) in
      let results = try await apply(plans.filter { $0.account != ada }, now)
      var others = results.makeIterator()
      return plans.map { plan in
        plan.account == ada
          ? .failure(.serialization("a row with impossible values")) : others.next()!
      }
    }
    try await world.advance(to: world.deadline)
    await world.live(world.monitor(store), until: world.deadline + .minutes(16))
    #expect(
      world.mailbox.lines.filter { !$0.hasPrefix("contact_added") } == [
        "non_responsive Cyd", "non_responsive Cyd",
      ])
    let complaints = world.log.lines.count { $0.hasSuffix("could not be planned: SERIALIZATION") }
    #expect(complaints == 1)
  }

  @Test("A store that is busy for five minutes is tried again less and less often")
  func failingStore() async throws {
    try await world.openAccount(responders: ["Bob"])
    _ = try await world.clients.alertClient.raise("")
    var store = world.clients.monitorClient
    let due = store.due
    let clock = world.clock
    store.due = { (now, limit) async throws(StorageError) in
      if clock.offset < 300 { throw .busy }
      return try await due(now, limit)
    }
    await world.live(world.monitor(store), until: start + .minutes(6))
    #expect(world.mailbox.lines == ["alert_on Bob"])
    let failures = world.log.lines.count { $0.contains("STORE_BUSY") }
    #expect((5...20).contains(failures))
  }

  @Test(
    "ESC-3: a sent message that can't be recorded on a full disk is recorded once there is room")
  func failingRecord() async throws {
    try await world.openAccount(responders: ["Bob"])
    _ = try await world.clients.alertClient.raise("")
    var store = world.clients.monitorClient
    let record = store.record
    let clock = TurnClock()
    store.record = { (id, token, outcome, retryAt, now) async throws(StorageError) in
      if clock.now.offset < .seconds(20) { throw .full }
      return try await record(id, token, outcome, retryAt, now)
    }
    let monitor = MonitorLoop(
      id: UUID(), store: store, deliveryService: world.mailbox.deliveryService,
      dateClient: .constant(start), clock: clock,
      random: WithRandomNumberGenerator(SplitMix64(seed: 1)))
    #expect(await monitor.runOnce() == .init(sent: 1))
    #expect(world.mailbox.attempts.count == 1)
    #expect(try await world.clients.alertClient.history(1)[0].deliveries[0].state == .sent)
  }

  @Test("ESC-5: a jump of the wall clock is logged, a normal hour is not")
  func jump() async throws {
    let clock = world.clock
    let jump = Jump()
    let monitor = MonitorLoop(
      id: UUID(), store: world.clients.monitorClient,
      deliveryService: world.mailbox.deliveryService,
      dateClient: DateClient(now: { start + clock.offset + jump.seconds }, calendar: .utc),
      clock: clock,
      random: WithRandomNumberGenerator(SplitMix64(seed: 1)), log: world.log.monitorLog)
    var schedule = MonitorTurns(loop: monitor)
    _ = await schedule.next()
    await clock.advance(by: .seconds(3_600))
    _ = await schedule.next()
    #expect(!world.log.lines.contains { $0.contains("jumped") })
    jump.seconds = -10_800
    _ = await schedule.next()
    #expect(world.log.lines.contains { $0.contains("the wall clock jumped by -10800 s") })
  }
}

/// The error of a wall clock, in seconds.
final class Jump: Sendable {
  private let value = Mutex(0.0)
  var seconds: Double {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}
