import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite("CheckInClient: pauses", .timeLimit(.minutes(1)))
struct PauseContractTests {
  @Test("CHK-7: a pause moves the deadline and is not a check-in", arguments: Platform.allCases)
  func pauses(_ platform: Platform) async throws {
    let world = try World(platform)
    let opened = try await world.openAccount()
    world.advance(.hours(20))
    let user = try await world.checkIn.pause(world.now + .days(3))
    #expect(user.pause == Pause(start: world.now, end: world.now + .days(3)))
    #expect(user.lastCheckIn == opened.lastCheckIn)
    #expect(user.checkInSequence == opened.checkInSequence + 1)
    #expect(user.deadline.date == world.now + .days(4))
    #expect(try await world.user.currentUser() == user)
    #expect(try await world.checkIn.history(10).count == 1)
    // The account is due for the monitor.
    #expect(try await world.dueAccount().user == user)
  }

  @Test("CHK-7: a pause must end in the future and within 30 days", arguments: Platform.allCases)
  func range(_ platform: Platform) async throws {
    let world = try World(platform)
    let opened = try await world.openAccount()
    for end in [world.now, world.now - .hours(1), world.now + .days(30) + .seconds(1)] {
      await expect(ClientError.invalid(.pauseRange)) { () throws(ClientError) in
        try await world.checkIn.pause(end)
      }
    }
    #expect(try await world.user.currentUser() == opened)
  }

  @Test("CHK-7: a person who is overdue must check in before pausing", arguments: Platform.allCases)
  func overdue(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    world.advance(.hours(24))
    await expect(ClientError.checkInFirst) { () throws(ClientError) in
      try await world.checkIn.pause(world.now + .days(1))
    }
    // A longer interval moves the missed deadline, but its alert stays.
    try await world.apply(
      Plan(missedAlert: Alert(id: UUID(), kind: .missed, raisedAt: world.now, sequence: 0)))
    _ = try await world.checkIn.updateInterval(CheckInInterval(.hours(72)))
    await expect(ClientError.checkInFirst) { () throws(ClientError) in
      try await world.checkIn.pause(world.now + .days(1))
    }
    _ = try await world.checkIn.checkIn(.manual)
    _ = try await world.checkIn.pause(world.now + .days(1))
  }

  @Test(
    "CHK-7: a check-in during a pause keeps the pause; a check-in after its end removes the pause",
    arguments: Platform.allCases)
  func checkInDuringPause(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let end = world.now + .days(3)
    _ = try await world.checkIn.pause(end)
    world.advance(.days(1))
    let during = try await world.checkIn.checkIn(.manual)
    #expect(during.pausedUntil == end && during.lastCheckIn == world.now)
    #expect(during.deadline.date == end + .hours(24))
    #expect(try await world.checkIn.history(1).first?.margin == .hours(24))
    world.advance(.hours(53))
    let after = try await world.checkIn.checkIn(.manual)
    #expect(after.pause == nil)
    #expect(after.deadline.date == world.now + .hours(24))
    #expect(try await world.checkIn.history(1).first?.margin == .hours(19))
  }

  @Test("CHK-7: resuming is a check-in that ends the pause", arguments: Platform.allCases)
  func resumes(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let paused = try await world.checkIn.pause(world.now + .days(3))
    world.advance(.hours(5))
    let user = try await world.checkIn.resume(.commandLine)
    #expect(user.pause == nil)
    #expect(user.lastCheckIn == world.now)
    #expect(user.checkInSequence == paused.checkInSequence + 1)
    #expect(user.deadline.date == world.now + .hours(24))
    #expect(try await world.checkIn.history(1).first?.source == .commandLine)
    await expect(ClientError.notPaused) { () throws(ClientError) in
      try await world.checkIn.resume(.manual)
    }
  }

  @Test("CHK-7: a new pause replaces the running pause", arguments: Platform.allCases)
  func replaces(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    _ = try await world.checkIn.pause(world.now + .days(3))
    world.advance(.hours(1))
    let user = try await world.checkIn.pause(world.now + .hours(1))
    #expect(user.pause == Pause(start: world.now, end: world.now + .hours(1)))
  }

  @Test("CHK-7: an ended pause cannot be resumed", arguments: Platform.allCases)
  func ended(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    _ = try await world.checkIn.pause(world.now + .hours(3))
    world.advance(.hours(3))
    await expect(ClientError.notPaused) { () throws(ClientError) in
      try await world.checkIn.resume(.manual)
    }
    #expect(try await world.user.currentUser().deadline.status(at: world.now) == .ok)
  }

  @Test("CHK-3: pausing and resuming need the gate's passphrase", arguments: Platform.allCases)
  func gate(_ platform: Platform) async throws {
    let world = try World(platform)
    let opened = try await world.openAccount()
    try await world.auth.updateGate(
      Gate(passphrase: Secret("tulip"), duress: Secret("rose garden")))
    let end = world.now + .days(1)
    await expect(ClientError.gate(.required)) { () throws(ClientError) in
      try await world.checkIn.pause(end)
    }
    await expect(ClientError.gate(.wrong)) { () throws(ClientError) in
      try await world.checkIn.$pause(end, typing: Secret("turnip"))
    }
    #expect(try await world.user.currentUser().pause == nil)
    let paused = try await world.checkIn.$pause(end, typing: Secret("tulip"))
    #expect(paused.pausedUntil == end)
    await expect(ClientError.gate(.required)) { () throws(ClientError) in
      try await world.checkIn.resume(.manual)
    }
    let resumed = try await world.checkIn.$resume(.manual, typing: Secret("tulip"))
    #expect(resumed.pause == nil && resumed.id == opened.id)
  }

  @Test(
    "CHK-3: a pause under duress looks the same and raises a silent alert",
    arguments: Platform.allCases)
  func duress(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    try await world.auth.updateGate(
      Gate(passphrase: Secret("tulip"), duress: Secret("rose garden")))
    let end = world.now + .days(1)
    let paused = try await world.checkIn.$pause(end, typing: Secret("rose garden"))
    #expect(paused.pausedUntil == end)
    #expect(try await world.alerts.history(10) == [])
    #expect(try await world.dueAccount().alerts.map(\.kind) == [.duress])
  }
}
