import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

/// CHK-10: signs of life, and the budget that they share with links.
@Suite("CheckInClient: signs of life", .timeLimit(.minutes(1)))
struct SignContractTests {
  static let (open, duress) = (Secret("blue kettle"), Secret("green kettle"))

  /// Creates Ida's account with signs of life, an hour before now.
  private func makeWorld(_ platform: Platform) async throws -> World {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    #expect(try await world.user.allowSigns(true).locks.contains(.signsOfLife))
    world.advance(.hours(1))
    return world
  }

  /// Sends a sign.
  /// - Returns: Whether it counted.
  private func signs(_ world: World) async throws -> Bool {
    let before = try await world.user.currentUser()
    let count = try await world.checkIn.history(1_000).count
    try await world.checkIn.sign()
    let after = try await world.user.currentUser()
    let history = try await world.checkIn.history(1_000)
    guard after.lastCheckIn == world.now, history.first?.date == world.now else {
      #expect(
        after == before && history.count == count, "a sign that doesn't count changes nothing")
      return false
    }
    #expect(history.count == count + 1 && history.first?.source == .automatic)
    #expect(after.deadline.date > before.deadline.date)
    return true
  }

  @Test(
    "CHK-10: signs are off until they are chosen, and can be turned off",
    arguments: Platform.allCases)
  func off(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    world.advance(.hours(1))
    #expect(try await !world.user.currentUser().locks.contains(.signsOfLife))
    #expect(try await !signs(world))
    _ = try await world.user.allowSigns(true)
    #expect(try await signs(world))
    world.advance(.hours(1))
    #expect(try await !world.user.allowSigns(false).locks.contains(.signsOfLife))
    #expect(try await !signs(world))
  }

  @Test(
    "CHK-10: a sign is a check-in of source automatic, at most one in 30 minutes",
    arguments: Platform.allCases)
  func counts(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let before = try await world.user.currentUser()
    #expect(try await signs(world))
    let after = try await world.user.currentUser()
    #expect(after.checkInSequence == before.checkInSequence + 1)
    #expect(after.deadline.date == world.now + .hours(24))
    #expect(try await world.dueAccount().user == after)
    world.advance(.seconds(1_799))
    #expect(try await !signs(world))
    world.advance(.seconds(1))
    #expect(try await signs(world))
    // Any other check-in counts as one.
    world.advance(.minutes(20))
    _ = try await world.checkIn.checkIn(.manual)
    world.advance(.minutes(20))
    #expect(try await !signs(world))
    world.advance(.minutes(10))
    #expect(try await signs(world))
  }

  @Test(
    "CHK-10: a true check-in right after a sign has its own row and begins another budget",
    arguments: Platform.allCases)
  func notMerged(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    #expect(try await signs(world))
    world.advance(.seconds(20))
    _ = try await world.checkIn.checkIn(.commandLine)
    #expect(
      try await world.checkIn.history(9).map(\.source) == [.commandLine, .automatic, .manual])
    world.advance(.seconds(20))
    _ = try await world.checkIn.checkIn(.manual)
    #expect(try await world.checkIn.history(9).count == 3, "two true ones still share a row")
  }

  @Test(
    "CHK-10: signs alone never carry the deadline beyond 3 intervals, and a true check-in lets them again",
    arguments: Platform.allCases)
  func budget(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    for _ in 1...2 {
      let limit = try await world.user.currentUser().lastCheckIn + .hours(72)
      var count = 0
      while try await world.now < world.user.currentUser().deadline.date {
        count += try await signs(world) ? 1 : 0
        #expect(try await world.user.currentUser().deadline.date <= limit)
        world.advance(.hours(6))
      }
      #expect(count == 8, "every 6 hours for 48 hours")
      #expect(try await !signs(world))
      _ = try await world.checkIn.checkIn(.manual)
      world.advance(.hours(6))
    }
  }

  @Test("CHK-10: from the deadline on no sign counts", arguments: Platform.allCases)
  func overdue(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    world.advance(.hours(23))
    #expect(try await !signs(world))
    let user = try await world.user.currentUser()
    world.advance(.hours(1))
    let alert = Alert(
      id: UUID(), kind: .missed, raisedAt: world.now, sequence: user.checkInSequence)
    try await world.apply(Plan(missedAlert: alert))
    #expect(try await !signs(world))
    // A longer interval leaves the missed alert on, although there is time left.
    _ = try await world.checkIn.updateInterval(CheckInInterval(.hours(48)))
    #expect(try await !signs(world))
    #expect(try await world.alerts.history(1)[0].alert.isActive)
  }

  @Test("CHK-10: in a pause no sign counts, and none ends it", arguments: Platform.allCases)
  func paused(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    _ = try await world.checkIn.pause(world.now + .hours(12))
    world.advance(.hours(2))
    #expect(try await !signs(world))
    #expect(try await world.user.currentUser().pausedUntil != nil)
    world.advance(.hours(11))
    #expect(try await signs(world))
  }

  @Test(
    "CHK-10, ALT-7: while an alert is on or about to be sent no sign counts; in a drill it does",
    arguments: Platform.allCases)
  func alerts(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let id = UUID()
    _ = try await world.alerts.arm(id, "", .seconds(5))
    #expect(try await !signs(world))
    _ = try await world.alerts.disarm(id)
    _ = try await world.alerts.raise("")
    #expect(try await !signs(world))
    #expect(try await world.alerts.history(1)[0].alert.isActive)
    _ = try await world.alerts.cancel()
    _ = try await world.alerts.drill()
    #expect(try await signs(world))
  }

  @Test(
    "CHK-10, CHK-3: with a gate signs can't be turned on, and none counts",
    arguments: Platform.allCases)
  func gate(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    try await world.auth.updateGate(Gate(passphrase: Self.open, duress: Self.duress))
    #expect(try await !signs(world))
    await expect(ClientError.signsWithGate) { () throws(ClientError) in
      _ = try await world.user.$allowSigns(true, typing: Self.open)
    }
    // Turning them off makes help come sooner, and asks for nothing.
    _ = try await world.user.allowSigns(false)
    try await world.auth.$updateGate(nil, typing: Self.open)
    #expect(try await !signs(world), "still off")
  }

  @Test(
    "CHK-10, CHK-3: a silent alert and a gate that only seems removed make no difference to signs",
    arguments: Platform.allCases)
  func duress(_ platform: Platform) async throws {
    for passphrase in [Self.open, Self.duress] {
      let world = try await makeWorld(platform)
      try await world.auth.updateGate(Gate(passphrase: Self.open, duress: Self.duress))
      #expect(try await !signs(world))
      await expect(ClientError.signsWithGate) { () throws(ClientError) in
        _ = try await world.user.$allowSigns(true, typing: passphrase)
      }
      try await world.auth.$updateGate(nil, typing: passphrase)
      _ = try await world.user.allowSigns(true)
      #expect(try await signs(world))
    }
  }

  @Test(
    "CHK-10, SCH-2: a sign before the next set time opens is not kept", arguments: Platform.allCases
  )
  func early(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    // It is 12:06 UTC.
    _ = try await world.checkIn.updateSchedule(SetTimes(parsing: "daily 09:00", zone: "UTC"))
    #expect(try await !signs(world))
    world.advance(.hours(16))
    #expect(try await signs(world))
    world.advance(.hours(1))
    #expect(try await !signs(world), "the next day's opens at 03:00")
    world.advance(.hours(23))
    #expect(try await signs(world))
    world.advance(.hours(24))
    #expect(try await !signs(world), "the third set time is the last")
  }

  // MARK: Links

  private func code(_ world: World) async throws -> String? {
    let user = try await world.user.currentUser()
    let email = try #require(user.profile.email)
    try await world.apply(
      Plan(deliveries: [
        PlannedDelivery(
          occasion: .deadline(sequence: user.checkInSequence), stage: .reminder(.minutes(30)),
          recipient: .owner, recipientName: user.profile.name, channel: .email, address: email)
      ]))
    return try await world.deliverAll().first { $0.stage == .reminder(.minutes(30)) }?.code?.value
  }

  @Test(
    "CHK-10, CHK-8: links and signs share one budget, in either order", arguments: Platform.allCases
  )
  func links(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    _ = try await world.user.allowLinkCheckIn(true)
    world.advance(.hours(22))
    // 23 hours after the true check-in.
    #expect(try await signs(world))
    world.advance(.hours(23))
    let first = try #require(try await code(world))
    #expect(try await world.responses.checkIn(first).state == .checkedIn(world.now))
    world.advance(.hours(1))
    #expect(try await signs(world), "47 hours")
    let second = try #require(try await code(world))
    world.advance(.hours(2))
    #expect(
      try await world.responses.checkIn(second).state == .limitReached, "not beyond 72 hours")
    #expect(try await !signs(world))
    #expect(try await code(world) == nil, "no message carries a link that can't check in")
    _ = try await world.checkIn.checkIn(.manual)
    world.advance(.hours(1))
    let third = try #require(try await code(world))
    #expect(try await world.responses.checkIn(third).state == .checkedIn(world.now))
  }

  @Test("CHK-10, CHK-8: signs between links don't give another link", arguments: Platform.allCases)
  func row(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    _ = try await world.user.allowLinkCheckIn(true)
    for _ in 1...2 {
      let code = try #require(try await code(world))
      #expect(try await world.responses.checkIn(code).state == .checkedIn(world.now))
      world.advance(.hours(1))
      #expect(try await signs(world))
      world.advance(.hours(1))
    }
    #expect(try await code(world) == nil)
  }

  // MARK: Elsewhere

  @Test("CHK-10: responders see that the last check-in was automatic", arguments: Platform.allCases)
  func seen(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let peer = try await world.openPeer("Cem")
    let theirs = try await world.befriend(peer, .responder).theirs
    #expect(try await signs(world))
    #expect(try await peer.contact(theirs.id).link?.dependentStatus?.lastSource == .automatic)
  }

  @Test("CHK-10: an export says nothing of the setting", arguments: Platform.allCases)
  func export(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    #expect(try await world.transfer.exportAccount().user.locks == [])
  }
}
