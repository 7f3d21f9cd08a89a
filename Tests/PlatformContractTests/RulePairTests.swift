import Clients
import Domain
import FoundationEssentials
import Monitor
import TestSupport
import Testing

/// Pairs of rules that interact, with the monitors' real planner. `docs/combinations.md` lists all
/// pairs.
@Suite("Combinations of rules", .timeLimit(.minutes(1)))
struct RulePairTests {
  static let open = Secret("blue kettle")
  static let duress = Secret("green kettle")
  static let wrong = Secret("red kettle")

  /// Ida checks in every hour, without reminders; Bo responds.
  func makeWorld(_ platform: Platform, hasGate: Bool = false) async throws -> World {
    let world = try World(platform)
    _ = try await world.auth.createAccount(
      NewAccount(
        profile: Profile(name: "Ida"), interval: CheckInInterval(.hours(1)), reminders: [],
        responders: [.bo]))
    if hasGate {
      try await world.auth.updateGate(Gate(passphrase: Self.open, duress: Self.duress))
    }
    try await world.watch(.zero)
    return world
  }

  /// Types wrong passphrases until the gate locks.
  func lock(_ world: World) async throws {
    for _ in 1...5 {
      await expect(ClientError.gate(.wrong)) { () throws(ClientError) in
        try await world.checkIn.$checkIn(.manual, typing: Self.wrong)
      }
    }
    let end = world.now + .minutes(1)
    await expect(ClientError.gate(.locked(until: end))) { () throws(ClientError) in
      try await world.checkIn.$checkIn(.manual, typing: Self.open)
    }
  }

  // MARK: Drill

  @Test(
    "ALT-6, CHK-7: a drill runs during a pause, and starting a pause doesn't end a drill",
    arguments: Platform.allCases)
  func drillAndPause(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let paused = try await world.checkIn.pause(world.now + .days(1))
    _ = try await world.alerts.drill()
    #expect(try await world.watch(.zero) == ["drill alert_on Bo", "drill alert_off Bo"])
    #expect(try await world.user.currentUser() == paused)
    _ = try await world.checkIn.resume(.manual)
    _ = try await world.alerts.drill()
    _ = try await world.checkIn.pause(world.now + .days(1))
    #expect(try await world.watch(.zero) == ["drill alert_on Bo", "drill alert_off Bo"])
    #expect(try await world.list(.all).map(\.kind) == [.drillPassed, .drillPassed])
  }

  @Test(
    "ALT-6, CHK-3: a drill needs no passphrase, even with a locked gate, and is not a check-in",
    arguments: Platform.allCases, [false, true])
  func drillAndGate(_ platform: Platform, isLocked: Bool) async throws {
    let world = try await makeWorld(platform, hasGate: true)
    if isLocked { try await lock(world) }
    try await world.watch(.zero)
    let before = try await world.user.currentUser()
    _ = try await world.alerts.drill()
    _ = try await world.alerts.endDrill()
    _ = try await world.alerts.drill()
    #expect(try await world.watch(.zero) == ["drill alert_on Bo", "drill alert_off Bo"])
    #expect(try await world.user.currentUser() == before)
    world.advance(.minutes(1))
    #expect(try await world.auth.$silentAlert(typing: Self.open) == nil)
  }

