import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import SQLite
import Synchronization
import Testing

@testable import Monitor

/// The loop as a running task.
@MainActor @Suite struct MonitorLoopTests {
  let world = World()

  @Test("A monitor wakes up for a change in the store and for a deadline")
  func wakes() async throws {
    try await world.openAccount(responders: ["Bob"])
    let monitor = world.monitor()
    let task = Task { await monitor.run() }
    await world.clock.waitForSleeps()
    _ = try await world.clients.alertClient.raise("")
    await world.mailbox.wait(for: 1)
    _ = try await world.clients.alertClient.cancel()
    await world.mailbox.wait(for: 2)
    #expect(world.mailbox.lines == ["alert_on Bob", "alert_off Bob"])
    // What isn't recorded yet would be sent again.
    while try await world.clients.alertClient.history(1)[0].deliveries
      .contains(where: { $0.state == .pending })
    {
      await Task.yield()
    }
    while world.mailbox.arrivals.count < 3 {
      await world.clock.waitForSleeps()
      await world.clock.advance(by: .seconds(600))
      await Task.yield()
    }
    #expect(world.mailbox.lines.last == "non_responsive Bob")
    task.cancel()
    await task.value
  }

  @Test("WCH-1: a running monitor counts as watching, and no longer after it has ended")
  func heartbeat() async throws {
    try await world.openAccount()
    let monitor = world.monitor()
    let task = Task { await monitor.run() }
    await world.clock.waitForSleeps()
    #expect(try await world.clients.watchClient.status().monitors == 1)
    task.cancel()
    await task.value
    #expect(try await world.clients.watchClient.status().monitors == 0)
    #expect(world.log.lines.last?.hasSuffix("ends") == true)
  }

  @Test(
    "WCH-1: a monitor that is stopped watches no more, but finishes and records its last message")
  func endsInGoodOrder() async throws {
    try await world.openAccount(responders: ["Bob"])
    _ = try await world.clients.alertClient.raise("")
    let (entered, enter) = AsyncStream.makeStream(of: Void.self)
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    world.mailbox.answer { _ in
      enter.yield()
      // Wait even in a cancelled task, like an attempt on its own thread.
      await Task { for await _ in gate { break } }.value
      return .sent
    }
    let monitor = world.monitor()
    let task = Task { await monitor.run() }
    for await _ in entered { break }
    task.cancel()
    var monitors = 1
    for _ in 1...10_000 where monitors > 0 {
      monitors = try await world.clients.watchClient.status().monitors
    }
    #expect(monitors == 0)
    open.yield()
    await task.value
    #expect(world.mailbox.lines == ["alert_on Bob"])
    #expect(try await world.clients.alertClient.history(1)[0].deliveries[0].state == .sent)
  }

  @Test("ESC-6: a server that hangs on one message doesn't delay the other messages")
  func hangingServer() async throws {
    try await world.openAccount(responders: ["Bob", "Cyd", "Dan"])
    _ = try await world.clients.alertClient.raise("")
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    world.mailbox.answer { delivery in
      if delivery.recipientName == "Bob" { for await _ in gate { break } }
      return .sent
    }
    let monitor = world.monitor()
    let task = Task { await monitor.run() }
    await world.mailbox.wait(for: 2)
    _ = try await world.clients.alertClient.cancel()
    await world.mailbox.wait(for: 4)
    #expect(Set(world.mailbox.lines.suffix(2)) == ["alert_off Cyd", "alert_off Dan"])
    open.finish()
    await world.mailbox.wait(for: 6)
    #expect(world.mailbox.lines.suffix(2) == ["alert_on Bob", "alert_off Bob"])
    task.cancel()
    await task.value
  }

  @Test("ESC-6: a server that hangs on all its messages doesn't delay other servers' messages")
  func stuckChannel() async throws {
    try await world.openAccount(responders: [])
    for number in 1...40 {
      let channels =
        number <= 20
        ? [ChannelDraft(.webhook, "https://stuck.example/\(number)")]
        : [ChannelDraft(.email, "bob@example.org")]
      _ = try await world.platform.openFurtherAccount(
        NewAccount(
          profile: Profile(name: "Ada"),
          responders: [ContactDraft(name: "Bob", channels: channels, roles: .responder)]))
    }
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let stuck = Stuck()
    world.mailbox.answer { delivery in
      guard delivery.channel == .webhook else { return .sent }
      stuck.begin()
      for await _ in gate { break }
      return .sent
    }
    let monitor = world.monitor()
    let start = world.now
    let task = Task { await monitor.run() }
    await world.mailbox.wait(for: 20)
    // No time has passed, and only as many as one destination is allowed have been tried.
    #expect(world.now == start)
    #expect(stuck.count <= 8)
    #expect(world.mailbox.arrivals.count == 20)
    open.finish()
    await world.mailbox.wait(for: 40)
    #expect(stuck.count == 20)
    task.cancel()
    await task.value
  }

  @Test("The app shows a mistake in the settings until it is fixed")
  func misconfigured() async throws {
    try await world.openAccount(responders: ["Bob"])
    _ = try await world.clients.alertClient.raise("")
    world.mailbox.answer {
      $0.attempt == 1 ? .misconfigured(reason: "wrong password") : .sent
    }
    let monitor = world.monitor()
    let task = Task { await monitor.run() }
    for try await status in world.clients.watchClient.observe()
    where status.problem == "wrong password" { break }
    while world.mailbox.arrivals.isEmpty {
      await world.clock.waitForSleeps()
      await world.clock.advance(by: .seconds(5))
      await Task.yield()
    }
    for try await status in world.clients.watchClient.observe() where status.problem == nil {
      break
    }
    task.cancel()
    await task.value
  }
}

/// Counts the messages sent to a server that hangs.
private final class Stuck: Sendable {
  private let contents = Mutex(0)
  var count: Int { contents.withLock { $0 } }
  func begin() { contents.withLock { $0 += 1 } }
}
