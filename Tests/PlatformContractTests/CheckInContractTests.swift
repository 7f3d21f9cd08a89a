import Clients
import Domain
import FoundationEssentials
import Testing

@Suite("CheckInClient", .timeLimit(.minutes(1)))
struct CheckInContractTests {
  @Test(
    "CHK-1: a check-in gets the store's time and moves the deadline", arguments: Platform.everywhere
  )
  func stamps(_ platform: Platform) async throws {
    let world = try World(platform)
    let opened = try await world.openAccount()
    world.advance(.hours(20))
    let user = try await world.checkIn.checkIn(.commandLine)
    #expect(user.lastCheckIn == world.now)
    #expect(user.checkInSequence == opened.checkInSequence + 1)
    #expect(user.deadline.date == world.now + .hours(24))
    #expect(try await world.user.currentUser() == user)
    let newest = try await world.checkIn.history(1)
    #expect(newest.map(\.source) == [.commandLine])
    #expect(newest.map(\.date) == [world.now])
    #expect(newest.map(\.margin) == [.hours(4)])
    #expect(newest.map(\.sequence) == [user.checkInSequence])
  }

  @Test(
    "CHK-1, CHK-7: a check-in returns the stored account, during a pause and after its end",
    arguments: Platform.everywhere)
  func answersWhatIsStored(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let end = world.now + .hours(2)
    _ = try await world.checkIn.pause(end)
    for expected in [end, nil] {
      world.advance(.hours(1))
      let user = try await world.checkIn.checkIn(.manual)
      #expect(user.pausedUntil == expected)
      #expect(try await world.user.currentUser() == user)
    }
  }

  @Test("CHK-1: a second check-in within 60 s adds no history row", arguments: Platform.everywhere)
  func repeatWithinAMinute(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    world.advance(.hours(2))
    let first = try await world.checkIn.checkIn(.manual)
    world.advance(.seconds(60))
    let second = try await world.checkIn.checkIn(.commandLine)
    #expect(second.lastCheckIn == world.now)
    #expect(second.checkInSequence == first.checkInSequence + 1)
    var history = try await world.checkIn.history(10)
    #expect(history.count == 2)
    #expect(history.first?.date == world.now)
    #expect(history.first?.margin == .hours(22))
    #expect(history.first?.sequence == second.checkInSequence)
    world.advance(.seconds(61))
    _ = try await world.checkIn.checkIn(.manual)
    history = try await world.checkIn.history(10)
    #expect(history.count == 3)
  }

  @Test(
    "CHK-1: check-ins within 60 s share a history row even if the interval changes in between",
    arguments: Platform.everywhere)
  func repeatAfterInterval(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    world.advance(.hours(2))
    _ = try await world.checkIn.checkIn(.manual)
    _ = try await world.checkIn.updateInterval(CheckInInterval(.hours(12)))
    world.advance(.seconds(30))
    let user = try await world.checkIn.checkIn(.manual)
    let history = try await world.checkIn.history(10)
    #expect(history.map(\.sequence) == [user.checkInSequence, 0])
    #expect(history.first?.date == world.now)
  }

  @Test(
    "ESC-5: after a clock step of 2 min back the last check-in stays; after 24 h it moves back",
    arguments: Platform.everywhere)
  func clockSteppedBack(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    world.advance(.hours(29))
    let ahead = try await world.checkIn.checkIn(.manual)
    world.advance(.hours(-24))
    let before = try await world.checkIn.checkIn(.manual)
    #expect(before.lastCheckIn == world.now)
    #expect(before.checkInSequence == ahead.checkInSequence + 1)
    #expect(try await world.checkIn.history(10).map(\.date).first == world.now)
    world.advance(.minutes(-2))
    let after = try await world.checkIn.checkIn(.manual)
    #expect(after.lastCheckIn == before.lastCheckIn)
    #expect(after.checkInSequence == before.checkInSequence + 1)
    #expect(try await world.checkIn.history(10).count == 3)
  }

  @Test(
    "CHK-5: the check-in history is newest first and limited to the requested length",
    arguments: Platform.everywhere)
  func history(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    for _ in 0..<5 {
      world.advance(.hours(23))
      _ = try await world.checkIn.checkIn(.manual)
    }
    let all = try await world.checkIn.history(100)
    #expect(all.map(\.sequence) == [5, 4, 3, 2, 1, 0])
    #expect(all.map(\.margin) == Array(repeating: .hours(1), count: 5) + [nil])
    #expect(try await world.checkIn.history(2) == Array(all.prefix(2)))
    #expect(try await world.checkIn.history(0) == [])
    #expect(Set(all.map(\.id)).count == 6)
  }

  @Test("CHK-5: the history shows how late a check-in was", arguments: Platform.everywhere)
  func lateMargin(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    world.advance(.hours(25))
    _ = try await world.checkIn.checkIn(.manual)
    #expect(try await world.checkIn.history(1).first?.margin == .hours(-1))
  }

  @Test("CHK-6: a late check-in ends a missed alert", arguments: Platform.everywhere)
  func endsMissedAlert(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    world.advance(.hours(25))
    let missed = Alert(id: UUID(), kind: .missed, raisedAt: world.now, sequence: 0)
    try await world.apply(Plan(missedAlert: missed))
    world.advance(.minutes(3))
    _ = try await world.checkIn.checkIn(.manual)
    let reports = try await world.alerts.history(10)
    #expect(reports.map(\.alert.resolvedAt) == [world.now])
  }

