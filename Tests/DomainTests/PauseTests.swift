import Domain
import FoundationEssentials
import Testing

@Suite struct PauseTests {
  /// Saturday, 2026-11-21 08:00:00 UTC.
  let now = Date(timeIntervalSince1970: 1_795_248_000)

  func user(pausedUntil end: Date) -> User {
    User(
      id: UUID(), profile: Profile(name: "Ida"), lastCheckIn: now - .hours(2), pausedUntil: end,
      pausedAt: now, createdAt: now)
  }

  @Test("CHK-7: a pause must end within the next 30 days")
  func range() throws {
    #expect(try Pause(from: now, until: now + .days(30)).end == now + .days(30))
    for end in [now, now - .seconds(1), now + .days(30) + .seconds(1), .distantFuture] {
      #expect(throws: ValidationError.pauseRange) { try Pause(from: now, until: end) }
    }
  }

  @Test("CHK-7: after a pause, the whole interval starts at the pause's end")
  func deadline() {
    let deadline = user(pausedUntil: now + .days(2)).deadline
    #expect(deadline.date == now + .days(3))
    #expect(deadline.status(at: now + .days(2) - .seconds(1)) == .paused)
    #expect(deadline.status(at: now + .days(2)) == .ok)
    #expect(deadline.next(at: now) == now + .days(2))
    #expect(deadline.next(at: now + .days(2)) == now + .days(3))
  }

  @Test("CHK-7: a check-in during a pause has the whole interval as its margin")
  func margin() {
    let deadline = user(pausedUntil: now + .days(2)).deadline
    #expect(deadline.margin(at: now) == .hours(24))
    #expect(deadline.margin(at: now + .days(2) + .hours(1)) == .hours(23))
    #expect(deadline.margin(at: now + .days(3) + .hours(1)) == .hours(-1))
  }

  @Test("CHK-4: a paused countdown changes only when the shown time to the pause's end changes")
  func nextVisibleChange() {
    let deadline = user(pausedUntil: now + .hours(30)).deadline
    #expect(deadline.nextVisibleChange(after: now) == now + .seconds(1))
    #expect(deadline.nextVisibleChange(after: now + .seconds(1)) == now + .hours(1) + .seconds(1))
    #expect(deadline.nextVisibleChange(after: now + .hours(30) - .seconds(1)) == now + .hours(30))
  }

  @Test(
    "CHK-7: a pause's reminder comes 1 h before the end, or halfway through a pause under 2 h",
    arguments: [(48 * 60, 47 * 60), (120, 60), (60, 30), (10, 5)])
  func reminderTime(length: Int, reminder: Int) {
    let pause = Pause(start: now, end: now + .minutes(length))
    #expect(pause.reminderTime == now + .minutes(reminder))
  }

  @Test(
    "CHK-7: the end of a pause is typed as a duration, a time, a day or a date",
    arguments: [
      ("2d", 48 * 60), ("36h", 36 * 60), ("2026-11-22", 15 * 60), ("2026-11-22 09:30", 1_470),
      (" 2026-11-22T09:30 ", 1_470), ("2 weeks", 14 * 1_440), ("1w", 7 * 1_440),
      ("tomorrow", 15 * 60), ("Tomorrow 9:30", 1_470), ("until tomorrow 09:30", 1_470),
      ("18:00", 9 * 60), ("until 18:00", 9 * 60), ("today 18:00", 9 * 60), ("08:00", 23 * 60),
    ])
  func parsing(text: String, minutes: Int) throws {
    // A wall clock an hour ahead of UTC.
    let end = try Pause.end(
      parsing: text, now: now, calendar: .fixed(secondsFromGMT: 3_600))
    #expect(end == now + .minutes(minutes))
  }

  @Test(
    "CHK-7: a pause's end that can't be read, or isn't within the next 30 days, is refused",
    arguments: [
      ("", ValidationError.pauseEnd("")), ("banana", .pauseEnd("banana")),
      ("2026-02-30", .pauseEnd("2026-02-30")), ("2026-11-22 25:00", .pauseEnd("2026-11-22 25:00")),
      ("26-11-22", .pauseEnd("26-11-22")), ("2026-11-20", .pauseRange), ("31d", .pauseRange),
      ("0h", .pauseRange), ("99999999999d", .pauseRange), ("2027-11-22", .pauseRange),
    ])
  func refused(text: String, error: ValidationError) {
    #expect(throws: error) { try Pause.end(parsing: text, now: now, calendar: .utc) }
  }

  @Test(
    "Converting an instant to a local time and back gives the same instant",
    arguments: [0, 1, 180, 364])
  func localDates(day: Int) {
    let date = now + .days(day)
    #expect(CivilCalendar.local.date(of: CivilCalendar.local.time(of: date)) == date)
    #expect(CivilCalendar.utc.date(of: CivilCalendar.utc.time(of: date)) == date)
  }
}
