import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import SQLite
import Synchronization
import Testing

@testable import Monitor

/// Faults while a monitor notifies people from memory, and after the store is back.
@MainActor @Suite struct FallbackMonitorFaultTests {
  let world = World()
  let refusal = Refusal()
  var graceEnd: Date { world.deadline + .minutes(15) }

  private func monitor(
    deliveryService: DeliveryService? = nil,
    changing change: (inout FallbackClient) -> Void = { _ in }
  ) -> MonitorLoop<TestClock> {
    var fallback = refusal.fallback(world.clients.fallbackClient)
    change(&fallback)
    return world.monitor(
      refusal.store(world.clients.monitorClient), deliveryService: deliveryService,
      fallback: fallback)
  }

  /// Runs turns until there is something to send from memory, without sending it.
  private func begun(by schedule: inout MonitorTurns<TestClock>) async -> [ClaimedDelivery] {
    for _ in 0..<100 {
      let begun = await schedule.next()
      if !begun.isEmpty { return begun }
      await world.clock.advance(by: .seconds(5))
    }
    return []
  }

  // MARK: Reading

  @Test(
    "ESC-6: an unreadable message doesn't hold up the others", arguments: ["Bob", "Cyd"])
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

  @Test("ESC-1: if the store locks between two messages, both still go out, once")
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

  @Test(
    "ESC-6: messages waiting on a broken channel don't hold up other accounts' messages")
  func brokenKind() async throws {
    try await world.openAccount(responders: ["Bob"])
    for _ in 0..<120 {
      _ = try await world.platform.openFurtherAccount(.named("Person", responders: ["Cyd"]))
    }
    for _ in 0..<2 { try await world.clients.notifyResponders(at: world.now) }
    try await world.advance(to: start + .minutes(1))
    _ = try await world.platform.openFurtherAccount(
      NewAccount(
        profile: Profile(name: "Dee"),
        responders: [
          ContactDraft(
            name: "Zoe", channels: [ChannelDraft(.ntfy, "https://ntfy.example.org/zoe")],
            roles: .responder)
        ]))
    for _ in 0..<2 { try await world.clients.notifyResponders(at: world.now) }
    // After a gap, every account is planned again.
    await world.sleep(until: start + .hours(1))
    let deliveryService = DeliveryService(readiness: { .init(kinds: [.ntfy]) }) {
      [mailbox = world.mailbox] in
      await mailbox.deliver($0)
    }
    let monitor = monitor(deliveryService: deliveryService)
    try await world.advance(to: graceEnd - .seconds(30))
    await world.live(monitor, until: graceEnd - .seconds(20))
    refusal.begin()
    await world.live(monitor, until: graceEnd + .minutes(2))
    #expect(world.mailbox.lines == ["non_responsive Zoe"])
  }

  @Test(
    "ESC-1: if the store can't be read, a monitor notifies the responders it knows, once",
    arguments: [StorageError.corrupt(detail: "x"), .unknown("disk I/O error")])
  func nothingReadable(_ error: StorageError) async throws {
    try await world.openAccount()
    let isGone = Mutex(false)
    let monitor = monitor { lose(&$0, error) { isGone.withLock { $0 } } }
    await world.live(monitor, until: world.deadline)
    refusal.begin(error)
    isGone.withLock { $0 = true }
    await world.live(monitor, until: graceEnd + .minutes(20))
    #expect(world.mailbox.lines.sorted() == ["non_responsive Bob", "non_responsive Cyd"])
    // The store learns it when it is back.
    refusal.end()
    isGone.withLock { $0 = false }
    await world.live(monitor, until: graceEnd + .minutes(40))
    #expect(world.mailbox.arrivals.count == 2)
    let report = try await world.clients.alertClient.history(1)[0]
    #expect(report.deliveries.map(\.state) == [.sent, .sent])
  }

