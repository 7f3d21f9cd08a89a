import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite("CheckInClient: set times", .timeLimit(.minutes(1)))
struct ScheduleContractTests {
  /// An account that checked in on Wednesday 2026-11-18 at 11:06:40 UTC and does so daily by 9.
  private func makeWorld(
    _ platform: Platform, _ times: String = "daily 09:00", zone: String = "UTC",
    responders: [ContactDraft] = []
  ) async throws -> World {
    let world = try World(platform)
    try await world.openAccount(responders: responders)
    _ = try await world.checkIn.updateSchedule(SetTimes(parsing: times, zone: zone))
    return world
  }

  private func date(_ text: String) -> Date {
    CivilCalendar.utc.date(of: CivilTime(parsing: text)!)!
  }

  /// Moves the clock to a time in UTC.
  private func goTo(_ text: String, _ world: World) {
    world.advance(.seconds(Int(date(text).timeIntervalSince(world.now).rounded(.up))))
  }

  @Test(
    "SCH-4: choosing set times is no check-in and gives a deadline in the future",
    arguments: Platform.allCases)
  func chooses(_ platform: Platform) async throws {
    let world = try World(platform)
    let opened = try await world.openAccount()
    let times = try SetTimes(parsing: "mon-fri 08:30, 18:00", zone: "Europe/Berlin")
    let user = try await world.checkIn.updateSchedule(times)
    #expect(user.schedule?.times == times)
    #expect(user.lastCheckIn == opened.lastCheckIn)
    #expect(user.checkInSequence == opened.checkInSequence + 1)
    #expect(user.deadline.date == date("2026-11-18 17:00"))
    #expect(user.deadline.start == date("2026-11-18 12:15"))
    #expect(try await world.user.currentUser() == user)
    #expect(try await world.checkIn.history(10).count == 1)
    #expect(try await world.dueAccount().user == user)
    // The reminders stay, although none is sent before a time opens.
    #expect(user.reminders == opened.reminders)
    _ = try await world.user.updateEscalation([.hours(48)], .zero, .hours(1))
    let back = try await world.checkIn.updateInterval(.standard)
    #expect(back.schedule == nil && back.reminders == [])
    #expect(back.deadline.date == opened.lastCheckIn + .hours(24))
  }

  @Test("SCH-3: a zone that isn't known is refused", arguments: Platform.allCases)
  func unknownZone(_ platform: Platform) async throws {
    let world = try World(platform)
    let opened = try await world.openAccount()
    let times = try SetTimes(parsing: "9:00", zone: "Mars/Olympus")
    await expect(ClientError.invalid(.zone("Mars/Olympus"))) { () throws(ClientError) in
      try await world.checkIn.updateSchedule(times)
    }
    #expect(try await world.user.currentUser() == opened)
  }

  @Test(
    "SCH-2: an early check-in is kept in the history and moves neither deadline nor sequence",
    arguments: Platform.allCases)
  func early(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let before = try await world.user.currentUser()
    goTo("2026-11-19 02:59", world)
    let early = try await world.checkIn.checkIn(.manual)
    #expect(early.lastCheckIn == world.now)
    #expect(early.deadline.date == date("2026-11-19 09:00"))
    #expect(early.checkInSequence == before.checkInSequence)
    #expect(early.schedule?.isEarly == true && early.schedule?.served == nil)
    world.advance(.seconds(30))
    _ = try await world.checkIn.checkIn(.commandLine)
    // Twice within a minute is one row; one that counts is another.
    world.advance(.seconds(30))
    let counted = try await world.checkIn.checkIn(.manual)
    #expect(counted.schedule?.isEarly == false)
    #expect(counted.schedule?.served == date("2026-11-19 09:00"))
    #expect(counted.deadline.date == date("2026-11-20 09:00"))
    #expect(counted.checkInSequence > early.checkInSequence)
    let history = try await world.checkIn.history(10)
    #expect(history.map(\.isEarly) == [false, true, false])
    #expect(history.map(\.margin) == [.hours(6), .minutes(361), nil])
    #expect(history.map(\.marginText) == ["6h left", "early", "first"])
    #expect(try await world.user.currentUser() == counted)
    // Statistics know only what counted.
    for try await record in world.checkIn.observeRecord(.utc) {
      #expect(record.closestCall?.margin == .hours(6) && record.medianMargin == .hours(6))
      break
    }
  }

  @Test(
    "SCH-2: a late check-in serves every time that has passed, and the next only if it is open",
    arguments: Platform.allCases)
  func late(_ platform: Platform) async throws {
    let world = try await makeWorld(platform, "daily 08:00, 12:00, 20:00", responders: [.bo])
    _ = try await world.checkIn.checkIn(.manual)
    goTo("2026-11-19 12:30", world)
    #expect(try await world.user.currentUser().deadline.date == date("2026-11-18 20:00"))
    let user = try await world.checkIn.checkIn(.manual)
    #expect(user.deadline.date == date("2026-11-19 20:00"))
    #expect(try await world.checkIn.history(1)[0].margin == .minutes(-990))
    // At 15:00 the evening's time is open: 16:00 is its middle, and 14:00 six hours before.
    goTo("2026-11-19 20:01", world)
    _ = try await world.checkIn.checkIn(.manual)
    goTo("2026-11-20 10:00", world)
    #expect(try await world.checkIn.checkIn(.manual).deadline.date == date("2026-11-20 20:00"))
  }

