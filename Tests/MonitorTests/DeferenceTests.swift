import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Testing

@testable import Monitor

/// Several monitors, one of which has no network or has slept (ESC-3).
@MainActor @Suite struct DeferenceTests {
  let world = World()

  /// Two monitors that know of each other, the first of them without a network, after its first try
  /// to tell Bob.
  func afterFailure() async throws -> (cut: Turns<TestClock>, well: Turns<TestClock>) {
    try await world.openAccount(responders: ["Bob"])
    let cutOff = world.monitor(courier: Courier { _ in .retry(reason: "no network", after: nil) })
    var cut = Turns(loop: cutOff)
    var well = Turns(loop: world.monitor())
    _ = await cut.next()
    _ = await well.next()
    await world.clock.advance(by: .seconds(10))
    _ = await cut.next()
    _ = try await world.clients.alertClient.raise("")
    let claimed = await cut.next()
    #expect(claimed.map(\.stage) == [.alertOn])
    for delivery in claimed { _ = await cutOff.carry(delivery) }
    await world.clock.advance(by: .seconds(1))
    return (cut, well)
  }

  @Test("ESC-3: a monitor without a network leaves the next try to another one")
  func another() async throws {
    var (cut, well) = try await afterFailure()
    #expect(await cut.next().isEmpty)
    #expect(await well.next().map(\.attempt) == [2])
  }

  @Test("ESC-3: where the other one does not take it, it tries again itself")
  func itself() async throws {
    var (cut, _) = try await afterFailure()
    #expect(await cut.next().isEmpty)
    #expect(cut.pause <= .seconds(1))
    await world.clock.advance(by: .seconds(5))
    #expect(await cut.next().map(\.attempt) == [2])
  }

  @Test("ESC-3: a monitor that slept since it took a message does not send it")
  func leaseOver() async throws {
    try await world.openAccount(responders: ["Bob"])
    let monitor = world.monitor()
    var turns = Turns(loop: monitor)
    _ = try await world.clients.alertClient.raise("")
    let claimed = await turns.next()
    await world.clock.advance(by: .seconds(90))
    for delivery in claimed { _ = await monitor.carry(delivery, until: turns.leaseEnd) }
    #expect(world.mailbox.attempts.isEmpty)
    for delivery in await turns.next() { _ = await monitor.carry(delivery, until: turns.leaseEnd) }
    #expect(world.mailbox.lines == ["alert_on Bob"])
    #expect(world.mailbox.attempts.map(\.attempt) == [2])
  }

  @Test("ESC-4: a machine that sleeps in the middle of a turn has slept all the same")
  func sleepWithinTurn() async throws {
    try await world.openAccount(responders: ["Bob"])
    var store = world.clients.monitorClient
    let (heartbeat, clock) = (store.heartbeat, world.clock)
    store.heartbeat = { (id, now, lease, problem) async throws(StorageError) in
      let others = try await heartbeat(id, now, lease, problem)
      await clock.advance(by: .seconds(30 * 3_600))
      return others
    }
    let monitor = world.monitor(store)
    var turns = Turns(loop: monitor)
    for delivery in await turns.next() { _ = await monitor.carry(delivery) }
    #expect(world.mailbox.lines.isEmpty)
    #expect(try await world.clients.userClient.currentUser().graceFrom == world.now)
  }
}
