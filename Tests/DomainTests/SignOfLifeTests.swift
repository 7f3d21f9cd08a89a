import Domain
import FoundationEssentials
import Testing

@Suite("CHK-10: whether a sign of life counts")
struct SignOfLifeTests {
  /// A Wednesday, 11:06:40 UTC.
  private static let start = Date(timeIntervalSince1970: 1_795_000_000)

  /// A person who checked in at ``start`` and does so every day.
  private func user(_ interval: TimeSpan = .hours(24), locks: User.Locks = .signsOfLife) -> User {
    User(
      id: UUID(), profile: Profile(name: "Ida"), interval: try! CheckInInterval(interval),
      lastCheckIn: Self.start, createdAt: Self.start, locks: locks)
  }

  private func user(_ times: String) throws -> User {
    try user().changing(to: .setTimes(SetTimes(parsing: times, zone: "UTC")), at: Self.start)
  }

  private func refusal(
    _ user: User, after span: TimeSpan, lastTrue: Date? = start, isAlertShown: Bool = false
  ) -> SignOfLife.Refusal? {
    SignOfLife(of: user, lastTrueCheckIn: lastTrue, isAlertShown: isAlertShown)
      .refusal(at: Self.start + span)
  }

  @Test("CHK-10: a sign counts from half an hour after the last check-in until the deadline")
  func counts() {
    let user = user()
    #expect(refusal(user, after: .zero) == .tooSoon)
    #expect(refusal(user, after: .seconds(1_799)) == .tooSoon)
    #expect(refusal(user, after: .minutes(30)) == nil)
    #expect(refusal(user, after: .seconds(86_399)) == nil)
    #expect(refusal(user, after: .hours(24)) == .overdue)
    #expect(refusal(user, after: .days(30)) == .overdue)
    // The last check-in was stamped by a clock that was ahead.
    #expect(refusal(user, after: .hours(-3)) == .tooSoon)
  }

  @Test(
    "CHK-10: none counts while signs are off, with a gate, in a pause or while an alert is on")
  func refused() {
    #expect(refusal(user(locks: []), after: .hours(1)) == .off)
    #expect(refusal(user(locks: .linkCheckIn), after: .hours(1)) == .off)
    #expect(refusal(user(locks: [.signsOfLife, .gate]), after: .hours(1)) == .gate)
    #expect(refusal(user(locks: [.signsOfLife, .password, .linkCheckIn]), after: .hours(1)) == nil)
    #expect(refusal(user(), after: .hours(1), isAlertShown: true) == .alert)
    var paused = user()
    (paused.pausedAt, paused.pausedUntil) = (Self.start + .hours(1), Self.start + .hours(5))
    #expect(refusal(paused, after: .hours(2)) == .paused)
    // After a pause the deadline is later, but the budget isn't.
    #expect(refusal(paused, after: .hours(5)) == nil)
    paused.pausedUntil = Self.start + .days(3)
    #expect(refusal(paused, after: .days(3)) == .budgetSpent)
  }

  @Test(
    "CHK-10: signs carry the deadline to 3 intervals after the last true check-in, never over 7 days",
    arguments: [
      (TimeSpan.hours(1), TimeSpan.hours(3)), (.hours(24), .hours(72)), (.hours(56), .days(7)),
      (.days(3), .days(7)), (.days(7), .days(7)), (.days(30), .days(7)),
    ])
  func budget(_ interval: TimeSpan, _ limit: TimeSpan) {
    var user = user(interval)
    let sign = SignOfLife(of: user, lastTrueCheckIn: Self.start, isAlertShown: false)
    #expect(sign.limit(at: Self.start) == Self.start + limit)
    // Signs every half hour for as long as they count.
    var now = Self.start
    var latest = user.deadline.date
    while now < latest {
      now = now + .minutes(30)
      let sign = SignOfLife(of: user, lastTrueCheckIn: Self.start, isAlertShown: false)
      guard sign.refusal(at: now) == nil else { continue }
      user.lastCheckIn = now
      latest = user.deadline.date
      #expect(latest <= Self.start + limit)
    }
    #expect(latest == Self.start + (interval < limit ? limit : interval))
    // What the person does themselves begins another budget.
    let checkedIn = SignOfLife(of: user, lastTrueCheckIn: now - .hours(1), isAlertShown: false)
    #expect(checkedIn.limit(at: now) == now - .hours(1) + limit)
  }