  @Test(
    "SCH-4: set times can't be chosen, changed or left while overdue", arguments: Platform.allCases)
  func overdue(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    goTo("2026-11-19 09:00", world)
    let before = try await world.user.currentUser()
    let times = try SetTimes(parsing: "daily 10:00", zone: "UTC")
    await expect(ClientError.checkInFirst) { () throws(ClientError) in
      try await world.checkIn.updateSchedule(times)
    }
    await expect(ClientError.checkInFirst) { () throws(ClientError) in
      try await world.checkIn.updateInterval(.standard)
    }
    #expect(try await world.user.currentUser() == before)
    // Nor may an interval bring the deadline into the past.
    _ = try await world.checkIn.checkIn(.manual)
    goTo("2026-11-20 04:00", world)
    let short = try CheckInInterval(.hours(8))
    await expect(ClientError.checkInFirst) { () throws(ClientError) in
      try await world.checkIn.updateInterval(short)
    }
  }

  @Test(
    "SCH-4: a pause that ends before a set time leaves it due; a check-in in it serves what is open",
    arguments: Platform.allCases)
  func pause(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let paused = try await world.checkIn.pause(date("2026-11-21 08:00"))
    #expect(paused.deadline.date == date("2026-11-21 09:00"))
    goTo("2026-11-20 04:00", world)
    let early = try await world.checkIn.checkIn(.manual)
    #expect(early.schedule?.isEarly == true)
    #expect(early.pausedUntil == paused.pausedUntil)
    #expect(early.deadline.date == date("2026-11-21 09:00"))
    goTo("2026-11-21 04:00", world)
    let served = try await world.checkIn.checkIn(.manual)
    #expect(served.deadline.date == date("2026-11-22 09:00"))
    #expect(served.pausedUntil == paused.pausedUntil)
    // A pause that was forgotten is over, and the set time stays due.
    goTo("2026-11-22 09:00", world)
    #expect(try await world.user.currentUser().deadline.status(at: world.now) == .overdue)
  }

  @Test(
    "SCH-4: resuming serves what is open, and no time that passed in the pause is missed",
    arguments: Platform.allCases)
  func resume(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    _ = try await world.checkIn.pause(date("2026-11-25 08:00"))
    goTo("2026-11-20 04:00", world)
    let user = try await world.checkIn.resume(.manual)
    #expect(user.pausedUntil == nil && user.schedule?.isEarly == false)
    // The pause ends then, also for a monitor that computes the deadline again.
    #expect(user.schedule?.since == world.now)
    #expect(user.deadline.date == date("2026-11-21 09:00"))
    #expect(try await world.checkIn.history(1)[0].margin == .hours(5))
    _ = try await world.checkIn.pause(date("2026-11-25 08:00"))
    goTo("2026-11-21 12:00", world)
    let resumed = try await world.checkIn.resume(.manual)
    #expect(resumed.deadline.date == date("2026-11-22 09:00"))
    #expect(resumed.schedule?.isEarly == true)
  }