  @Test(
    "ALT-6, AUTH-4: deleting the account ends a drill without reporting the end of an alert",
    arguments: Platform.allCases)
  func drillAndDeletion(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let peer = try await world.openPeer("Cem")
    try await world.befriend(peer, .responder)
    try await world.watch(.zero)
    _ = try await world.alerts.drill()
    #expect(try await world.step() == ["drill alert_on Bo", "drill alert_on Cem"])
    try await world.auth.deleteAccount(nil)
    #expect(
      try await world.watch(.zero).sorted() == [
        "account_deleted Bo", "account_deleted Cem", "drill alert_off Bo", "drill alert_off Cem",
      ])
    #expect(try await !peer.list().map(\.kind).contains(.dependentAlertEnded))
    #expect(try await world.watch(.hours(3)) == [])
  }

  // MARK: Manual alerts

  @Test(
    "ALT-1, CHK-7: during a pause alerts can be raised, stay on and are repeated",
    arguments: Platform.allCases)
  func manualAndPause(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    _ = try await world.checkIn.pause(world.now + .days(1))
    let alert = try await world.alerts.raise("fell")
    #expect(try await world.watch(.zero) == ["manual alert_on Bo"])
    _ = try await world.checkIn.pause(world.now + .days(2))
    #expect(try await world.watch(.minutes(61)) == ["manual alert_on_again:1 Bo"])
    #expect(try await world.alerts.history(9).map(\.alert) == [alert])
    _ = try await world.alerts.cancel()
    #expect(try await world.watch(.zero) == ["manual alert_off Bo"])
  }

  @Test(
    "ALT-1, ESC-1: with a manual and a missed alert on, a check-in ends only the missed alert",
    arguments: Platform.allCases)
  func manualAndMissed(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    _ = try await world.watch(.minutes(70))
    _ = try await world.alerts.raise("fell")
    #expect(try await world.watch(.zero) == ["manual alert_on Bo"])
    #expect(try await world.watch(.minutes(10)) == ["missed non_responsive Bo"])
    await expect(ClientError.alertIsOn, world.alerts.drill)
    _ = try await world.checkIn.checkIn(.manual)
    #expect(try await world.watch(.zero) == ["missed all_clear Bo (another is on)"])
    #expect(try await world.alerts.cancel().kind == .manual)
    #expect(try await world.watch(.zero) == ["manual alert_off Bo"])
  }

  @Test(
    "ALT-2, CHK-3: under duress alerts can be cancelled and raised again; no all-clear is sent",
    arguments: Platform.allCases)
  func manualAndSilent(_ platform: Platform) async throws {
    let world = try await makeWorld(platform, hasGate: true)
    let first = try await world.alerts.raise("fell")
    #expect(try await world.watch(.zero) == ["manual alert_on Bo"])
    _ = try await world.alerts.$cancel(typing: Self.duress)
    // Bo is sent two messages that a silent alert is on, and none that an alert is over.
    #expect(
      try await world.watch(.zero) == ["duress alert_on Bo", "duress alert_on_again:1 Bo"])
    // A late request of its process gets the answer that it is over.
    guard case .raised(let over) = try await world.alerts.arm(first.id, "late", .zero) else {
      Issue.record("It is not raised.")
      return
    }
    #expect(over.id == first.id && !over.isActive)
    // A second alert with a countdown, and a third.
    let id = UUID()
    guard case .armed = try await world.alerts.arm(id, "again", .seconds(5)) else {
      Issue.record("It is not armed.")
      return
    }
    world.advance(.seconds(5))
    #expect(try await world.watch(.zero) == ["manual alert_on Bo"])
    #expect(try await world.alerts.history(9).filter(\.alert.isActive).map(\.id) == [id])
    #expect(try await world.alerts.$cancel(typing: Self.duress).id == id)
    #expect(try await world.watch(.zero) == ["duress alert_on_again:1 Bo"])
    let third = try await world.alerts.raise("and again")
    #expect(third.id != first.id && third.id != id)
    #expect(try await world.watch(.zero) == ["manual alert_on Bo"])
    // The silent alert ends, and the last alert is still on.
    try await world.auth.$endSilentAlert(typing: Self.open)
    #expect(try await world.watch(.zero) == ["duress alert_off Bo (another is on)"])
    #expect(try await world.alerts.history(9).filter(\.alert.isActive).map(\.id) == [third.id])
    _ = try await world.alerts.$cancel(typing: Self.open)
    #expect(try await world.watch(.zero) == ["manual alert_off Bo"])
  }

  // MARK: Missed deadlines

  @Test(
    "CHK-3, ESC-1: an overdue person must pass the gate before an all-clear is sent",
    arguments: Platform.allCases)
  func missedAndGate(_ platform: Platform) async throws {
    let world = try await makeWorld(platform, hasGate: true)
    #expect(try await world.watch(.minutes(76)) == ["missed non_responsive Bo"])
    for passphrase in [nil, Self.wrong] {
      await expect(ClientError.gate(passphrase == nil ? .required : .wrong)) {
        () throws(ClientError) in try await world.checkIn.$checkIn(.manual, typing: passphrase)
      }
    }
    #expect(try await world.watch(.zero) == [])
    #expect(try await world.alerts.history(9).map(\.alert.isActive) == [true])
    _ = try await world.checkIn.$checkIn(.manual, typing: Self.open)
    #expect(try await world.watch(.zero) == ["missed all_clear Bo"])
  }

  @Test(
    "DUR-2, ESC-1: a locked gate delays no alert, and a check-in works when the lock ends",
    arguments: Platform.allCases)
  func missedAndLock(_ platform: Platform) async throws {
    let world = try await makeWorld(platform, hasGate: true)
    try await world.watch(.minutes(74))
    try await lock(world)
    #expect(
      try await world.watch(.seconds(59)).map(\.withoutIdentity) == ["responder_notice Bo"])
    world.advance(.seconds(1))
    #expect(try await world.watch(.zero) == ["missed non_responsive Bo"])
    _ = try await world.checkIn.$checkIn(.manual, typing: Self.open)
    #expect(try await world.watch(.zero) == ["missed all_clear Bo"])
  }

  @Test(
    "ESC-1, AUTH-4: deleting an overdue account sends the all-clear and no more calls",
    arguments: Platform.allCases)
  func missedAndDeletion(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    #expect(try await world.watch(.minutes(76)) == ["missed non_responsive Bo"])
    try await world.auth.deleteAccount(nil)
    #expect(
      try await world.watch(.zero).sorted() == ["account_deleted Bo", "missed all_clear Bo"])
    #expect(try await world.watch(.hours(3)) == [])
  }

  @Test(
    "CHK-3, ESC-1: during a silent alert a missed deadline is announced, its all-clear is not",
    arguments: Platform.allCases)
  func missedAndSilent(_ platform: Platform) async throws {
    let world = try await makeWorld(platform, hasGate: true)
    _ = try await world.checkIn.$checkIn(.manual, typing: Self.duress)
    #expect(try await world.watch(.zero) == ["duress alert_on Bo"])
    let sent = try await world.watch(.minutes(76))
    #expect(sent.sorted() == ["duress alert_on_again:1 Bo", "missed non_responsive Bo"])
    _ = try await world.checkIn.$checkIn(.manual, typing: Self.duress)
    #expect(try await world.watch(.zero) == ["duress alert_on_again:1 Bo"])
    try await world.auth.$endSilentAlert(typing: Self.open)
    #expect(try await world.watch(.zero) == ["duress alert_off Bo"])
  }

  // MARK: Silent alerts

  @Test(
    "CHK-3, CHK-7: a pause under duress or its end doesn't stop the silent alert",
    arguments: Platform.allCases)
  func silentAndPause(_ platform: Platform) async throws {
    let world = try await makeWorld(platform, hasGate: true)
    _ = try await world.checkIn.$pause(world.now + .minutes(90), typing: Self.duress)
    #expect(try await world.watch(.zero) == ["duress alert_on Bo"])
    #expect(try await world.watch(.minutes(61)) == ["duress alert_on_again:1 Bo"])
    _ = try await world.checkIn.$resume(.manual, typing: Self.duress)
    #expect(try await world.watch(.zero) == [])
    #expect(try await world.alerts.history(9) == [])
    #expect(try await world.auth.$silentAlert(typing: Self.open)?.isActive == true)
  }

  @Test(
    "CHK-3, DUR-2: a locked gate answers every passphrase alike and a silent alert goes on",
    arguments: Platform.allCases)
  func silentAndLock(_ platform: Platform) async throws {
    let world = try await makeWorld(platform, hasGate: true)
    _ = try await world.checkIn.$checkIn(.manual, typing: Self.duress)
    #expect(try await world.watch(.zero) == ["duress alert_on Bo"])
    try await lock(world)
    let end = world.now + .minutes(1)
    for passphrase in [Self.open, Self.duress, Self.wrong] {
      await expect(ClientError.gate(.locked(until: end))) { () throws(ClientError) in
        try await world.checkIn.$checkIn(.manual, typing: passphrase)
      }
    }
    #expect(
      try await world.watch(.minutes(61)).map(\.withoutIdentity)
        == ["responder_notice Bo", "duress alert_on_again Bo"])
    #expect(try await world.auth.$silentAlert(typing: Self.open)?.isActive == true)
    _ = try await world.checkIn.$checkIn(.manual, typing: Self.duress)
    #expect(try await world.auth.$silentAlert(typing: Self.open)?.isActive == true)
  }

  @Test(
    "CHK-3, DUR-2: at a locked gate the duress passphrase raises a silent alert but looks refused",
    arguments: Platform.allCases)
  func duressAtALock(_ platform: Platform) async throws {
    for passphrase in [Self.duress, Self.wrong, Self.open] {
      let world = try await makeWorld(platform, hasGate: true)
      try await lock(world)
      try await world.watch(.zero)
      let end = world.now + .minutes(1)
      // Without a passphrase the gate asks for one, even if it is locked: otherwise none could be
      // typed.
      await expect(ClientError.gate(.required)) { () throws(ClientError) in
        try await world.checkIn.checkIn(.manual)
      }
      for _ in 1...2 {
        await expect(ClientError.gate(.locked(until: end))) { () throws(ClientError) in
          try await world.checkIn.$checkIn(.manual, typing: passphrase)
        }
      }
      #expect(
        try await world.watch(.zero) == (passphrase == Self.duress ? ["duress alert_on Bo"] : []))
      // The attempts during the lock didn't count.
      world.advance(.minutes(1))
      await expect(ClientError.gate(.wrong)) { () throws(ClientError) in
        try await world.checkIn.$checkIn(.manual, typing: Self.wrong)
      }
      let next = world.now + .minutes(2)
      await expect(ClientError.gate(.locked(until: next))) { () throws(ClientError) in
        try await world.checkIn.$checkIn(.manual, typing: Self.open)
      }
    }
  }

  // MARK: Pauses

  @Test(
    "CHK-7, AUTH-4: after deleting a paused account nothing is sent at the pause's end",
    arguments: Platform.allCases)
  func pauseAndDeletion(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    _ = try await world.checkIn.pause(world.now + .hours(2))
    try await world.watch(.zero)
    try await world.auth.deleteAccount(nil)
    #expect(try await world.watch(.zero) == ["account_deleted Bo"])
    #expect(try await world.watch(.hours(4)) == [])
    #expect(try await world.monitor.nextWake() == nil)
  }

  // MARK: Armed alerts

  @Test(
    "ALT-7, ALT-8: raising an armed alert ends a drill, and nobody is sent the drill's end",
    arguments: Platform.allCases)
  func armedAndDrill(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let id = UUID()
    _ = try await world.alerts.arm(id, "fell", .seconds(5))
    _ = try await world.alerts.drill()
    #expect(try await world.step() == ["drill alert_on Bo"])
    world.advance(.seconds(5))
    #expect(try await world.watch(.zero) == ["manual alert_on Bo"])
    #expect(
      try await world.alerts.history(9).filter(\.alert.isActive).map(\.id) == [id])
    // If both happen within one turn, nobody is notified of the drill at all.
    _ = try await world.alerts.cancel()
    try await world.watch(.zero)
    _ = try await world.alerts.arm(UUID(), "fell", .seconds(5))
    _ = try await world.alerts.drill()
    world.advance(.seconds(5))
    #expect(try await world.watch(.zero) == ["manual alert_on Bo"])
  }

  @Test(
    "ALT-7, ESC-1: an armed alert and a missed deadline that fall due together are both sent",
    arguments: Platform.allCases)
  func armedAndMissed(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    try await world.watch(.minutes(74))
    _ = try await world.alerts.arm(UUID(), "fell", .seconds(60))
    world.advance(.minutes(1))
    #expect(
      try await world.watch(.zero).sorted() == ["manual alert_on Bo", "missed non_responsive Bo"])
  }

  @Test(
    "ALT-7, CHK-3: arming and stopping an alert need no passphrase, even with a locked gate",
    arguments: Platform.allCases, [false, true])
  func armedAndGate(_ platform: Platform, isLocked: Bool) async throws {
    let world = try await makeWorld(platform, hasGate: true)
    if isLocked { try await lock(world) }
    try await world.watch(.zero)
    let id = UUID()
    _ = try await world.alerts.arm(id, "", .seconds(5))
    try await world.alerts.disarm(id)
    world.advance(.seconds(5))
    #expect(try await world.watch(.zero) == [])
    _ = try await world.alerts.arm(UUID(), "", .seconds(5))
    world.advance(.seconds(5))
    #expect(try await world.watch(.zero) == ["manual alert_on Bo"])
  }

  @Test(
    "ALT-7, CHK-3: a silent alert doesn't stop an armed alert or show in the history",
    arguments: Platform.allCases)
  func armedAndSilent(_ platform: Platform) async throws {
    let world = try await makeWorld(platform, hasGate: true)
    let id = UUID()
    _ = try await world.alerts.arm(id, "", .seconds(5))
    _ = try await world.checkIn.$checkIn(.manual, typing: Self.duress)
    #expect(try await world.watch(.zero) == ["duress alert_on Bo"])
    world.advance(.seconds(5))
    #expect(try await world.watch(.zero) == ["manual alert_on Bo"])
    #expect(try await world.alerts.history(9).map(\.id) == [id])
  }

  @Test(
    "ALT-7: an export omits an armed alert, and an import leaves the armed alert unchanged",
    arguments: Platform.allCases)
  func armedAndImport(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    _ = try await world.alerts.raise("before")
    let earlier = try await world.transfer.exportAccount()
    _ = try await world.alerts.cancel()
    try await world.watch(.zero)
    let id = UUID()
    _ = try await world.alerts.arm(id, "fell", .seconds(5))
    let export = try await world.transfer.exportAccount()
    #expect(try !String(decoding: export.encoded(), as: UTF8.self).contains("fell"))
    for export in [earlier, export] { _ = try await world.transfer.importAccount(export) }
    world.advance(.seconds(5))
    #expect(try await world.watch(.zero) == ["manual alert_on Bo"])
    #expect(try await world.alerts.history(9).filter(\.alert.isActive).map(\.id) == [id])
  }
}

