import Domain
import FoundationEssentials
import Testing

@Suite struct DeadlineTests {
  let start = Date(timeIntervalSince1970: 1_795_000_000)

  func deadline(hours: Int = 24, graceMinutes: Int = 15) throws -> Deadline {
    Deadline(
      lastCheckIn: start, interval: try CheckInInterval(.hours(hours)),
      grace: .minutes(graceMinutes))
  }

  @Test("INT-2: the deadline is the last check-in plus the interval")
  func date() throws {
    #expect(try deadline().date == start.addingTimeInterval(86_400))
    #expect(try deadline().graceEnd == start.addingTimeInterval(86_400 + 900))
  }

  @Test(
    "CHK-4: urgency is calm above 50 % left, warning above 20 %, urgent above 0 %, else overdue",
    arguments: [
      (0, Urgency.calm), (43_199, .calm), (43_200, .warning), (69_119, .warning),
      (69_120, .urgent), (86_399, .urgent), (86_400, .overdue), (100_000, .overdue),
    ])
  func urgency(elapsed: Int, expected: Urgency) throws {
    #expect(try deadline().urgency(at: start + .seconds(elapsed)) == expected)
  }

  @Test(
    "ORD-2: ok, due soon, overdue and non-responsive follow from the deadline and the clock",
    arguments: [
      (-5, CheckInStatus.ok), (0, .ok), (69_119, .ok), (69_120, .dueSoon), (86_399, .dueSoon),
      (86_400, .overdue), (87_299, .overdue), (87_300, .nonResponsive),
    ])
  func status(elapsed: Int, expected: CheckInStatus) throws {
    #expect(try deadline().status(at: start + .seconds(elapsed)) == expected)
  }

  @Test("ESC-1: without grace the person is non-responsive at the deadline")
  func noGrace() throws {
    #expect(try deadline(graceMinutes: 0).status(at: start + .hours(24)) == .nonResponsive)
  }

  @Test("CHK-4: the share left is within 0 and 1 even before the check-in and after the deadline")
  func share() throws {
    let deadline = try deadline()
    #expect(deadline.shareLeft(at: start - .hours(1)) == 1)
    #expect(deadline.shareLeft(at: start + .hours(6)) == 0.75)
    #expect(deadline.shareLeft(at: start + .hours(30)) == 0)
  }

  @Test("CHK-4: what the countdown shows changes exactly at the times that nextVisibleChange gives")
  func nextVisibleChange() throws {
    let deadline = try deadline(hours: 26)
    func picture(_ now: Date) -> String {
      let left = TimeSpan(seconds: deadline.secondsLeft(at: now))
      return "\(left.countdownDescription) \(left.seconds > 0) \(deadline.urgency(at: now)) "
        + "\(deadline.status(at: now))"
    }
    var now = start.addingTimeInterval(0.25)
    let end = deadline.graceEnd + .hours(2)
    var steps = 0
    while now < end {
      let next = deadline.nextVisibleChange(after: now)
      try #require(next > now)
      #expect(picture(next.addingTimeInterval(-0.01)) == picture(now), "\(now)")
      #expect(picture(next) != picture(now), "\(now)")
      now = next
      steps += 1
    }
    // One step a minute or an hour, except in the hours around the deadline.
    #expect(steps < 2 * 3_700 + 26 * 60 + 200)
  }
}

@Suite struct AlertTriggerTests {
  let start = Date(timeIntervalSince1970: 1_795_000_000)

  @Test("ALT-1: the fifth press fires if each press comes at most 1 s after the press before")
  func five() {
    var trigger = AlertTrigger()
    for press in 0..<4 {
      let fired = trigger.press(at: start + .seconds(press))
      #expect(!fired)
      #expect(trigger.presses == press + 1)
    }
    #expect(trigger.progress == 0.8)
    let fired = trigger.press(at: start + .seconds(4))
    #expect(fired)
  }

  @Test("ALT-1: a press more than 1 s after the last starts the count at one again")
  func late() {
    var trigger = AlertTrigger()
    for press in 0..<4 { _ = trigger.press(at: start + .seconds(press)) }
    let tooLate = start.addingTimeInterval(4.01)
    let fired = trigger.press(at: tooLate)
    #expect(!fired)
    #expect(trigger.presses == 1)
  }
}

@Suite struct CivilCalendarTests {
  let now = Date(timeIntervalSince1970: 1_795_255_320)  // 2026-11-21 10:02:00 UTC

  @Test func civilTime() {
    let time = CivilCalendar.utc.time(of: now)
    #expect(time.dateText == "2026-11-21")
    #expect(time.clock == "10:02")
    #expect(time.weekdayName == "Sat")
    #expect(CivilCalendar.fixed(secondsFromGMT: 86_400).time(of: now).day == 22)
  }

  @Test("INT-2: a date is shown as today, tomorrow, yesterday or a weekday, else as year-month-day")
  func describe() {
    func text(_ span: TimeSpan) -> String { CivilCalendar.utc.describe(now + span, now: now) }
    #expect(text(.zero) == "today 10:02")
    #expect(text(.days(1)) == "tomorrow 10:02")
    #expect(text(.days(-1)) == "yesterday 10:02")
    #expect(text(.days(3)) == "Tue 10:02")
    #expect(text(.days(30)) == "2026-12-21 10:02")
  }

  @Test func dayNumberCountsDaysSince1970() {
    let time = CivilCalendar.utc.time(of: Date(timeIntervalSince1970: 0))
    #expect(time.dayNumber == 0)
    for day in stride(from: -200_000, through: 200_000, by: 997) {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400)
      #expect(CivilCalendar.utc.time(of: date).dayNumber == day)
    }
  }

  @Test func rfc3339() {
    #expect(now.rfc3339 == "2026-11-21T10:02:00Z")
  }
}

@Suite struct CancelTriggerTests {
  private let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

  /// Presses `x` at these seconds after the panel was opened.
  private func presses(_ seconds: [Double], isRepeat: Bool = false) -> Int {
    var trigger = CancelTrigger(openedAt: start)
    for second in seconds { _ = trigger.press(at: start + second, isRepeat: isRepeat) }
    return trigger.presses
  }

  @Test(
    "ALT-2: presses of x count if they are 0.1 to 2 s apart",
    arguments: [
      ([0.3, 0.6, 0.9, 1.2, 1.5], 5), ([2, 4, 6, 8, 10], 5), ([0.12, 0.24, 0.36, 0.48, 0.6], 5),
      // The repeats of the press that opened the panel, and of each later one.
      ([0.03, 0.06, 0.09, 0.12, 0.15], 0), ([0.5, 0.53, 0.56, 0.59, 0.62], 1),
      // A trembling hand hits each key twice.
      ([0.5, 0.57, 1, 1.06, 1.5, 1.58, 2, 2.05], 4),
      ([1, 2, 3, 4, 6.1], 1), ([1, 2, 3, 4, 6], 5),
      // A clock that is set back in between says nothing.
      ([1, 2, -50, -49, -48], 5),
    ] as [([Double], Int)])
  func pauses(seconds: [Double], count: Int) { #expect(presses(seconds) == count) }

  @Test("ALT-2: key repeats that the terminal reports never count as presses")
  func repeats() { #expect(presses((1...50).map { Double($0) / 2 }, isRepeat: true) == 0) }
}
