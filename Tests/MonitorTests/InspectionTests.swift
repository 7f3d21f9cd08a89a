import Clients
import Composable
import ComposableFoundation
import ComposableTesting
import Domain
import FoundationEssentials
import Synchronization
import Testing

@testable import Monitor

/// The continuous comparison of indexes with tables, and the reaction to a damaged store.
@MainActor @Suite struct InspectionTests {
  let world = World()
  let store = Inspected()

  private func inspection() -> Inspection<TestClock> {
    Inspection(client: store.upkeep, clock: world.clock, log: world.log.monitorLog)
  }

  private var now: @Sendable () -> Date {
    { [clock = world.clock] in start + clock.offset }
  }

  @Test("A monitor compares all rows with their indexes at the start, then every five minutes")
  func pace() async throws {
    let inspection = inspection()
    #expect(inspection.claimInspection())
    #expect(await inspection.inspect(at: now) == false)
    #expect(store.pieces == Inspected.round)
    var most = 0
    for _ in 0..<60 {
      await world.clock.advance(by: .seconds(10))
      let before = store.pieces
      if inspection.claimInspection() { _ = await inspection.inspect(at: now) }
      most = max(most, store.pieces - before)
    }
    #expect(store.pieces >= 3 * Inspected.round)
    // 1,000 pieces in 30 turns of 10 s.
    #expect((30...40).contains(most))
  }

  @Test(
    "A comparison is spread evenly over five minutes, also after one done without pauses",
    arguments: [false, true])
  func progress(isSuspicious: Bool) async throws {
    let inspection = inspection()
    for _ in 0...(isSuspicious ? 1 : 0) {
      #expect(inspection.claimInspection(isSuspicious: isSuspicious))
      #expect(!inspection.claimInspection(), "it runs")
      _ = await inspection.inspect(at: now)
    }
    let before = store.pieces
    #expect(inspection.claimInspection())
    _ = await inspection.inspect(at: now)
    #expect(store.pieces == before + 1)
    #expect(!inspection.claimInspection(), "it is as far as it should be")
    await world.clock.advance(by: .seconds(299))
    #expect(inspection.claimInspection())
    _ = await inspection.inspect(at: now)
    #expect(store.pieces == before + 997)
  }

  @Test("A damaged store is checked again after a minute, and one notice is sent at a time")
  func pauses() async {
    store.answer { _ in .damaged(fault: "page 7 is not used") }
    let inspection = inspection()
    _ = inspection.claimInspection()
    #expect(await inspection.inspect(at: now))
    await world.clock.advance(by: .seconds(59))
    #expect(!inspection.claimInspection())
    await world.clock.advance(by: .seconds(1))
    #expect(inspection.claimInspection())
    #expect(inspection.claimNotice() && !inspection.claimNotice())
    inspection.endNotice()
    #expect(inspection.claimNotice())
  }

  @Test("After the store fails, all its rows are compared at once")
  func suspicion() async throws {
    let inspection = inspection()
    _ = inspection.claimInspection()
    _ = await inspection.inspect(at: now)
    await world.clock.advance(by: .seconds(1))
    #expect(inspection.claimInspection(isSuspicious: true))
    _ = await inspection.inspect(at: now)
    #expect(store.pieces == 2 * Inspected.round)
  }

