import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Synchronization
import Testing

@testable import Monitor

/// Attempts that take minutes, because a server is slow.
@MainActor @Suite struct SlowServerTests {
  let world = World()

  @Test("ESC-6: 64 messages that hang on slow servers leave room for other messages after 10 s")
  func room() async throws {
    let slow = (0..<72).map { number in
      ContactDraft(
        name: "Slow\(number)",
        channels: [ChannelDraft(.webhook, "https://slow\(number / 8).example.org/\(number)")],
        roles: .responder)
    }
    let bob = ContactDraft(name: "Zoe", email: "zoe@example.org", roles: .responder)
    _ = try await world.clients.authClient.createAccount(
      NewAccount(profile: Profile(name: "Ada"), responders: slow + [bob]))
    try await world.clients.notifyResponders(at: world.now)
    _ = try await world.clients.alertClient.raise("")
    let sends = Sends()
    var schedule = MonitorTurns(loop: world.monitor())
    let first = await schedule.next()
    #expect(first.count == 64)
    for delivery in first { sends.begin(delivery, at: .zero) }
    #expect(await schedule.next(sends.load(slowSince: .seconds(-10))).isEmpty)
    #expect(schedule.pause <= .seconds(10))
    await world.clock.advance(by: .seconds(10))
    let second = await schedule.next(sends.load(slowSince: .zero))
    #expect(second.count == 9 && second.contains { $0.recipientName == "Zoe" })
  }

  @Test("ESC-3: an attempt of five minutes keeps its claim, and no other monitor sends the message")
  func renewal() async throws {
    try await world.openAccount(responders: ["Bob"])
    _ = try await world.clients.alertClient.raise("")
    let clock = world.clock
    world.mailbox.answer { _ in
      try? await clock.sleep(for: .seconds(300))
      return .sent
    }
    let renewals = Mutex(0)
    let healthy = world.clients.monitorClient
    var store = healthy
    store.renew = { (id, token, end) async throws(StorageError) in
      let isHeld = try await healthy.renew(id, token, end)
      renewals.withLock { $0 += 1 }
      return isHeld
    }
    let monitor = world.monitor(store)
    var schedule = MonitorTurns(loop: monitor)
    let claimed = try #require(await schedule.next().first)
    let sending = Task { await monitor.send(claimed).outcome }
    var other = MonitorTurns(loop: world.monitor())
    let third = monitor.pace.lease.seconds / 3
    for number in 0..<300 / third {
      // The attempt and the next renewal.
      await clock.waitForSleeps(2)
      #expect(renewals.withLock { $0 } == number)
      #expect(await other.next().isEmpty)
      await clock.advance(by: .seconds(third))
    }
    #expect(await sending.value == .sent)
    let report = try await world.clients.alertClient.history(1)[0].deliveries[0]
    #expect(report.state == .sent && world.mailbox.attempts.count == 1)
  }

  @Test("ESC-3: an attempt whose message another monitor has claimed is cancelled")
  func lost() async throws {
    try await world.openAccount(responders: ["Bob"])
    _ = try await world.clients.alertClient.raise("")
    let clock = world.clock
    let isWaiting = Mutex(false)
    world.mailbox.answer { _ in
      isWaiting.withLock { $0 = true }
      let wasStopped = (try? await clock.sleep(for: .seconds(600))) == nil
      return wasStopped ? .retry(reason: "stopped", after: nil) : .sent
    }
    var store = world.clients.monitorClient
    store.renew = { (_, _, _) async throws(StorageError) in false }
    let monitor = world.monitor(store)
    var schedule = MonitorTurns(loop: monitor)
    let claimed = try #require(await schedule.next().first)
    let outcome = Mutex<DeliveryOutcome?>(nil)
    let sending = Task {
      let result = await monitor.send(claimed).outcome
      outcome.withLock { $0 = result }
    }
    // The attempt and the renewal.
    await clock.waitForSleeps(2)
    await clock.advance(by: .seconds(monitor.pace.lease.seconds / 3))
    await sending.value
    #expect(isWaiting.withLock { $0 })
    #expect(outcome.withLock { $0 } == .retry(reason: "stopped", after: nil))
  }

  @Test("CHN-2: a drill whose message keeps failing ends after 2 minutes with that message failed")
  func drill() async throws {
    try await world.openAccount(responders: ["Bob", "Cyd"])
    _ = try await world.clients.alertClient.drill()
    world.mailbox.answer {
      $0.recipientName == "Bob" ? .sent : .retry(reason: "busy", after: nil)
    }
    await world.live(world.monitor(), until: start + .minutes(2) + .seconds(30))
    let report = try await world.clients.alertClient.history(1)[0]
    #expect(!report.alert.isActive)
    let cyd = try #require(report.deliveries.first { $0.recipient == "Cyd" })
    #expect(cyd.state == .failed && cyd.error == "busy")
  }

  @Test("CHN-2: a drill that no channel can send ends after 2 minutes with its message failed")
  func drillNobodyTakes() async throws {
    try await world.openAccount(responders: ["Bob"])
    _ = try await world.clients.alertClient.drill()
    let monitor = world.monitor(
      deliveryService: DeliveryService(readiness: { .init(kinds: []) }) { _ in .sent })
    await world.live(monitor, until: start + .minutes(3))
    let report = try await world.clients.alertClient.history(1)[0]
    #expect(!report.alert.isActive && report.deliveries.map(\.state) == [.failed])
  }
}
