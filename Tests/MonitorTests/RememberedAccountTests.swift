import Clients
import Composable
import ComposableFoundation
import ComposableTesting
import Domain
import FoundationEssentials
import SQLite
import Testing

@testable import Monitor

/// The parts of an account that a monitor remembers while the store can't be written.
@Suite struct RememberedAccountTests {
  private let now = start + .hours(30)
  private let lease = TimeSpan.seconds(60)

  private func account(
    alerts: [Alert] = [], deliveries: [DeliveryRecord] = [], armed: ArmedAlert? = nil,
    responders: [Contact] = [.bob, .cyd]
  ) -> MonitoredAccount {
    MonitoredAccount(
      user: .ada(), revision: 1, responders: responders, alerts: alerts, deliveries: deliveries,
      armed: armed)
  }

  private func message(
    _ number: UInt64, _ planned: PlannedDelivery? = .to(.bob, .alertOn),
    _ state: RememberedMessage.State = .waiting, attempts: Int = 0, notBefore: Date = start,
    mayHaveBeenAccepted: Bool = false
  ) -> RememberedMessage {
    RememberedMessage(
      id: UUID(number), planned: planned, plannedAt: start + .hours(Int(number)), state: state,
      attempts: attempts, notBefore: notBefore, mayHaveBeenAccepted: mayHaveBeenAccepted)
  }

  private func memory(_ messages: RememberedMessage...) -> RememberedAccount {
    RememberedAccount(messages: Dictionary(uniqueKeysWithValues: messages.map { ($0.id, $0) }))
  }

  @Test("ALT-7: a remembered alert is added once, and only a manual alert replaces an armed alert")
  func alerts() {
    let armed = ArmedAlert(id: UUID(50), message: "", armedAt: now, firesAt: now + .seconds(5))
    func remembering(_ alert: Alert, beside stored: [Alert] = []) -> MonitoredAccount {
      account(alerts: stored, armed: armed)
        .remembering(RememberedAccount(alerts: [alert]), now: now, lease: lease)
    }
    #expect(remembering(.manual()).armed == nil)
    #expect(remembering(.manual()).alerts == [.manual()])
    #expect(remembering(.missed()).armed == armed)
    #expect(remembering(.manual(), beside: [.duress()]).alerts == [.duress(), .manual()])
    // The store has the alert by now, and its version wins.
    let stored = Alert.manual(resolvedAt: now)
    #expect(remembering(.manual(), beside: [stored]).alerts == [stored])
    #expect(remembering(.manual(), beside: [stored]).armed == armed)
  }

  @Test("ESC-4: a grace time that memory started again counts only for the same deadline")
  func grace() {
    func graceFrom(_ sequence: Int, stored: Date? = nil) -> Date? {
      var account = account()
      account.user.graceFrom = stored
      let memory = RememberedAccount(grace: .init(sequence: sequence, from: now))
      return account.remembering(memory, now: now, lease: lease).user.graceFrom
    }
    #expect(graceFrom(7) == now)
    #expect(graceFrom(6) == nil)
    #expect(graceFrom(7, stored: start) == start)
  }

  @Test("ESC-3: a message has the attempts, result and doubt of store and memory combined")
  func records() throws {
    let stored = DeliveryRecord(1, .to(.bob, .alertOn), attempts: 2)
    func record(_ message: RememberedMessage) -> DeliveryRecord? {
      account(deliveries: [stored]).remembering(memory(message), now: now, lease: lease)
        .deliveries.first
    }
    #expect(record(message(1, nil, attempts: 3))?.attempts == 5)
    #expect(record(message(1, nil))?.state == .pending)
    #expect(record(message(1, nil))?.lastAttemptIsRecorded == true)
    #expect(record(message(1, nil, mayHaveBeenAccepted: true))?.lastAttemptIsRecorded == false)
    #expect(record(message(1, nil, .onItsWay(token: UUID(9))))?.leasedUntil == now + lease)
    let sent = record(message(1, nil, .sent(at: start)))
    #expect(sent?.state == .sent)
    #expect(sent?.finishedAt == start)
    let failed = record(message(1, nil, .failed(at: start)))
    #expect(failed?.state == .failed)
    #expect(failed?.finishedAt == start)
    // Messages that the store doesn't know yet come next, oldest first. Those without an address
    // are left out.
    let all = account(deliveries: [stored]).remembering(
      memory(message(4), message(3), message(5, nil)), now: now, lease: lease)
    #expect(all.deliveries.map(\.id) == [UUID(1), UUID(3), UUID(4)])
  }