extension World {
  /// Runs one turn of a monitor with the real planner, where every server accepts.
  /// - Returns: The messages sent, such as `manual alert_on Bo`, with a note if one must not say
  ///   that all is well. Messages that only appear to be sent are left out.
  func step() async throws -> [String] {
    let claimed = try await claimDue()
    for delivery in claimed {
      _ = try await monitor.record(delivery.id, delivery.token, .sent, nil, now)
    }
    return claimed.filter { $0.pretendedResult == nil }.map { delivery in
      ((delivery.alert.map { [$0.kind.rawValue] } ?? [])
        + [delivery.stage.storageKey, delivery.recipientName]
        + (delivery.isAnotherAlertOn ? ["(another is on)"] : [])).joined(separator: " ")
    }
  }

  /// Plans with the real planner, and claims what is due.
  func claimDue() async throws -> [ClaimedDelivery] {
    for account in try await monitor.due(now, 10) {
      let plan = Planner.plan(account, now: now, makeID: { UUID() })
      _ = try await monitor.apply(plan, account.user.id, account.revision, now)
    }
    return try await monitor.claim(now, .seconds(60), ClaimRequest(limit: 100))
  }

  /// Runs a monitor for a time span and until nothing is due.
  /// - Returns: The messages sent.
  @discardableResult
  func watch(_ span: TimeSpan) async throws -> [String] {
    let watcher = UUID()
    var sent: [String] = []
    var left = span.seconds
    repeat {
      advance(.seconds(min(left, 60)))
      left -= min(left, 60)
      _ = try await monitor.heartbeat(watcher, now, .seconds(90), nil)
      while true {
        let words = try await step()
        if words.isEmpty, try await monitor.due(now, 1).isEmpty { break }
        sent += words
      }
    } while left > 0
    return sent
  }
}

extension String {
  /// The text without the part that distinguishes messages of the same kind.
  fileprivate var withoutIdentity: String { replacing(/:\S+/, with: "") }
}
