import Clients
import Composable
import ComposableFoundation
import ComposableTesting
import Domain
import FoundationEssentials
import Testing

@testable import Monitor

/// Several monitors, one of which has no network or was asleep (ESC-3).
@MainActor @Suite struct BackoffTests {
  let world = World()

  /// Two monitors that know of each other. The first has no network and has failed once to notify
  /// Bob.
  func afterFailure() async throws -> (cut: MonitorTurns<TestClock>, well: MonitorTurns<TestClock>)
  {
    try await world.openAccount(responders: ["Bob"])
    let cutOff = world.monitor(
      deliveryService: DeliveryService { _ in .retry(reason: "no network", after: nil) })
    var cut = MonitorTurns(loop: cutOff)
    var well = MonitorTurns(loop: world.monitor())
    _ = await cut.next()
    _ = await well.next()
    await world.clock.advance(by: .seconds(10))
    _ = await cut.next()
    _ = try await world.clients.alertClient.raise("")
    let claimed = await cut.next()
    #expect(claimed.map(\.stage) == [.alertOn])
    for delivery in claimed { await cutOff.send(delivery) }
    await world.clock.advance(by: .seconds(1))
    return (cut, well)
  }

  @Test("ESC-3: after a monitor without a network fails, another monitor makes the next attempt")
  func another() async throws {
    var (cut, well) = try await afterFailure()
    #expect(await cut.next().isEmpty)
    #expect(await well.next().map(\.attempt) == [2])
  }

  @Test("ESC-3: a monitor that failed tries again itself if no other monitor has after 5 s")
  func itself() async throws {
    var (cut, _) = try await afterFailure()
    #expect(await cut.next().isEmpty)
    #expect(cut.pause <= .seconds(1))
    await world.clock.advance(by: .seconds(5))
    #expect(await cut.next().map(\.attempt) == [2])
  }

  @Test(
    "ESC-3: for 5 s after a retry is due, a monitor that failed leaves that destination to others")
  func span() {
    let backoff = Backoff()
    let bob = Destination(kind: .email, address: "bob@example.org")
    backoff.note(bob, retryAt: start)
    func isHeld(after seconds: TimeInterval) -> Bool {
      var request = ClaimRequest(limit: 9)
      backoff.apply(to: &request, at: start + seconds)
      return request.busy[bob] == request.limitPerDestination
    }
    #expect([-1, 0, 4.999, 5].map(isHeld) == [false, true, true, false])
  }

  @Test("ESC-3: a monitor that slept past its claim claims the message again before sending it")
  func leaseOver() async throws {
    try await world.openAccount(responders: ["Bob"])
    let monitor = world.monitor()
    var schedule = MonitorTurns(loop: monitor)
    _ = try await world.clients.alertClient.raise("")
    let claimed = await schedule.next()
    await world.clock.advance(by: .seconds(90))
    for delivery in claimed { await monitor.send(delivery, until: schedule.leaseEnd) }
    #expect(world.mailbox.attempts.isEmpty)
    for delivery in await schedule.next() {
      await monitor.send(delivery, until: schedule.leaseEnd)
    }
    #expect(world.mailbox.lines == ["alert_on Bob"])
    #expect(world.mailbox.attempts.map(\.attempt) == [2])
  }

  @Test("ESC-4: a machine that sleeps past a deadline during a turn gives the person fresh grace")
  func sleepWithinTurn() async throws {
    try await world.openAccount(responders: ["Bob"])
    var store = world.clients.monitorClient
    let (healthy, clock) = (store, world.clock)
    store.heartbeat = { (id, now, lease, problem) async throws(StorageError) in
      let others = try await healthy.heartbeat(id, now, lease, problem)
      await clock.advance(by: .seconds(30 * 3_600))
      return others
    }
    let monitor = world.monitor(store)
    var schedule = MonitorTurns(loop: monitor)
    for delivery in await schedule.next() { await monitor.send(delivery) }
    #expect(world.mailbox.lines.isEmpty)
    #expect(try await world.clients.userClient.currentUser().graceFrom == world.now)
  }

  @Test("ESC-5: a heartbeat that arrives 5 minutes late doesn't undo another monitor's heartbeats")
  func stopWithinHeartbeat() async throws {
    try await world.openAccount(responders: ["Bob"])
    let other = UUID(700)
    var store = world.clients.monitorClient
    let (healthy, clock) = (store, world.clock)
    store.heartbeat = { (id, now, lease, problem) async throws(StorageError) in
      // Another monitor watches in the meantime.
      for _ in 0..<5 {
        await clock.advance(by: .seconds(60))
        _ = try await healthy.heartbeat(other, start + clock.offset, .minutes(10), nil)
      }
      return try await healthy.heartbeat(id, now, lease, problem)
    }
    _ = try await healthy.heartbeat(other, start, .minutes(10), nil)
    let monitor = world.monitor(store)
    #expect(try await monitor.beat(DeliveryService.Readiness()) == 1)
    // There was no gap in the watch, and the other monitor's lease is as long as before.
    let due = try await healthy.due(world.now + .days(30), 10)
    #expect(due.map(\.watchedSince) == [start])
    #expect(try await healthy.heartbeat(monitor.id, world.now + .minutes(9), .minutes(1), nil) == 1)
  }
}