  @Test(
    "ESC-3: the store is given only messages that were or may have been sent, oldest first")
  func facts() {
    let messages = [
      message(3, .to(.bob, .alertOn), .sent(at: now)), message(1, mayHaveBeenAccepted: true),
      message(2),
      message(4, .to(.bob, .alertOn), .failed(at: now)),
    ]
    let told = memory(messages[0], messages[1], messages[2], messages[3]).memory(of: .ada)
    #expect(told.messages.map(\.id) == [UUID(1), UUID(3)])
    #expect(told.messages.map(\.sentAt) == [nil, now])
    #expect(messages.map(\.hasNothingToRecord) == [false, false, true, true])
    let new = RememberedMessage(id: UUID(6), planned: nil, plannedAt: now, notBefore: now)
    #expect(new.hasNothingToRecord)
    #expect(new.attempts == 0)
    #expect(!message(5, .to(.bob, .alertOn), .onItsWay(token: UUID(9))).hasNothingToRecord)
    #expect(
      !message(5, .to(.bob, .alertOn), .failed(at: now), mayHaveBeenAccepted: true)
        .hasNothingToRecord)
  }

  @Test("ALT-6: a remembered message is sent when due, about its own alert; a drill's isn't sent")
  func due() throws {
    let drill = Alert(id: UUID(20), kind: .drill, raisedAt: start)
    let other = Alert(id: UUID(21), kind: .missed, raisedAt: start, sequence: 7)
    let account = account(alerts: [drill, other, .manual()])
    func due(_ message: RememberedMessage) -> ClaimedDelivery? {
      let memory = memory(message)
      return account.remembering(memory, now: now, lease: lease).due(memory, now: now).first
    }
    let claimed = try #require(due(message(1, attempts: 2, notBefore: now)))
    #expect(claimed.alert == .manual())
    #expect(claimed.attempt == 3)
    #expect(claimed.recipientName == "Bob")
    #expect(claimed.hasResponders)
    #expect(due(message(1, .to(.bob, .alertOn, alert: other.id)))?.alert == other)
    #expect(due(message(1, .to(.bob, .alertOn, alert: drill.id))) == nil)
    #expect(due(message(1, .to(.bob, .alertOn, alert: UUID(77)))) == nil)
    #expect(due(message(1, .finalMessage(to: .bob))) == nil)
    let aboutDeadline = try #require(due(message(1, .toAda(.deadlinePassed))))
    #expect(aboutDeadline.alert == nil)
    #expect(!aboutDeadline.isSilent)
    #expect(due(message(1, notBefore: now + .seconds(1))) == nil)
    #expect(due(message(1, .to(.bob, .alertOn), .onItsWay(token: UUID(9)))) == nil)
    #expect(due(message(1, .to(.bob, .alertOn), .sent(at: now))) == nil)
  }

  @Test("DUR-1, CHK-6: a remembered message knows if its alert is silent, or if another is on")
  func otherAlert() {
    func claimed(
      _ stage: Stage, of alert: Alert, beside others: [Alert] = [],
      responders: [Contact] = [.bob]
    ) -> ClaimedDelivery? {
      let memory = memory(message(1, .to(.bob, stage, alert: alert.id)))
      return account(alerts: others + [alert], responders: responders)
        .remembering(memory, now: now, lease: lease).due(memory, now: now).first
    }
    let drill = Alert(id: UUID(20), kind: .drill, raisedAt: start)
    let ended = Alert.manual(resolvedAt: now)
    #expect(claimed(.alertOn, of: .duress())?.isSilent == true)
    #expect(claimed(.alertOn, of: .manual())?.isSilent == false)
    #expect(claimed(.alertOff, of: ended, beside: [.duress()]) == nil)
    #expect(claimed(.alertOn, of: .manual(), beside: [.duress()])?.isAnotherAlertOn == false)
    #expect(claimed(.alertOff, of: ended, beside: [drill])?.isAnotherAlertOn == false)
    #expect(
      claimed(.alertOff, of: ended, beside: [.duress(resolvedAt: now)])?.isAnotherAlertOn == false)
    #expect(claimed(.alertOff, of: .manual())?.isAnotherAlertOn == false)
    #expect(claimed(.alertOn, of: .manual(), responders: [])?.hasResponders == false)
  }
}

