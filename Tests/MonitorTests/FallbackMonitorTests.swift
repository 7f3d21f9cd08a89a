import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import SQLite
import Synchronization
import Testing

@testable import Monitor

/// A monitor whose store can't be written keeps notifying people (fault 10).
@MainActor @Suite struct FallbackMonitorTests {
  let world = World()
  let refusal = Refusal()
  var graceEnd: Date { world.deadline + .minutes(15) }

  private func monitor() -> MonitorLoop<TestClock> {
    world.monitor(
      refusal.store(world.clients.monitorClient),
      fallback: refusal.fallback(world.clients.fallbackClient))
  }

  private func deliveries() async throws -> [DeliveryReport] {
    try await world.clients.alertClient.history(1)[0].deliveries
  }

  @Test(
    "ESC-1: with no writable store everyone is notified in time, once; the store catches up",
    arguments: [StorageError.full, .missing(path: "/lifesignal.db")])
  func told(_ error: StorageError) async throws {
    try await world.openAccount(email: "ada@example.org")
    let monitor = monitor()
    await world.live(monitor, until: world.deadline - .minutes(5))
    refusal.begin(error)
    await world.live(monitor, until: graceEnd)
    #expect(world.mailbox.lines == ["deadline_passed Ada"])
    await world.live(monitor, until: graceEnd + .seconds(15))
    #expect(
      world.mailbox.lines.dropFirst().sorted() == ["non_responsive Bob", "non_responsive Cyd"])
    await world.live(monitor, until: graceEnd + .minutes(30))
    #expect(world.mailbox.arrivals.count == 3)
    #expect(try await world.clients.alertClient.history(9).isEmpty)
    #expect(
      world.log.lines.count { $0.contains("error: the store can't be written") } == 1)

    refusal.end()
    await world.live(monitor, until: graceEnd + .minutes(45))
    #expect(world.mailbox.arrivals.count == 3)
    #expect(world.log.lines.contains("info: the store can be written again"))
    let report = try await world.clients.alertClient.history(1)[0]
    #expect(abs(report.alert.raisedAt.timeIntervalSince(graceEnd)) <= 2)
    #expect(report.deliveries.map(\.state) == [.sent, .sent])
    // The messages have the identifiers that the store would have given them.
    #expect(
      Set(report.deliveries.map { MessageID(delivery: $0.id) })
        == Set(world.mailbox.arrivals.dropFirst().map(\.messageID)))
  }

  @Test("OUT-4: with no writable store an outing's responders are notified from memory, once")
  func outing() async throws {
    try await world.openAccount()
    let user = try await world.clients.checkInClient.startOuting(
      OutingDraft(end: "4h", zone: "UTC", text: "red tent"))
    let outing = try #require(user.outing)
    let monitor = monitor()
    await world.live(monitor, until: outing.until - .minutes(5))
    refusal.begin()
    await world.live(monitor, until: outing.graceEnd + .seconds(15))
    #expect(world.mailbox.lines.sorted() == ["non_responsive Bob", "non_responsive Cyd"])
    #expect(world.mailbox.attempts.map(\.outing?.text) == ["red tent", "red tent"])
    #expect(try await world.clients.alertClient.history(9).isEmpty)
    refusal.end()
    await world.live(monitor, until: outing.graceEnd + .minutes(15))
    #expect(world.mailbox.arrivals.count == 2)
    let report = try await world.clients.alertClient.history(1)[0]
    #expect(report.id == outing.id && report.deliveries.map(\.state) == [.sent, .sent])
    // One that ended while nothing could be written down is over, and everyone reads that.
    refusal.begin()
    _ = try await world.clients.checkInClient.endOuting(outing.id)
    refusal.end()
    await world.live(monitor, until: outing.graceEnd + .minutes(20))
    #expect(world.mailbox.lines.suffix(2).sorted() == ["all_clear Bob", "all_clear Cyd"])
  }

  @Test("ALT-7: an alert armed before or during an outage of the store is raised, once")
  func armed() async throws {
    try await world.openAccount()
    let user = try await world.clients.userClient.currentUser().id
    for isSpooled in [false, true] {
      let id = UUID()
      let armed = ArmedAlert(
        id: id, message: "fell", armedAt: world.now, firesAt: world.now + .seconds(5))
      let sent = world.mailbox.arrivals.count
      let spool = Spool(isSpooled ? [SpooledAlert.armed(armed, account: user)] : [])
      if !isSpooled { _ = try await world.clients.alertClient.arm(id, "fell", .seconds(5)) }
      let monitor = monitor(reading: spool)
      refusal.begin()
      let start = world.now
      if isSpooled {
        // No other monitor can know of an alert in a file, so nobody waits for one.
        await world.live(monitor, until: start + .seconds(7))
        #expect(world.mailbox.arrivals.count == sent + 2)
      }
      await world.live(monitor, until: start + .seconds(40))
      #expect(world.mailbox.lines.dropFirst(sent).sorted() == ["alert_on Bob", "alert_on Cyd"])
      refusal.end()
      await world.live(monitor, until: world.now + .minutes(5))
      #expect(world.mailbox.arrivals.count == sent + 2)
      let reports = try await world.clients.alertClient.history(9)
      #expect(reports.first?.id == id)
      #expect(reports.first?.deliveries.map(\.state) == [.sent, .sent])
      _ = try await world.clients.alertClient.cancel()
      await world.live(monitor, until: world.now + .minutes(1))
    }
  }

  /// A monitor that reads spool files and moves their alerts into the store.
  private func monitor(reading spool: Spool) -> MonitorLoop<TestClock> {
    var store = world.clients.monitorClient
    store.spooled = { spool.alerts }
    store.takeSpooled = { [clients = world.clients] (alert) async throws(StorageError) in
      switch alert {
      case .armed(let armed, _):
        _ = try? await clients.alertClient.arm(armed.id, armed.message, .zero)
      case .stopped(let id, _, _, _): try? await clients.alertClient.disarm(id)
      case .silent: try await clients.monitorClient.takeSpooled(alert)
      }
      spool.alerts = []
    }
    var fallback = refusal.fallback(world.clients.fallbackClient)
    fallback.present = spool.present
    return world.monitor(refusal.store(store), fallback: fallback)
  }

  @Test(
    "ALT-7: an alert stopped or postponed while a monitor waits for a locked store isn't sent yet"
  )
  func stoppedWhileWaiting() async throws {
    try await world.openAccount(responders: ["Bob"])
    let user = try await world.clients.userClient.currentUser().id
    for change in WhileWaiting.allCases {
      let armed = ArmedAlert(id: UUID(), armedAt: world.now, firesAt: world.now + .seconds(5))
      var later = armed
      later.message = "fell"
      later.firesAt = armed.firesAt + .seconds(20)
      let spool = Spool([.armed(armed, account: user)])
      var store = world.clients.monitorClient
      store.spooled = { spool.alerts }
      store.takeSpooled = { [world, later] _ async throws(StorageError) in
        switch change {
        case .none: break
        case .stopped:
          spool.alerts.append(.stopped(armed.id, at: armed.armedAt + .seconds(2), account: user))
        case .postponed: spool.alerts = [.armed(later, account: user)]
        case .postponedAndStopped:
          spool.alerts = [
            .stopped(
              armed.id, at: armed.armedAt + .seconds(6), dueAt: later.firesAt, account: user)
          ]
        }
        await world.clock.advance(by: .seconds(6))
        throw .busy
      }
      var fallback = world.clients.fallbackClient
      fallback.present = spool.present
      var turns = MonitorTurns(loop: world.monitor(store, fallback: fallback))
      #expect(await turns.next().map(\.stage) == (change == .none ? [.alertOn] : []), "\(change)")
      guard change == .postponed else { continue }
      store.takeSpooled = { _ async throws(StorageError) in throw .busy }
      await world.clock.advance(by: .seconds(20))
      turns = MonitorTurns(loop: world.monitor(store, fallback: fallback))
      #expect(await turns.next().map(\.alert?.message) == ["fell"])
    }
  }

  /// What the person does while a monitor waits for a locked store.
  private enum WhileWaiting: CaseIterable { case none, stopped, postponed, postponedAndStopped }

  @Test(
    "ALT-7: without a writable store, a stop holds back an armed alert only before it fires",
    arguments: [2, 6])
  func stopped(second: Int) async throws {
    try await world.openAccount(responders: ["Bob"])
    let user = try await world.clients.userClient.currentUser().id
    let id = UUID()
    _ = try await world.clients.alertClient.arm(id, "", .seconds(5))
    let spool = Spool([.stopped(id, at: world.now + .seconds(second), account: user)])
    let monitor = monitor(reading: spool)
    refusal.begin()
    await world.live(monitor, until: world.now + .minutes(1))
    #expect(world.mailbox.lines == (second < 5 ? [] : ["alert_on Bob"]))
  }

  @Test("ALT-7: an alert armed after a stop that the store hasn't recorded is sent from memory")
  func begunAfterStop() async throws {
    try await world.openAccount(responders: ["Bob"])
    let user = try await world.clients.userClient.currentUser().id
    let id = UUID()
    _ = try await world.clients.alertClient.arm(id, "", .seconds(5))
    let second = ArmedAlert(
      id: UUID(), message: "fell", armedAt: world.now + .seconds(4),
      firesAt: world.now + .seconds(9))
    let spool = Spool([
      .armed(second, account: user), .stopped(id, at: world.now + .seconds(2), account: user),
    ])
    let monitor = monitor(reading: spool)
    refusal.begin()
    await world.live(monitor, until: world.now + .minutes(1))
    #expect(world.mailbox.lines == ["alert_on Bob"])
    #expect(world.mailbox.attempts.map(\.alert?.id) == [second.id])
  }

  @Test("ALT-7: a missed deadline sent from memory doesn't keep an armed alert from being raised")
  func armedBesideMissed() async throws {
    try await world.openAccount(responders: ["Bob"])
    let user = try await world.clients.userClient.currentUser().id
    let spool = Spool([])
    let monitor = monitor(reading: spool)
    await world.live(monitor, until: world.deadline)
    refusal.begin()
    await world.live(monitor, until: graceEnd + .minutes(1))
    #expect(world.mailbox.lines == ["non_responsive Bob"])
    let armed = ArmedAlert(
      id: UUID(), message: "fell", armedAt: world.now, firesAt: world.now + .seconds(5))
    spool.alerts = [SpooledAlert.armed(armed, account: user)]
    await world.live(monitor, until: graceEnd + .minutes(3))
    #expect(world.mailbox.lines == ["non_responsive Bob", "alert_on Bob"])
    refusal.end()
    await world.live(monitor, until: graceEnd + .minutes(10))
    #expect(world.mailbox.arrivals.count == 2)
    let alerts = try await world.clients.alertClient.history(9).map(\.alert)
    #expect(Set(alerts.filter(\.isActive).map(\.kind)) == [.manual, .missed])
    #expect(alerts.contains { $0.id == armed.id })
  }

  @Test("ALT-6: a drill waits until the store can be written; a missed deadline ends the drill")
  func drill() async throws {
    try await world.openAccount(responders: ["Bob"])
    let monitor = monitor()
    await world.live(monitor, until: start + .minutes(1))
    refusal.begin()
    _ = try await world.clients.alertClient.drill()
    await world.live(monitor, until: start + .minutes(30))
    #expect(world.mailbox.lines == [])
    refusal.end()
    await world.live(monitor, until: start + .minutes(40))
    #expect(world.mailbox.lines == ["alert_on Bob", "alert_off Bob"])
    await world.live(monitor, until: graceEnd - .minutes(5))
    refusal.begin()
    _ = try await world.clients.alertClient.drill()
    await world.live(monitor, until: graceEnd + .minutes(5))
    refusal.end()
    await world.live(monitor, until: graceEnd + .minutes(15))
    #expect(world.mailbox.lines.dropFirst(2) == ["non_responsive Bob"])
    let active = try await world.clients.alertClient.history(9).filter(\.alert.isActive)
    #expect(active.map(\.alert.kind) == [.missed])
  }

  @Test(
    "CHK-3: a silent alert goes out from memory, repeats hourly, and shows in no log or history")
  func silentAlert() async throws {
    try await world.openAccount(responders: ["Bob"])
    try await world.clients.authClient.updateGate(SilenceTests.gate)
    let monitor = monitor()
    await world.live(monitor, until: start + .minutes(1))
    refusal.begin()
    _ = try await world.clients.checkInClient.$checkIn(.manual, typing: SilenceTests.gate.duress)
    await world.live(monitor, until: start + .minutes(150))
    #expect(
      world.mailbox.lines == ["alert_on Bob", "alert_on_again:1 Bob", "alert_on_again:2 Bob"])
    #expect(world.mailbox.attempts.allSatisfy { $0.isSilent })
    #expect(!world.log.lines.contains { $0.contains("alert") })
    #expect(try await world.clients.alertClient.history(9) == [])
  }

  @Test(
    "CHK-3: a silent alert in a file is sent from memory, once, and leaves the log unchanged")
  func silentInFile() async throws {
    var logs: [[String]] = []
    for id in [nil, UUID()] {
      logs.append(try await FallbackMonitorTests().log(withSilentInFile: id))
    }
    #expect(logs[0] == logs[1])
  }

  /// The log of an outage.
  /// - Parameter id: The silent alert in a file, or `nil` for none.
  private func log(withSilentInFile id: Alert.ID?) async throws -> [String] {
    try await world.openAccount(responders: ["Bob"])
    let gate = SilenceTests.gate
    try await world.clients.authClient.updateGate(gate)
    let user = try await world.clients.userClient.currentUser().id
    let spool = Spool([])
    let monitor = monitor(reading: spool)
    await world.live(monitor, until: start + .minutes(1))
    spool.alerts = id.map { [.silent($0, at: world.now, account: user)] } ?? []
    refusal.begin()
    await world.live(monitor, until: start + .minutes(2))
    #expect(world.mailbox.lines == (id == nil ? [] : ["alert_on Bob"]))
    refusal.end()
    await world.live(monitor, until: start + .minutes(5))
    let log = world.log.lines.map { $0.replacing(user.short, with: "ada") }
    #expect(try await world.clients.authClient.$silentAlert(typing: gate.passphrase)?.id == id)
    guard id != nil else { return log }
    #expect(world.mailbox.lines == ["alert_on Bob"])
    #expect(world.mailbox.attempts.allSatisfy { $0.isSilent })
    try await world.clients.authClient.$endSilentAlert(typing: gate.passphrase)
    await world.live(world.monitor(), until: start + .minutes(6))
    #expect(world.mailbox.lines == ["alert_on Bob", "alert_off Bob"])
    return log
  }

  @Test(
    "AUTH-4: a deletion is sent once the store can be written; an armed alert is sent at once",
    arguments: [false, true])
  func deletion(isArmed: Bool) async throws {
    try await world.openAccount(responders: ["Bob"])
    let monitor = monitor()
    await world.live(monitor, until: start + .minutes(1))
    refusal.begin()
    if isArmed { _ = try await world.clients.alertClient.arm(UUID(), "fell", .seconds(5)) }
    try await world.clients.authClient.deleteAccount(nil)
    await world.live(monitor, until: start + .minutes(20))
    #expect(world.mailbox.lines == (isArmed ? ["alert_on Bob"] : []))
    refusal.end()
    await world.live(monitor, until: start + .minutes(30))
    #expect(world.mailbox.lines == [isArmed ? "alert_on Bob" : "account_deleted Bob"])
  }

  @Test(
    "CHK-6: everyone who was notified from memory gets the all-clear", arguments: [true, false])
  func allClear(isChecksInFirst: Bool) async throws {
    try await world.openAccount()
    let monitor = monitor()
    await world.live(monitor, until: world.deadline)
    refusal.begin()
    await world.live(monitor, until: graceEnd + .minutes(5))
    // Either the person or the monitor can be the first to write to the store again.
    if isChecksInFirst { _ = try await world.clients.checkInClient.checkIn(.manual) }
    refusal.end()
    await world.live(monitor, until: graceEnd + .minutes(6))
    if !isChecksInFirst { _ = try await world.clients.checkInClient.checkIn(.manual) }
    await world.live(monitor, until: graceEnd + .minutes(7))
    #expect(
      world.mailbox.lines.sorted() == [
        "all_clear Bob", "all_clear Cyd", "non_responsive Bob", "non_responsive Cyd",
      ])
    #expect(world.mailbox.lines.prefix(2).allSatisfy { $0.hasPrefix("non") })
  }

  @Test("CHK-6: a check-in stored while the monitor can't write still sends the all-clear")
  func checkInWhileRefused() async throws {
    try await world.openAccount(responders: ["Bob"])
    let monitor = monitor()
    await world.live(monitor, until: world.deadline)
    refusal.begin()
    await world.live(monitor, until: graceEnd + .minutes(5))
    _ = try await world.clients.checkInClient.checkIn(.manual)
    await world.live(monitor, until: graceEnd + .minutes(10))
    #expect(world.mailbox.lines == ["non_responsive Bob", "all_clear Bob"])
    refusal.end()
    await world.live(monitor, until: graceEnd + .minutes(15))
    #expect(world.mailbox.arrivals.count == 2)
    #expect(try await world.clients.alertClient.history(1)[0].alert.isActive == false)
  }

  @Test("Nobody is notified from memory about a person who checked in during the outage")
  func nobodyWrongly() async throws {
    try await world.openAccount(responders: ["Bob"])
    let monitor = monitor()
    await world.live(monitor, until: world.deadline - .hours(1))
    refusal.begin()
    await world.live(monitor, until: world.deadline - .minutes(30))
    _ = try await world.clients.checkInClient.checkIn(.manual)
    await world.live(monitor, until: graceEnd + .hours(1))
    #expect(world.mailbox.arrivals.isEmpty)
  }

  @Test("CHK-7: nobody is notified from memory about a person who paused")
  func pause() async throws {
    try await world.openAccount(responders: ["Bob"])
    let monitor = monitor()
    await world.live(monitor, until: world.deadline - .hours(1))
    refusal.begin()
    _ = try await world.clients.checkInClient.pause(world.now + .days(1))
    await world.live(monitor, until: graceEnd + .hours(2))
    #expect(world.mailbox.arrivals.isEmpty)
  }

  @Test("ALT-1, ESC-2: a stored alert goes out from memory, then again each hour")
  func storedAlert() async throws {
    try await world.openAccount(responders: ["Bob"])
    let monitor = monitor()
    await world.live(monitor, until: start + .minutes(1))
    refusal.begin()
    _ = try await world.clients.alertClient.raise("")
    await world.live(monitor, until: start + .minutes(150))
    #expect(
      world.mailbox.lines == ["alert_on Bob", "alert_on_again:1 Bob", "alert_on_again:2 Bob"])
    refusal.end()
    await world.live(monitor, until: start + .minutes(190))
    #expect(world.mailbox.lines.dropFirst(3) == ["alert_on_again:3 Bob"])
    #expect(try await deliveries().map(\.state) == [.sent, .sent, .sent, .sent])
  }

  @Test("ESC-3: a message sent but not recorded isn't sent again when its claim expires")
  func unrecorded() async throws {
    try await world.openAccount(responders: ["Bob"])
    let monitor = monitor()
    await world.live(monitor, until: start + .minutes(1))
    _ = try await world.clients.alertClient.raise("")
    var schedule = MonitorTurns(loop: monitor)
    let claimed = await schedule.next()
    #expect(claimed.count == 1)
    refusal.begin()
    let sending = Task { await monitor.send(claimed[0]) }
    await world.mailbox.wait(for: 1)
    await world.live(monitor, until: start + .minutes(30))
    _ = await sending.value
    #expect(world.mailbox.lines == ["alert_on Bob"])
    refusal.end()
    await world.live(monitor, until: start + .minutes(40))
    #expect(world.mailbox.lines == ["alert_on Bob"])
    #expect(try await deliveries().map(\.state) == [.sent])
  }

  @Test("CHN-2: a message that a server defers is retried from memory with the same message ID")
  func retries() async throws {
    try await world.openAccount(responders: ["Bob"])
    let monitor = monitor()
    await world.live(monitor, until: world.deadline)
    refusal.begin()
    world.mailbox.answer { $0.attempt < 4 ? .retry(reason: "busy", after: nil) : .sent }
    await world.live(monitor, until: graceEnd + .minutes(2))
    #expect(world.mailbox.lines == ["non_responsive Bob"])
    #expect(world.mailbox.attempts.map(\.attempt) == [1, 2, 3, 4])
    #expect(Set(world.mailbox.attempts.map(\.messageID)).count == 1)
  }

  @Test("While a message is on its way from memory, the store doesn't send it too")
  func onItsWay() async throws {
    try await world.openAccount(responders: ["Bob"])
    let monitor = monitor()
    await world.live(monitor, until: world.deadline)
    refusal.begin()
    var schedule = MonitorTurns(loop: monitor)
    await world.sleep(until: graceEnd)
    _ = await schedule.next()
    await world.sleep(until: graceEnd + .seconds(11))
    _ = await schedule.next()
    await world.sleep(until: graceEnd + .seconds(22))
    let begun = await schedule.next()
    try #require(begun.map(\.stage) == [.nonResponsive])
    refusal.end()
    await world.sleep(until: graceEnd + .seconds(33))
    let claimed = await schedule.next()
    #expect(claimed.map(\.id) == begun.map(\.id))
    #expect(await monitor.send(claimed[0]).outcome.reason == "it is on its way already")
    #expect(await monitor.send(begun[0]).outcome == .sent)
    await world.live(monitor, until: graceEnd + .minutes(5))
    #expect(world.mailbox.lines == ["non_responsive Bob"])
    #expect(try await deliveries().map(\.state) == [.sent])
  }

  @Test(
    "CHK-6: a message under way from memory when the person returns is followed by an all-clear")
  func returnsMeanwhile() async throws {
    try await world.openAccount(responders: ["Bob"])
    let monitor = monitor()
    await world.live(monitor, until: world.deadline)
    refusal.begin()
    var schedule = MonitorTurns(loop: monitor)
    var begun: [ClaimedDelivery] = []
    for second in stride(from: 0, to: 60, by: 11) where begun.isEmpty {
      await world.sleep(until: graceEnd + .seconds(second))
      begun = await schedule.next()
    }
    try #require(begun.map(\.stage) == [.nonResponsive])
    refusal.end()
    _ = try await world.clients.checkInClient.checkIn(.manual)
    // The store settles the alert before the mail server has answered.
    for _ in 0..<3 {
      await world.sleep(until: world.now + .seconds(11))
      _ = await schedule.next()
    }
    #expect(await monitor.send(begun[0]).outcome == .sent)
    await world.live(monitor, until: world.now + .minutes(5))
    #expect(world.mailbox.lines == ["non_responsive Bob", "all_clear Bob"])
  }

  @Test("If another monitor can write to the store, nothing is sent from memory")
  func otherMonitor() async throws {
    try await world.openAccount()
    let monitor = monitor()
    let healthy = world.monitor()
    await world.live(monitor, until: graceEnd - .minutes(1))
    refusal.begin()
    await world.live(monitor, until: graceEnd - .seconds(10))
    while world.now < graceEnd + .minutes(5) {
      await world.live(healthy, until: world.now + .seconds(5))
      await world.live(monitor, until: world.now + .seconds(5))
    }
    #expect(world.log.lines.contains { $0.contains("the store can't be written") })
    #expect(world.mailbox.lines.sorted() == ["non_responsive Bob", "non_responsive Cyd"])
  }

  @Test("A store that fails for a few seconds is waited for; nothing is sent from memory")
  func retryInterval() async throws {
    try await world.openAccount(responders: ["Bob"])
    let monitor = monitor()
    await world.live(monitor, until: graceEnd - .seconds(2))
    refusal.begin()
    await world.live(monitor, until: graceEnd + .seconds(6))
    #expect(world.mailbox.arrivals.isEmpty)
    refusal.end()
    await world.live(monitor, until: graceEnd + .minutes(1))
    #expect(world.mailbox.lines == ["non_responsive Bob"])
    #expect(!world.log.lines.contains { $0.contains("from memory") })
  }

  @Test("An error in a single row doesn't start work from memory")
  func otherErrors() async throws {
    try await world.openAccount(responders: ["Bob"])
    let monitor = monitor()
    await world.live(monitor, until: world.deadline)
    refusal.begin(.serialization("a row"))
    await world.live(monitor, until: graceEnd + .hours(1))
    #expect(world.mailbox.arrivals.isEmpty)
  }

  @Test("ESC-1: if a damaged store can't plan for a person, a monitor watches from memory")
  func damaged() async throws {
    try await world.openAccount(responders: ["Bob"])
    let monitor = monitor()
    await world.live(monitor, until: world.deadline)
    refusal.begin(.corrupt(detail: "a page"))
    await world.live(monitor, until: graceEnd + .minutes(1))
    #expect(world.mailbox.lines == ["non_responsive Bob"])
  }

  @Test("ESC-6: from memory, the responders of 121 overdue accounts are all notified, once")
  func manyAccounts() async throws {
    try await world.openAccount(responders: ["Bob"])
    let names = (0..<120).map {
      "Person\(String(repeating: "x", count: 1 + $0 % 25))\(String(repeating: "y", count: $0 / 25))"
    }
    for name in names {
      _ = try await world.platform.openFurtherAccount(.named("Person", responders: [name]))
    }
    try await world.clients.notifyResponders(at: world.now)
    let monitor = monitor()
    try await world.advance(to: graceEnd - .seconds(30))
    await world.live(monitor, until: graceEnd - .seconds(20))
    refusal.begin()
    await world.live(monitor, until: graceEnd + .minutes(1))
    #expect(world.mailbox.arrivals.count { $0.stage == .nonResponsive } == 121)
    #expect(Set(world.mailbox.arrivals.map(\.messageID)).count == world.mailbox.arrivals.count)
    refusal.end()
    let told = world.mailbox.arrivals.count
    await world.live(monitor, until: graceEnd + .minutes(3))
    #expect(world.mailbox.arrivals.count == told)
  }

  @Test(
    "ESC-4: a monitor that starts without a writable store notices a missed deadline late, once")
  func beganWhileRefused() async throws {
    try await world.openAccount(responders: ["Bob"], email: "ada@example.org")
    await world.live(monitor(), until: start + .hours(1))
    await world.sleep(until: world.deadline + .hours(2))
    refusal.begin()
    let monitor = monitor()
    await world.live(monitor, until: world.deadline + .hours(2) + .minutes(10))
    #expect(world.mailbox.lines == ["noticed_late Ada"])
    await world.live(monitor, until: world.deadline + .hours(2) + .minutes(20))
    #expect(world.mailbox.lines == ["noticed_late Ada", "non_responsive Bob"])
    refusal.end()
    await world.live(monitor, until: world.deadline + .hours(2) + .minutes(50))
    #expect(world.mailbox.lines.count == 2)
  }
}

/// The alerts in spool files.
private final class Spool: Sendable {
  private let contents: Mutex<[SpooledAlert]>
  init(_ alerts: [SpooledAlert]) { contents = Mutex(alerts) }
  var alerts: [SpooledAlert] {
    get { contents.withLock { $0 } }
    set { contents.withLock { $0 = newValue } }
  }

  @Sendable func present(_ armed: ArmedAlert) -> ArmedAlert? {
    let armed = alerts.compactMap(\.armed).first { $0.id == armed.id } ?? armed
    return alerts.contains { $0.stops(armed) } ? nil : armed
  }
}