  /// Lets nothing of the store be read any more once it is gone.
  private func lose(
    _ fallback: inout FallbackClient, _ error: StorageError,
    once isGone: @escaping @Sendable () -> Bool
  ) {
    let client = fallback
    let pass: @Sendable () throws(StorageError) -> Void = {
      () throws(StorageError) in if isGone() { throw error }
    }
    fallback.waiting = { (now, offset, limit) async throws(StorageError) in
      try pass()
      return try await client.waiting(now, offset, limit)
    }
    fallback.account = { (id) async throws(StorageError) in
      try pass()
      return try await client.account(id)
    }
    fallback.equip = { (message, now) async throws(StorageError) in
      try pass()
      return try await client.equip(message, now)
    }
  }

  @Test("CHN-2: with the store unreadable, a refused login is retried with one message at a time")
  func refusedLogin() async throws {
    try await world.openAccount(responders: ["Bob", "Cyd", "Dan"])
    world.mailbox.answer { _ in .accessRefused(reason: "535 no", scope: .login) }
    let service = DeliveryService(
      mailRoute: { MailRoute(key: "route", server: "mail.example.org") },
      deliver: { [mailbox = world.mailbox] in await mailbox.deliver($0) })
    let isGone = Mutex(false)
    let monitor = monitor(deliveryService: service) {
      lose(&$0, .unknown("disk I/O error")) { isGone.withLock { $0 } }
    }
    await world.live(monitor, until: world.deadline)
    refusal.begin(.unknown("disk I/O error"))
    isGone.withLock { $0 = true }
    // Two try a login that isn't known to work; then one after 5 minutes, and one 10 later.
    await world.live(monitor, until: graceEnd + .minutes(5))
    #expect(world.mailbox.attempts.count == 2)
    await world.live(monitor, until: graceEnd + .minutes(15))
    #expect(world.mailbox.attempts.count == 3)
    await world.live(monitor, until: graceEnd + .minutes(16))
    #expect(world.mailbox.attempts.count == 4)
  }

  @Test("ESC-6: a monitor watches from memory an account that a damaged store no longer returns")
  func unreadableAccount() async throws {
    try await world.openAccount(responders: ["Bob"])
    let other = try await world.platform.openFurtherAccount(.named("Dee", responders: ["Zoe"]))
    for _ in 0..<2 { try await world.clients.notifyResponders(at: world.now) }
    let isDamaged = Mutex(false)
    var upkeep = UpkeepClient()
    upkeep.load = { () async throws(StorageError) in WatchLoad(accounts: 2, pendingMessages: 0) }
    upkeep.backUp = { _ async throws(StorageError) in .notNeeded }
    upkeep.inspect = { _ async throws(StorageError) in
      isDamaged.withLock { $0 } ? .damaged(fault: "x") : .whole(isLast: true)
    }
    var store = world.clients.monitorClient
    let due = store.due
    store.due = { (now, limit) async throws(StorageError) in
      let accounts = try await due(now, limit)
      return isDamaged.withLock { $0 } ? accounts.filter { $0.user.id == other.id } : accounts
    }
    var fallback = world.clients.fallbackClient
    let account = fallback.account
    fallback.account = { (id) async throws(StorageError) in
      if isDamaged.withLock({ $0 }), id != other.id { throw .corrupt(detail: "x") }
      return try await account(id)
    }
    let monitor = world.monitor(store, upkeep: upkeep, fallback: fallback)
    await world.live(monitor, until: world.deadline)
    isDamaged.withLock { $0 = true }
    if let inspection = monitor.inspection, inspection.claimInspection(isSuspicious: true) {
      _ = await inspection.inspect(at: { [clock = world.clock] in start + clock.offset })
    }
    #expect(monitor.inspection?.damage == "x")
    await world.live(monitor, until: graceEnd + .minutes(20))
    #expect(world.mailbox.lines.sorted() == ["non_responsive Bob", "non_responsive Zoe"])
  }

  // MARK: Recovery of the store