/// How soon a monitor retries after its store has failed.
@MainActor @Suite struct StoreRetryTests {
  let world = World()

  @Test("ESC-6: a failing store is tried again after 1, 2, 4, 8 and 16 s, then every 30 s")
  func pauses() async throws {
    try await world.openAccount(responders: ["Bob"])
    let refusal = Refusal()
    var schedule = MonitorTurns(loop: world.monitor(refusal.store(world.clients.monitorClient)))
    _ = await schedule.next()
    #expect(schedule.isHealthy)
    await world.clock.advance(by: .seconds(10))
    refusal.begin(.busy)
    var pauses: [Duration] = []
    for _ in 0..<7 {
      _ = await schedule.next()
      #expect(!schedule.isHealthy)
      pauses.append(schedule.pause)
      await world.clock.advance(by: schedule.pause)
    }
    #expect(pauses == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
    refusal.end()
    _ = await schedule.next()
    #expect(schedule.isHealthy)
    #expect(schedule.pause == .seconds(10))
    refusal.begin(.busy)
    await world.clock.advance(by: .seconds(10))
    _ = await schedule.next()
    #expect(schedule.pause == .seconds(1))
  }

  @Test("ESC-6: a store that can't even be read is tried again after 1 to 30 s")
  func pausesFromMemory() async throws {
    try await world.openAccount(responders: ["Bob"])
    let refusal = Refusal()
    var store = refusal.store(world.clients.monitorClient)
    store.due = { (_: Date, _: Int) async throws(StorageError) in throw .full }
    var fallback = refusal.fallback(world.clients.fallbackClient)
    fallback.account = { (_: User.ID) async throws(StorageError) in throw .full }
    fallback.waiting = { (_: Date, _: Int, _: Int) async throws(StorageError) in throw .full }
    refusal.begin()
    var schedule = MonitorTurns(loop: world.monitor(store, fallback: fallback))
    var longest = Duration.zero
    for _ in 0..<12 {
      _ = await schedule.next()
      #expect(!schedule.isHealthy)
      longest = max(longest, schedule.pause)
      #expect(schedule.pause >= .seconds(1) && schedule.pause <= .seconds(30))
      await world.clock.advance(by: schedule.pause)
    }
    #expect(longest == .seconds(30))
  }

  @Test("WCH-1: the app shows a failing store after two failures in a row, not after one")
  func problem() async throws {
    try await world.openAccount(responders: ["Bob"])
    var store = world.clients.monitorClient
    store.due = { (_: Date, _: Int) async throws(StorageError) in throw .busy }
    var schedule = MonitorTurns(loop: world.monitor(store))
    _ = await schedule.next()
    await world.clock.advance(by: schedule.pause)
    _ = await schedule.next()
    #expect(schedule.reportedProblem == nil)
    await world.clock.advance(by: schedule.pause)
    _ = await schedule.next()
    #expect(schedule.reportedProblem?.text == "the store failed (STORE_BUSY)")
  }
}