  @Test("CHK-6: a check-in does not clear a manual alert", arguments: Platform.everywhere)
  func leavesManualAlert(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let alert = try await world.alerts.raise("")
    world.advance(.hours(1))
    _ = try await world.checkIn.checkIn(.manual)
    #expect(try await world.alerts.history(10).map(\.alert) == [alert])
  }

  @Test(
    "INT-1: changing the interval sets a new deadline and is not a check-in",
    arguments: Platform.everywhere)
  func updateInterval(_ platform: Platform) async throws {
    let world = try World(platform)
    let before = try await world.openAccount()
    world.advance(.hours(2))
    let interval = try CheckInInterval(.hours(12))
    let after = try await world.checkIn.updateInterval(interval)
    #expect(after.interval == interval)
    #expect(after.lastCheckIn == before.lastCheckIn)
    #expect(after.checkInSequence == before.checkInSequence + 1)
    #expect(after.reminders == [.minutes(30)])
    #expect(try await world.checkIn.history(10).count == 1)
  }

  @Test(
    "INT-1: shortening the interval removes reminders that are no longer shorter",
    arguments: Platform.everywhere)
  func updateIntervalDropsReminders(_ platform: Platform) async throws {
    let world = try World(platform)
    _ = try await world.auth.createAccount(
      NewAccount(
        profile: Profile(name: "Ida"), reminders: [.hours(2), .hours(1), .minutes(59)]))
    let user = try await world.checkIn.updateInterval(CheckInInterval(.hours(1)))
    #expect(user.reminders == [.minutes(59)])
    #expect(try await world.user.currentUser() == user)
  }

  @Test("An observer of the check-in history sees each check-in", arguments: Platform.everywhere)
  func observeHistory(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    var changes = world.checkIn.observeHistory(2).makeAsyncIterator()
    #expect(try await changes.next()?.map(\.sequence) == [0])
    world.advance(.hours(1))
    _ = try await world.checkIn.checkIn(.manual)
    #expect(try await changes.next()?.map(\.sequence) == [1, 0])
    world.advance(.hours(1))
    _ = try await world.checkIn.checkIn(.manual)
    #expect(try await changes.next()?.map(\.sequence) == [2, 1])
  }
}

extension CheckInContractTests {
  @Test(
    "CHK-5: the history can be read from an instant on, newest first",
    arguments: Platform.everywhere)
  func historySince(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    for _ in 0..<3 {
      world.advance(.hours(20))
      _ = try await world.checkIn.checkIn(.manual)
    }
    let all = try await world.checkIn.history(10)
    #expect(try await world.checkIn.historySince(.distantPast) == all)
    #expect(try await world.checkIn.historySince(all[1].date) == Array(all.prefix(2)))
    #expect(try await world.checkIn.historySince(world.now + .seconds(1)) == [])
  }

  @Test(
    "CHK-5: the record covers the last year and updates with each check-in",
    arguments: Platform.all(but: .sessionsLast))
  func record(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    world.advance(.days(400))
    var records = world.checkIn.observeRecord(.utc).makeAsyncIterator()
    #expect(try await records.next() == CheckInRecord())
    let late = try await world.checkIn.checkIn(.manual)
    let day = CivilCalendar.utc.time(of: world.now).dayNumber
    let record = try #require(try await records.next())
    #expect(record.marks == [day: .late])
    #expect(record.keptSince == late.lastCheckIn)
  }
}

extension CheckInContractTests {
  @Test(
    "CHK-5: the record marks each day with a check-in in the last year and the closest call",
    arguments: Platform.all(but: .sessionsLast))
  func recordOfMany(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    world.advance(.days(400))
    _ = try await world.checkIn.checkIn(.manual)
    var marks = [CivilCalendar.utc.time(of: world.now).dayNumber: CheckInRecord.Mark.late]
    for _ in 0..<3 {
      world.advance(.hours(23))
      _ = try await world.checkIn.checkIn(.manual)
      marks[CivilCalendar.utc.time(of: world.now).dayNumber] = .onTime
    }
    let closest = world.now
    world.advance(.hours(3))
    _ = try await world.checkIn.checkIn(.manual)
    var records = world.checkIn.observeRecord(.utc).makeAsyncIterator()
    let record = try #require(try await records.next())
    #expect(record.marks == marks)
    #expect(record.closestCall?.date == closest)
  }

  @Test(
    "DUR-2: lengthening the interval notifies responders; shortening or keeping it doesn't",
    arguments: Platform.everywhere)
  func sameInterval(_ platform: Platform) async throws {
    let world = try World(platform)
    let user = try await world.openAccount(responders: [.bo])
    for hours in [24, 12, 13] {
      _ = try await world.checkIn.updateInterval(CheckInInterval(.hours(hours)))
      let notices = try await world.deliverAll().map(\.detail)
      #expect(
        notices == (hours == 13 ? ["now checks in every 13 hours instead of every 12 hours"] : []),
        "\(user.interval) → \(hours)h")
    }
  }
}
