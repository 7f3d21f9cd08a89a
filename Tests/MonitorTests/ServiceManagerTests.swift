import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import SQLite
import Synchronization
import Testing

@testable import Monitor

/// The loop's messages to a service manager, and their timing.
@MainActor @Suite struct ServiceManagerTests {
  let world = World()
  let words = ManagerMessages()

  private func monitor(
    _ store: MonitorClient? = nil, timeout: Duration? = .seconds(8)
  ) -> MonitorLoop<TestClock> {
    world.monitor(store, upkeep: world.clients.upkeepClient, service: words.manager(timeout))
  }

  /// Lets the loop sleep and wake `turns` times.
  private func pass(_ duration: Duration, turns: Int) async {
    for _ in 0..<turns {
      await world.clock.waitForSleeps()
      await world.clock.advance(by: duration)
    }
    await world.clock.waitForSleeps()
  }

  @Test("A monitor is ready after its first turn and resets the watchdog at half its time limit")
  func signsOfLife() async throws {
    try await world.openAccount()
    let monitor = monitor()
    let task = Task { await monitor.run() }
    await world.clock.waitForSleeps()
    #expect(words.all.first == [.ready, .watchdog, .status("watching 1 account, 0 waiting")])
    let before = words.watchdogCount
    await pass(.seconds(4), turns: 5)
    #expect(words.watchdogCount >= before + 5)
    #expect(words.all.joined().count { $0 == .ready } == 1)
    task.cancel()
    await task.value
    #expect(words.all.last == [.stopping, .status("finishing what is being sent")])
  }

  @Test("The status for systemd shows the numbers watched and waiting, and no name")
  func status() async throws {
    try await world.openAccount(responders: ["Bob", "Cyd"])
    _ = try await world.platform.openFurtherAccount(.named("Dan", responders: []))
    world.mailbox.answer { _ in .retry(reason: "busy", after: .hours(1)) }
    // Messages about alerts aren't counted, since a silent alert must leave no trace (DUR-1).
    _ = try await world.clients.alertClient.raise("Stuck")
    _ = try await world.clients.contactsClient.add(
      ContactDraft(
        name: "Eve", channels: [ChannelDraft(.email, "eve@example.org")], roles: .responder))
    let monitor = monitor()
    let task = Task { await monitor.run() }
    await pass(.seconds(4), turns: 6)
    #expect(words.all.joined().contains(.status("watching 2 accounts, 1 waiting")))
    let text = words.all.joined().map(\.text).joined()
    #expect(!["Ada", "Bob", "Stuck"].contains { text.contains($0) })
    task.cancel()
    await task.value
  }

  @Test("The status for systemd shows if messages can't be sent", arguments: [true, false])
  func problem(isBlocking: Bool) async throws {
    try await world.openAccount()
    let deliveryService = DeliveryService(
      readiness: { .init(problems: isBlocking ? [.email: "no password"] : [:], notice: "no TLS") },
      deliver: { _ in .sent })
    let monitor = world.monitor(
      deliveryService: deliveryService, upkeep: world.clients.upkeepClient,
      service: words.manager(nil))
    let task = Task { await monitor.run() }
    await world.clock.waitForSleeps()
    let line = "watching 1 account, 0 waiting" + (isBlocking ? ", cannot send" : "")
    #expect(words.all.joined().contains(.status(line)))
    task.cancel()
    await task.value
  }

  @Test("A monitor whose store hangs sends systemd nothing")
  func hangs() async throws {
    try await world.openAccount()
    var store = world.clients.monitorClient
    let due = store.due
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let (entered, enter) = AsyncStream.makeStream(of: Void.self)
    let isHanging = Flag()
    store.due = { (now, limit) async throws(StorageError) in
      if isHanging.value {
        enter.yield()
        for await _ in gate { break }
      }
      return try await due(now, limit)
    }
    let monitor = monitor(store)
    let task = Task { await monitor.run() }
    await world.clock.waitForSleeps()
    isHanging.value = true
    // A turn may be running that doesn't sleep yet, so let time pass until the next one.
    let passing = Task {
      while !Task.isCancelled {
        await world.clock.advance(by: .seconds(4))
        await Task.yield()
      }
    }
    for await _ in entered { break }
    passing.cancel()
    await passing.value
    let before = words.all.count
    await world.clock.advance(by: .seconds(600))
    #expect(words.all.count == before)
    isHanging.value = false
    open.finish()
    await world.clock.waitForSleeps()
    #expect(words.all.count > before)
    task.cancel()
    await task.value
  }

  @Test("A monitor whose store fails isn't ready and resets no watchdog until the store works")
  func fails() async throws {
    try await world.openAccount()
    var store = world.clients.monitorClient
    let due = store.due
    let isFailing = Flag(true)
    store.due = { (now, limit) async throws(StorageError) in
      if isFailing.value { throw .unknown("disk I/O error") }
      return try await due(now, limit)
    }
    let monitor = monitor(store)
    let task = Task { await monitor.run() }
    await pass(.seconds(4), turns: 4)
    #expect(words.all.isEmpty)
    isFailing.value = false
    await pass(.seconds(4), turns: 1)
    #expect(words.all.first?.prefix(2) == [.ready, .watchdog])
    task.cancel()
    await task.value
  }

  @Test("Without a watchdog limit the monitor still sends systemd a sign of life")
  func noPatience() async throws {
    try await world.openAccount()
    let monitor = monitor(timeout: nil)
    let task = Task { await monitor.run() }
    await world.clock.waitForSleeps()
    #expect(words.watchdogCount >= 1)
    #expect(monitor.service?.longestSilence == nil)
    task.cancel()
    await task.value
  }

  @Test("A status with line breaks is sent to systemd as one line")
  func oneLine() {
    #expect(ServiceManager.Notification.status("a\nREADY=1\r\nb").text == "STATUS=a READY=1 b")
  }
}

/// Records the messages to a service manager.
final class ManagerMessages: Sendable {
  private let contents = Mutex<[[ServiceManager.Notification]]>([])
  var all: [[ServiceManager.Notification]] { contents.withLock { $0 } }
  /// The number of watchdog messages.
  var watchdogCount: Int { all.joined().count { $0 == .watchdog } }

  func manager(_ timeout: Duration?) -> ServiceManager {
    ServiceManager(timeout: timeout) { [self] words in contents.withLock { $0.append(words) } }
  }
}

final class Flag: Sendable {
  private let contents: Mutex<Bool>
  init(_ value: Bool = false) { contents = Mutex(value) }
  var value: Bool {
    get { contents.withLock { $0 } }
    set { contents.withLock { $0 = newValue } }
  }
}
