import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import InMemoryPlatform
import Synchronization
import Testing

@testable import Monitor

/// What may go wrong while people are told from memory, and when the store is back.
@MainActor @Suite struct MemoryWatchFaultTests {
  let world = World()
  let refusal = Refusal()
  var graceEnd: Date { world.deadline + .minutes(15) }

  private func monitor(
    courier: Courier? = nil, changing change: (inout FallbackClient) -> Void = { _ in }
  ) -> MonitorLoop<TestClock> {
    var fallback = refusal.fallback(world.clients.fallbackClient)
    change(&fallback)
    return world.monitor(
      refusal.store(world.clients.monitorClient), courier: courier, fallback: fallback)
  }

  // MARK: Reading

  @Test(
    "ESC-6: a message that cannot be read holds up no other", arguments: ["Bob", "Cyd"])
  func unreadable(_ name: String) async throws {
    try await world.openAccount()
    let address = "\(name.lowercased())@example.org"
    let monitor = monitor { fallback in
      let equip = fallback.equip
      fallback.equip = { (message, now) async throws(StorageError) in
        if message.address == address { throw .serialization("“detail” holds an impossible value") }
        return try await equip(message, now)
      }
    }
    await world.live(monitor, until: world.deadline)
    refusal.begin()
    await world.live(monitor, until: graceEnd + .minutes(5))
    let other = name == "Bob" ? "Cyd" : "Bob"
    #expect(world.mailbox.lines == ["non_responsive \(other)"])
    let told = world.log.lines.count { $0.contains("could not be read: ") }
    #expect((20...30).contains(told))
    refusal.end()
    await world.live(monitor, until: graceEnd + .minutes(10))
    #expect(world.mailbox.lines.sorted() == ["non_responsive Bob", "non_responsive Cyd"])
  }

  @Test("ESC-1: what was begun goes out though the store is locked before the next is read")
  func locked() async throws {
    try await world.openAccount()
    let calls = Mutex(0)
    let monitor = monitor { fallback in
      let equip = fallback.equip
      fallback.equip = { (message, now) async throws(StorageError) in
        let isSecond = calls.withLock { calls in
          calls += 1
          return calls == 2
        }
        if isSecond { throw .busy }
        return try await equip(message, now)
      }
    }
    await world.live(monitor, until: world.deadline)
    refusal.begin()
    await world.live(monitor, until: graceEnd + .minutes(1))
    #expect(world.mailbox.lines.sorted() == ["non_responsive Bob", "non_responsive Cyd"])
    refusal.end()
    await world.live(monitor, until: graceEnd + .minutes(5))
    #expect(world.mailbox.arrivals.count == 2)
  }

  @Test("ESC-6: a kind of channel that does not work keeps nobody behind a page from being told")
  func brokenKind() async throws {
    try await world.openAccount(responders: ["Bob"])
    for _ in 0..<120 {
      _ = try world.platform.openFurtherAccount(.named("Person", responders: ["Cyd"]))
    }
    for _ in 0..<2 { try await world.clients.tellResponders(at: world.now) }
    try await world.advance(to: start + .minutes(1))
    _ = try world.platform.openFurtherAccount(
      NewAccount(
        profile: Profile(name: "Dee"),
        responders: [
          ContactDraft(
            name: "Zoe", channels: [ChannelDraft(.ntfy, "https://ntfy.example.org/zoe")],
            roles: .responder)
        ]))
    for _ in 0..<2 { try await world.clients.tellResponders(at: world.now) }
    // After a gap everybody is looked at afresh.
    await world.sleep(until: start + .hours(1))
    let courier = Courier(readiness: { .init(kinds: [.ntfy]) }) { [mailbox = world.mailbox] in
      await mailbox.deliver($0)
    }
    let monitor = monitor(courier: courier)
    try await world.advance(to: graceEnd - .seconds(30))
    await world.live(monitor, until: graceEnd - .seconds(20))
    refusal.begin()
    await world.live(monitor, until: graceEnd + .minutes(2))
    #expect(world.mailbox.lines == ["non_responsive Zoe"])
  }
}