  @Test("CHK-6: an alert left over from a past outage isn't sent in the next one")
  func pastOutage() async throws {
    try await world.openAccount(responders: ["Bob"])
    let monitor = monitor()
    await world.live(monitor, until: world.deadline)
    refusal.begin()
    await world.sleep(until: graceEnd)
    var schedule = MonitorTurns(loop: monitor)
    let begun = await begun(by: &schedule)
    try #require(begun.map(\.stage) == [.nonResponsive])
    _ = try await world.clients.checkInClient.checkIn(.manual)
    refusal.end()
    await world.clock.advance(by: .seconds(11))
    #expect(await schedule.next().isEmpty)
    #expect(try await world.clients.alertClient.history(1)[0].alert.isActive == false)
    world.mailbox.answer { _ in .retry(reason: "busy", after: nil) }
    #expect(await monitor.send(begun[0]).outcome.reason == "busy")
    world.mailbox.answer { _ in .sent }
    await world.live(monitor, until: graceEnd + .hours(1))
    refusal.begin()
    _ = try await world.clients.alertClient.raise("")
    await world.live(monitor, until: graceEnd + .minutes(90))
    #expect(world.mailbox.lines == ["alert_on Bob"])
  }

  @Test("ESC-3: a message sent while the store takes over its record isn't sent again")
  func sentMeanwhile() async throws {
    try await world.openAccount(responders: ["Bob"])
    let duringAdoption = Mutex<(@Sendable () async -> Void)?>(nil)
    let monitor = monitor { fallback in
      let adopt = fallback.adopt
      fallback.adopt = { (memory) async throws(StorageError) in
        try await adopt(memory)
        let work = duringAdoption.withLock { work in
          defer { work = nil }
          return work
        }
        await work?()
      }
    }
    let second = try await secondAttempt(of: monitor)
    duringAdoption.withLock { $0 = { await monitor.send(second) } }
    refusal.end()
    await world.live(monitor, until: graceEnd + .minutes(30))
    #expect(world.mailbox.lines == ["non_responsive Bob"])
    #expect(world.mailbox.attempts.map(\.attempt) == [1, 2])
    let report = try await world.clients.alertClient.history(1)[0]
    #expect(report.deliveries.map(\.state) == [.sent])
  }

  @Test(
    "CHN-2: while a second attempt is under way from memory, the store doesn't send the message")
  func attempts() async throws {
    try await world.openAccount(responders: ["Bob"])
    let monitor = monitor()
    let second = try await secondAttempt(of: monitor)
    refusal.end()
    var schedule = MonitorTurns(loop: monitor)
    for _ in 0..<5 {
      await world.clock.advance(by: .seconds(11))
      for claimed in await schedule.next() {
        #expect(await monitor.send(claimed).outcome.reason == "it is on its way already")
      }
    }
    world.mailbox.answer { _ in .retry(reason: "busy", after: nil) }
    await monitor.send(second)
    world.mailbox.answer { _ in .sent }
    #expect(world.log.lines.count { $0.contains("can be written again") } == 1)
    await world.live(monitor, until: graceEnd + .minutes(50))
    #expect(world.mailbox.lines == ["non_responsive Bob"])
  }

  /// Loses the answer to a call's first attempt in an outage and begins the second attempt.
  private func secondAttempt(of monitor: MonitorLoop<TestClock>) async throws -> ClaimedDelivery {
    await world.live(monitor, until: world.deadline)
    refusal.begin()
    await world.sleep(until: graceEnd)
    var schedule = MonitorTurns(loop: monitor)
    let first = await begun(by: &schedule)
    try #require(first.map(\.stage) == [.nonResponsive])
    world.mailbox.answer { _ in .ambiguous(reason: "lost") }
    #expect(await monitor.send(first[0]).outcome.reason == "lost")
    world.mailbox.answer { _ in .sent }
    let second = await begun(by: &schedule)
    try #require(second.map(\.attempt) == [2])
    return second[0]
  }
}