  @Test(
    "CHK-10, SCH-2: with set times, signs carry the deadline to the third after the last true check-in",
    arguments: [
      // The check-in at 11:06 on Wednesday was for none of these, so the first is the next.
      ("daily 09:00", "2026-11-21 09:00"), ("daily 08:00, 12:30, 20:00", "2026-11-19 12:30"),
      ("mon-fri 09:00", "2026-11-23 09:00"), ("wed 12:00", "2026-11-25 11:06"),
    ])
  func setTimes(_ text: String, _ limit: String) throws {
    let sign = SignOfLife(of: try user(text), lastTrueCheckIn: Self.start, isAlertShown: false)
    let date = CivilCalendar.utc.date(of: CivilTime(parsing: limit)!)!
    #expect(abs(sign.limit(at: Self.start).timeIntervalSince(date)) < 60)
  }

  @Test("CHK-10, SCH-2: a sign before the next set time opens changes nothing")
  func early() throws {
    var user = try user("daily 09:00")
    // 09:00 opens at 03:00.
    #expect(refusal(user, after: .hours(15)) == .early)
    #expect(refusal(user, after: .hours(16)) == nil)
    for _ in 1...2 {
      let now = user.schedule!.opens + .hours(1)
      let sign = SignOfLife(of: user, lastTrueCheckIn: Self.start, isAlertShown: false)
      #expect(sign.refusal(at: now) == nil)
      user.lastCheckIn = now
      user.schedule!.moveOn(lastCheckIn: now, pausedUntil: nil)
    }
    let last = user.schedule!.opens + .hours(1)
    let sign = SignOfLife(of: user, lastTrueCheckIn: Self.start, isAlertShown: false)
    #expect(sign.refusal(at: last) == .budgetSpent)
  }

  @Test("CHK-10: other times don't stretch the budget, and neither does a clock that was ahead")
  func unstretched() throws {
    var changed = try user("daily 09:00")
    changed.schedule!.since = Self.start + .days(2)
    let sign = SignOfLife(of: changed, lastTrueCheckIn: Self.start, isAlertShown: false)
    #expect(sign.limit(at: Self.start) < Self.start + .days(3))
    let lead = CheckIn.maximumClockLead
    let ahead = SignOfLife(of: user(), lastTrueCheckIn: Self.start + lead, isAlertShown: false)
    #expect(ahead.limit(at: Self.start) == Self.start + .days(3))
    let farAhead = SignOfLife(
      of: user(), lastTrueCheckIn: Self.start + .days(3), isAlertShown: false)
    #expect(!farAhead.isWithinLimit(at: Self.start))
    // Where no true check-in is known, none counts.
    #expect(refusal(user(), after: .hours(1), lastTrue: nil) == .budgetSpent)
  }

  @Test("CHK-10: true check-ins are all but signs and links", arguments: CheckIn.Source.allCases)
  func trueCheckIns(_ source: CheckIn.Source) {
    #expect(source.isTrue == ![.automatic, .link].contains(source))
    let checkIns = [(CheckIn.Source.link, 3), (.automatic, 2), (source, 1), (.manual, 0)].map {
      CheckIn(
        id: UUID(), date: Self.start + .hours($0.1), source: $0.0, sequence: $0.1, margin: nil)
    }
    let sign = SignOfLife(of: user(), after: checkIns, isAlertShown: false)
    #expect(sign.lastTrueCheckIn == Self.start + .hours(source.isTrue ? 1 : 0))
  }

  @Test("CHK-10, OUT-2: no sign counts while an outing is on")
  func outing() throws {
    var user = user()
    #expect(refusal(user, after: .hours(1)) == nil)
    user.outing = Outing(
      id: UUID(), text: "", until: Self.start + .hours(4), startedAt: Self.start)
    #expect(refusal(user, after: .hours(1)) == .outing)
    #expect(refusal(user, after: .hours(6)) == .outing)
  }
}
