import Clients
import Domain
import FoundationEssentials
import Testing

@testable import Monitor

/// Set times as monitors see them: SCH-2 … SCH-4.
@MainActor @Suite("SCH-1: monitors and set times", .timeLimit(.minutes(2)))
struct SetTimeTests {
  private static func date(_ text: String) -> Date {
    CivilCalendar.utc.date(of: CivilTime(parsing: text)!)!
  }

  /// What happens until a time in UTC, what is sent by then, and what is due after it.
  private struct Step: Sendable {
    var time: String
    var act: @Sendable (CheckInClient) async throws -> Void
    var sent: [String]
    var next: String

    static func checkIn(_ time: String, _ sent: [String] = [], next: String) -> Step {
      Step(time: time, act: { _ = try await $0.checkIn(.manual) }, sent: sent, next: next)
    }

    static func move(
      _ time: String, to zone: String, _ sent: [String] = [], next: String
    ) -> Step {
      Step(
        time: time,
        act: {
          _ = try await $0.updateSchedule(SetTimes(parsing: "daily 09:00, 18:00", zone: zone))
        }, sent: sent, next: next)
    }
  }

  @Test("SCH-2, SCH-3: ten days in three zones over two clock changes are as a table made by hand")
  func tenDays() async throws {
    let world = World()
    await world.sleep(until: Self.date("2027-10-29 12:00"))
    try await world.openAccount(
      responders: ["Bob"], email: "ada@example.org", reminders: [.hours(1)])
    let monitor = world.monitor()
    let steps: [Step] = [
      // Berlin's clocks show 14:00; they change on the 31st at 01:00 UTC.
      .move("2027-10-29 12:00", to: "Europe/Berlin", next: "2027-10-30 07:00"),
      .checkIn("2027-10-30 06:30", ["reminder:3600 Ada"], next: "2027-10-30 16:00"),
      .checkIn(
        "2027-10-30 17:00", ["reminder:3600 Ada", "deadline_passed Ada", "non_responsive Bob"],
        next: "2027-10-31 08:00"),
      // Early by a minute.
      .checkIn("2027-10-31 01:59", ["all_clear Bob"], next: "2027-10-31 08:00"),
      .checkIn("2027-10-31 07:10", ["reminder:3600 Ada"], next: "2027-10-31 17:00"),
      // As the evening's time opens.
      .checkIn("2027-10-31 12:30", next: "2027-11-01 08:00"),
      .checkIn("2027-11-01 07:30", ["reminder:3600 Ada"], next: "2027-11-01 17:00"),
      // New York's clocks show 6:00. The morning's time has been open since 7:00 UTC.
      .move("2027-11-01 10:00", to: "America/New_York", next: "2027-11-01 22:00"),
      .checkIn("2027-11-01 18:00", ["responder_notice Bob"], next: "2027-11-02 13:00"),
      Step(
        time: "2027-11-01 18:01", act: { _ = try await $0.pause(Self.date("2027-11-06 12:00")) },
        sent: [], next: "2027-11-06 13:00"),
      .checkIn(
        "2027-11-06 12:30", ["pause_ends Ada", "reminder:3600 Ada"], next: "2027-11-06 22:00"),
      .checkIn("2027-11-06 21:30", ["reminder:3600 Ada"], next: "2027-11-07 14:00"),
      // Their clocks changed at 6:00 UTC.
      .checkIn("2027-11-07 13:30", ["reminder:3600 Ada"], next: "2027-11-07 23:00"),
      // In Sydney it is Monday, 2:00.
      .move("2027-11-07 15:00", to: "Australia/Sydney", next: "2027-11-07 22:00"),
      .checkIn(
        // From April on, Sydney's evening is later than New York's.
        "2027-11-08 00:00",
        [
          "responder_notice Bob", "reminder:3600 Ada", "deadline_passed Ada", "non_responsive Bob",
          "non_responsive_again Bob",
        ],
        next: "2027-11-08 07:00"),
      .checkIn("2027-11-08 03:00", ["all_clear Bob"], next: "2027-11-08 22:00"),
    ]
    var count = 0
    for step in steps {
      await world.live(monitor, until: Self.date(step.time))
      let new = world.mailbox.arrivals.dropFirst(count)
      count += new.count
      #expect(
        new.map {
          "\($0.stage.name == "reminder" ? $0.stage.storageKey : $0.stage.name) \($0.name)"
        } == step.sent, "\(step.time)")
      try await step.act(world.clients.checkInClient)
      let user = try await world.clients.userClient.currentUser()
      #expect(user.deadline.date == Self.date(step.next), "after \(step.time)")
    }
  }

  private func user(reminders: [TimeSpan] = [.hours(12), .hours(2)]) throws -> User {
    var user = User.ada(email: "ada@example.org")
    user.reminders = reminders
    user.schedule = Schedule(
      try SetTimes(parsing: "daily 09:00", zone: "UTC"), from: user.lastCheckIn,
      lastCheckIn: user.lastCheckIn, pausedUntil: nil, rules: ZoneRules(posix: "UTC0")!)
    return user
  }

  private func plan(_ user: User, now: Date) -> Plan {
    Planner.plan(
      MonitoredAccount(user: user, revision: 1, responders: [.bob], alerts: [], deliveries: []),
      now: now, makeID: { .alert })
  }

  @Test("REM-1, SCH-4: no reminder comes before its set time opens")
  func reminders() throws {
    let user = try user()
    let due = user.deadline.date
    #expect(plan(user, now: due - .hours(11)).deliveries == [])
    #expect(plan(user, now: user.deadline.start + .minutes(1)).deliveries == [])
    #expect(plan(user, now: due - .hours(2)).deliveries == [.toAda(.reminder(.hours(2)))])
  }

  @Test("CHK-7, SCH-4: a reminder whose time lies in a pause comes at the pause's end")
  func remindersAfterPause() throws {
    var user = try user()
    let due = user.deadline.date
    (user.pausedAt, user.pausedUntil) = (due - .hours(6), due - .minutes(5))
    #expect(plan(user, now: due - .hours(2)).deliveries.allSatisfy { $0.stage == .pauseEnds })
    #expect(plan(user, now: due - .minutes(6)).nextPlanning == due - .minutes(5))
    #expect(plan(user, now: due - .minutes(5)).deliveries == [.toAda(.reminder(.hours(2)))])
  }

  @Test("SCH-3: a monitor looks at zone data again every hour")
  func looksAgain() throws {
    let user = try user(reminders: [])
    let now = user.lastCheckIn + .hours(1)
    #expect(plan(user, now: now).nextPlanning == now + .hours(1))
  }

  @Test("SCH-3: the earlier of the stored and the computed deadline counts, and is stored")
  func earlier() async throws {
    for (hours, isCorrected) in [(5, true), (-5, false)] {
      let world = World()
      try await world.openAccount(responders: ["Bob"])
      let user = try await world.clients.checkInClient.updateSchedule(
        SetTimes(parsing: "daily 09:00", zone: "UTC"))
      // As a machine with other zone data would have stored it.
      var wrong = try #require(user.schedule)
      wrong.next = wrong.next + .hours(hours)
      let account = try #require(try await world.clients.monitorClient.due(world.now, 10).first)
      var plan = Plan(nextPlanning: world.now)
      plan.earlierSchedule = wrong
      _ = try await world.clients.monitorClient.apply(plan, user.id, account.revision, world.now)
      var turns = MonitorTurns(loop: world.monitor())
      _ = await turns.next()
      let after = try await world.clients.userClient.currentUser()
      #expect(after.schedule?.next == (isCorrected ? user.schedule?.next : wrong.next), "\(hours)")
      let line = "differs from this machine's zone data"
      #expect(world.log.lines.contains { $0.contains(line) } == isCorrected)
    }
  }

  @Test("ESC-4, SCH-3: a deadline that zone data brings into the past has its grace time from now")
  func earlierThanNow() throws {
    var account = MonitoredAccount(
      user: try user(), revision: 1, responders: [.bob], alerts: [], deliveries: [])
    let due = account.user.deadline.date
    account.user.schedule?.next = due + .hours(1)
    #expect(account.checkSetTime() && account.user.deadline.date == due)
    let now = due + .minutes(30)
    let plan = Planner.plan(account, now: now, makeID: { .alert })
    #expect(plan.graceFrom == now && plan.missedAlert == nil)
    #expect(plan.earlierSchedule?.next == due)
    #expect(plan.deliveries == [.toAda(.noticedLate)])
  }

  @Test("ESC-1, SCH-3: without zone data, the stored deadline counts")
  func noZoneData() throws {
    var account = MonitoredAccount(
      user: try user(), revision: 1, responders: [.bob], alerts: [], deliveries: [])
    account.user.schedule?.times = try SetTimes(parsing: "daily 05:00", zone: "Nowhere/Land")
    let stored = account.user.schedule
    #expect(account.checkSetTime() == false && account.user.schedule == stored)
    let due = account.user.deadline.date
    #expect(plan(account.user, now: due).stagesToShow == [.deadlinePassed])
    // The next one follows from the rule that was stored.
    account.user.schedule?.moveOn(lastCheckIn: due, pausedUntil: nil)
    #expect(account.user.schedule?.next == due + .hours(20))
  }
}