  @Test("A rebuilt index is logged, and all rows are compared once more")
  func rebuilt() async throws {
    store.answer { $0 == 5 ? .rebuilt(fault: "row 3 missing from index account_attention") : nil }
    let inspection = inspection()
    _ = inspection.claimInspection()
    #expect(await inspection.inspect(at: now))
    #expect(store.pieces == 5 + Inspected.round)
    #expect(
      world.log.lines == [
        "error: an index of the store was damaged and has been rebuilt: row 3 missing from index"
          + " account_attention"
      ])
  }

  @Test(
    "WCH-1: a damaged store stops the heartbeat until it is repaired; everyone is notified once")
  func damaged() async throws {
    try await world.openAccount(responders: ["Bob"])
    let isDamaged = Mutex(false)
    store.answer { _ in isDamaged.withLock { $0 } ? .damaged(fault: "page 7 is not used") : nil }
    let beats = Mutex(0)
    let mailbox = world.mailbox
    let deliveryService = DeliveryService(heartbeat: { _ in beats.withLock { $0 += 1 } }) {
      await mailbox.deliver($0)
    }
    let ended = Mutex(false)
    let message = ClaimedDelivery(
      id: UUID(77), token: UUID(78), attempt: 1, stage: .unwatched, recipient: .owner,
      recipientName: "Ada", channel: .email, address: "ada@example.org", plannedAt: world.now,
      user: .ada())
    let sent = Mutex<[UUID]>([])
    let unwatched = DamagedStoreClient(
      messages: { _ in [message] }, noteSent: { id in sent.withLock { $0.append(id) } },
      markRepaired: { ended.withLock { $0 = true } })
    let failures = Mutex(2)
    mailbox.answer { _ in
      failures.withLock { left in
        left -= 1
        return left >= 0 ? .retry(reason: "busy", after: nil) : .sent
      }
    }
    let monitor = world.monitor(
      deliveryService: deliveryService, upkeep: store.upkeep, damagedStore: unwatched)
    var schedule = MonitorTurns(loop: monitor)
    let inspection = try #require(monitor.inspection)
    _ = await schedule.next()
    #expect(beats.withLock { $0 } == 1)
    isDamaged.withLock { $0 = true }
    _ = inspection.claimInspection()
    #expect(await inspection.inspect(at: now))
    let isNoticed = Mutex(false)
    let notice = Task {
      await monitor.noticeDamage()
      isNoticed.withLock { $0 = true }
    }
    while !isNoticed.withLock({ $0 }) {
      await world.clock.run()
      await Task.yield()
    }
    await notice.value
    #expect(mailbox.lines == ["unwatched Ada"] && sent.withLock { $0 } == [message.id])
    #expect(mailbox.attempts.map(\.attempt) == [1, 2, 3])
    for _ in 0..<6 {
      await world.clock.advance(by: .seconds(20))
      _ = await schedule.next()
    }
    #expect(beats.withLock { $0 } == 1)
    #expect(try await world.clients.watchClient.status().monitors == 0)
    #expect(!ended.withLock { $0 })
    // A restored store is watched again.
    isDamaged.withLock { $0 = false }
    #expect(inspection.claimInspection())
    #expect(await inspection.inspect(at: now))
    _ = await schedule.next()
    #expect(beats.withLock { $0 } == 2)
    #expect(ended.withLock { $0 })
    let lines = world.log.lines
    #expect(
      lines.contains("error: the store is damaged, nobody is being watched: page 7 is not used"))
    #expect(lines.contains("info: the store is in order again"))
  }

  @Test(
    "WCH-1: a damage notice to an unknown recipient is retried once after 1 h, with --once never",
    arguments: [false, true])
  func refused(isOnce: Bool) async {
    let message = ClaimedDelivery(
      id: UUID(77), token: UUID(78), attempt: 1, stage: .unwatched, recipient: .owner,
      recipientName: "Ada", channel: .email, address: "ada@example.org", plannedAt: world.now,
      user: .ada())
    let noted = Mutex<[UUID]>([])
    let notice = DamageNotice(
      client: DamagedStoreClient(
        messages: { _ in [message] }, noteSent: { id in noted.withLock { $0.append(id) } },
        markRepaired: {}),
      deliveryService: world.mailbox.deliveryService, now: now, clock: world.clock,
      random: WithRandomNumberGenerator(SplitMix64(seed: 1)), log: world.log.monitorLog)
    world.mailbox.answer { _ in .permanent(reason: "no such user") }
    let sending = Task { await notice.send(isOnce: isOnce) }
    if !isOnce {
      await world.clock.waitForSleeps()
      #expect(noted.withLock { $0 } == [])
      #expect(world.mailbox.attempts.count == 1)
      await world.clock.advance(by: .seconds(3_600))
    }
    await sending.value
    #expect(noted.withLock { $0 } == (isOnce ? [] : [message.id]))
    #expect(world.mailbox.attempts.count == (isOnce ? 1 : 2))
  }

  @Test("ALT-7: while the store doesn't open, due alerts in files are each sent once")
  func calls() async throws {
    let mailbox = world.mailbox
    let due = Mutex<[ClaimedDelivery]>([])
    let client = DamagedStoreClient(
      messages: { _ in [] }, calls: { _ in due.withLock { $0 } }, noteSent: { _ in },
      markRepaired: {})
    let clock = world.clock
    let notice = DamageNotice(
      client: client, deliveryService: mailbox.deliveryService, now: now, clock: clock,
      random: WithRandomNumberGenerator(SplitMix64(seed: 1)), log: world.log.monitorLog)
    let refusals = Mutex(1)
    mailbox.answer { _ in
      refusals.withLock { left in
        left -= 1
        return left >= 0 ? .retry(reason: "busy", after: nil) : .sent
      }
    }
    func call(_ name: String, _ number: UInt64) -> ClaimedDelivery {
      ClaimedDelivery(
        id: UUID(number), token: UUID(78), attempt: 1, stage: .alertOn,
        recipient: .contact(UUID(number)), recipientName: name, channel: .email,
        address: "\(name)@example.org", plannedAt: world.now, user: .ada())
    }
    let sending = Task { await notice.sendCalls() }
    await clock.waitForSleeps()
    due.withLock { $0 = [call("Bob", 1)] }
    for _ in 0..<20 where mailbox.lines.count < 1 {
      await clock.advance(by: .seconds(1))
      await clock.waitForSleeps()
    }
    // A call that keeps being refused doesn't delay others.
    due.withLock { $0.append(call("Cyd", 2)) }
    for _ in 0..<20 where mailbox.lines.count < 2 {
      await clock.advance(by: .seconds(1))
      await clock.waitForSleeps()
    }
    for _ in 0..<9 {
      await clock.advance(by: .seconds(1))
      await clock.waitForSleeps()
    }
    sending.cancel()
    await sending.value
    #expect(mailbox.lines.sorted() == ["alert_on Bob", "alert_on Cyd"])
  }

  @Test(
    "ALT-2: a deferred call is tried again while the alert is on, even if it can't be read for a while",
    arguments: [true, false])
  func deferredCall(isCancelled: Bool) async throws {
    let mailbox = world.mailbox
    let call = ClaimedDelivery(
      id: UUID(1), token: UUID(78), attempt: 1, stage: .alertOn, recipient: .contact(UUID(1)),
      recipientName: "Bob", channel: .email, address: "bob@example.org", plannedAt: world.now,
      user: .ada())
    let due = Mutex([call])
    let client = DamagedStoreClient(
      messages: { _ in [] }, calls: { _ in due.withLock { $0 } }, noteSent: { _ in },
      markRepaired: {})
    let notice = DamageNotice(
      client: client, deliveryService: mailbox.deliveryService, now: now, clock: world.clock,
      random: WithRandomNumberGenerator(SplitMix64(seed: 1)), log: world.log.monitorLog)
    mailbox.answer { _ in
      due.withLock { $0 = [] }
      return .retry(reason: "busy", after: nil)
    }
    let sending = Task { await notice.sendCalls() }
    for second in 0..<600 {
      await world.clock.waitForSleeps()
      await world.clock.advance(by: .seconds(1))
      if second == 300, !isCancelled { due.withLock { $0 = [call] } }
    }
    sending.cancel()
    await sending.value
    #expect(mailbox.attempts.count == (isCancelled ? 1 : 2))
  }
}

/// A store whose comparison takes a thousand pieces.
final class Inspected: Sendable {
  static let round = 1_000

  private let contents = Mutex((count: 0, left: Inspected.round))
  private let script = Mutex<@Sendable (Int) -> StoreInspection?>({ _ in nil })

  var pieces: Int { contents.withLock { $0.count } }
  func answer(_ script: @escaping @Sendable (Int) -> StoreInspection?) {
    self.script.withLock { $0 = script }
  }

  var upkeep: UpkeepClient {
    UpkeepClient {
      $0.load = { () async throws(StorageError) in WatchLoad(accounts: 1, pendingMessages: 0) }
      $0.backUp = { (_: Date) async throws(StorageError) in .notNeeded }
      $0.inspect = { [self] (_: Date) async throws(StorageError) in inspect() }
    }
  }

  private func inspect() -> StoreInspection {
    let script = script.withLock { $0 }
    return contents.withLock { contents in
      contents.count += 1
      if let answer = script(contents.count) {
        contents.left = Self.round
        return answer
      }
      contents.left -= 1
      guard contents.left == 0 else { return .whole(isLast: false) }
      contents.left = Self.round
      return .whole(isLast: true)
    }
  }
}