  @Test(
    "CHK-3, SCH-4: only what brings help later needs the gate, and the responders are notified of it",
    arguments: Platform.allCases)
  func gate(_ platform: Platform) async throws {
    let world = try await makeWorld(platform, responders: [.bo])
    _ = try await world.deliverAll()
    try await world.auth.updateGate(Gate(passphrase: Secret("blue kettle")))
    func change(_ times: String, opening: TimeSpan = .hours(6)) async throws {
      let times = try SetTimes(parsing: times, zone: "UTC", opening: opening)
      _ = try await world.checkIn.updateSchedule(times)
    }
    // Earlier, more often, or a later opening.
    try await change("daily 08:00")
    try await change("daily 08:00, 20:00")
    try await change("daily 08:00, 20:00", opening: .hours(2))
    #expect(try await world.deliverAll() == [])
    for (times, opening) in [
      ("daily 08:00, 20:30", 2), ("daily 08:00, 20:00", 3), ("mon-fri 08:00; daily 20:00", 2),
    ] {
      let weaker = try SetTimes(parsing: times, zone: "UTC", opening: .hours(opening))
      await expect(ClientError.gate(.required)) { () throws(ClientError) in
        try await world.checkIn.updateSchedule(weaker)
      }
    }
    await expect(ClientError.gate(.required)) { () throws(ClientError) in
      try await world.checkIn.updateInterval(.standard)
    }
    let later = try SetTimes(parsing: "mon-fri 08:00", zone: "UTC")
    _ = try await world.checkIn.$updateSchedule(later, typing: Secret("blue kettle"))
    #expect(
      try await world.deliverAll().map(\.detail) == [
        "now checks in by 08:00 from Monday to Friday, from 6 hours before instead of by 08:00 and 20:00 every day, from 2 hours before"
      ])
  }

  @Test(
    "ESC-5, SCH-2: an early check-in that ends an alert begins a sequence, so the next can be raised",
    arguments: Platform.allCases)
  func earlyEnd(_ platform: Platform) async throws {
    let world = try await makeWorld(platform, responders: [.bo])
    let before = try await world.user.currentUser()
    // A clock was ahead, and has been set right since.
    let alert = Alert(
      id: UUID(), kind: .missed, raisedAt: world.now, sequence: before.checkInSequence)
    try await world.apply(Plan(missedAlert: alert, graceFrom: world.now))
    let early = try await world.checkIn.checkIn(.manual)
    #expect(early.schedule?.isEarly == true)
    #expect(early.deadline.date == before.deadline.date)
    #expect(early.checkInSequence > before.checkInSequence && early.graceFrom == nil)
    #expect(try await world.alerts.history(1)[0].alert.resolvedAt != nil)
    let next = Alert(
      id: UUID(), kind: .missed, raisedAt: world.now, sequence: early.checkInSequence)
    try await world.apply(Plan(missedAlert: next))
    #expect(try await world.alerts.history(1)[0].alert.id == next.id)
  }

  @Test(
    "CHK-3, SCH-4: another zone needs the gate where it brings help later, if only in summer",
    arguments: Platform.allCases)
  func zones(_ platform: Platform) async throws {
    let world = try await makeWorld(platform, zone: "Europe/Berlin", responders: [.bo])
    _ = try await world.deliverAll()
    // In winter both are at the same instant.
    let times = try SetTimes(parsing: "daily 08:00", zone: "UTC")
    _ = try await world.checkIn.updateSchedule(times)
    #expect(
      try await world.deliverAll().map(\.detail) == [
        "now checks in by 08:00 every day, UTC time instead of by 09:00 every day, Berlin time"
      ])
    _ = try await world.checkIn.updateSchedule(
      SetTimes(parsing: "daily 08:00", zone: "UTC", opening: .hours(12)))
    #expect(
      try await world.deliverAll().map(\.detail) == [
        "now checks in by 08:00 every day, from 12 hours before instead of by 08:00 every day, from 6 hours before"
      ])
  }

  @Test(
    "PNG-2, SCH-4: who asked learns that an early answer moves no deadline",
    arguments: Platform.allCases)
  func ping(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    let peer = try await world.openPeer("Cem")
    try await world.befriend(peer, [.responder, .dependent])
    let ida = try #require(try await peer.contacts.contacts().first)
    #expect(ida.link?.dependentStatus?.deadline.date == date("2026-11-19 09:00"))
    #expect(ida.link?.dependentStatus?.promise.text == "daily 09:00")
    for (time, detail) in [
      ("2026-11-19 01:00", "before the set time opened, so they are still due"),
      ("2026-11-19 04:00", ""),
    ] {
      goTo(time, world)
      _ = try await peer.pings.send(ida.id)
      _ = try await world.pings.answerAll()
      let seen = try await peer.notifications.notifications(1, .all)
      #expect(seen.map(\.kind) == [.pingAnswered] && seen.map(\.detail) == [detail])
    }
  }

  @Test(
    "An export keeps set times; older programs refuse it", arguments: Platform.all(but: .moving))
  func export(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    goTo("2026-11-19 01:00", world)
    _ = try await world.checkIn.checkIn(.manual)
    let export = try await world.transfer.exportAccount()
    let file = try export.encoded()
    #expect(String(decoding: file, as: UTF8.self).contains("\"version\" : 3"))
    let other = try World(platform)
    other.advance(.seconds(Int(world.now.timeIntervalSince(other.now))))
    _ = try await other.transfer.importAccount(AccountExport(decoding: file))
    let (there, here) = (
      try await other.user.currentUser().schedule, try await world.user.currentUser().schedule
    )
    #expect(there == here)
    #expect(try await other.checkIn.history(10) == world.checkIn.history(10))
    // One that counts begins a sequence beyond the numbers of early ones.
    goTo("2026-11-19 04:00", other)
    _ = try await other.checkIn.checkIn(.manual)
    #expect(try await other.checkIn.history(10).map(\.isEarly) == [false, true, false])
    _ = try await world.checkIn.updateInterval(.standard)
    let plain = try await world.transfer.exportAccount().encoded()
    #expect(String(decoding: plain, as: UTF8.self).contains("\"version\" : 2"))
  }

  @Test(
    "CHK-8, SCH-4: early check-ins by a link spend no budget, and each has a row",
    arguments: Platform.allCases)
  func links(_ platform: Platform) async throws {
    let world = try await makeWorld(platform)
    goTo("2026-11-19 01:00", world)
    let first = try await world.user.currentUser()
    _ = try await world.checkIn.checkIn(.link)
    _ = try await world.checkIn.checkIn(.link)
    let user = try await world.checkIn.checkIn(.link)
    #expect(user.checkInSequence == first.checkInSequence)
    #expect(try await world.checkIn.history(10).count { $0.isEarly } == 3)
  }
}
