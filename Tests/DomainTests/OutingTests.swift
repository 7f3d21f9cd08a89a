import Domain
import FoundationEssentials
import Testing

@Suite struct OutingTests {
  /// Saturday, 2026-11-21 08:00:00 UTC.
  let now = Date(timeIntervalSince1970: 1_795_248_000)

  func outing(_ end: String, zone: String = "UTC", at date: Date? = nil) throws -> Outing {
    try OutingDraft(end: end, zone: zone).outing(UUID(), at: date ?? now)
  }

  @Test(
    "OUT-1: an end is a time of day in its zone, with or without a day, or a span",
    arguments: [
      ("18:00", "UTC", "2026-11-21 18:00", false), ("7:30", "UTC", "2026-11-22 07:30", false),
      ("18:00", "Europe/Berlin", "2026-11-21 17:00", false),
      ("tomorrow 9:00", "America/New_York", "2026-11-22 14:00", false),
      ("2026-11-25 18:00", "UTC", "2026-11-25 18:00", false),
      ("until 18:00", "UTC", "2026-11-21 18:00", false),
      ("4h", "Asia/Tokyo", "2026-11-21 12:00", true), ("2d 12h", "UTC", "2026-11-23 20:00", true),
    ])
  func ends(_ typed: String, _ zone: String, _ end: String, _ isSpan: Bool) throws {
    let outing = try outing(typed, zone: zone)
    #expect(outing.until == CivilCalendar.utc.date(of: CivilTime(parsing: end)!))
    #expect(outing.measuredAt == (isSpan ? now : nil))
  }

  @Test("OUT-1, SCH-3: an end that a clock change skips is the first instant after it")
  func skipped() throws {
    let before = CivilCalendar.utc.date(of: CivilTime(parsing: "2027-03-27 20:00")!)!
    let outing = try outing("2027-03-28 02:30", zone: "Europe/Berlin", at: before)
    #expect(outing.until == CivilCalendar.utc.date(of: CivilTime(parsing: "2027-03-28 01:00")!))
  }

  @Test("OUT-1: tomorrow and the next 8:00 are of the next day, also around a clock change")
  func aroundClockChanges() throws {
    func date(_ text: String) -> Date { CivilCalendar.utc.date(of: CivilTime(parsing: text)!)! }
    let eve = date("2027-03-27 22:30")
    #expect(try outing("08:00", zone: "Europe/Berlin", at: eve).until == date("2027-03-28 06:00"))
    let night = date("2027-10-30 22:30")
    #expect(
      try outing("tomorrow 9:00", zone: "Europe/Berlin", at: night).until
        == date("2027-11-01 08:00"))
  }

  @Test("OUT-1: an hour needs no zero before it")
  func shortHour() throws {
    #expect(try outing("2026-11-22 9:00").until == outing("2026-11-22 09:00").until)
    #expect(try outing("tomorrow 9:00").until == outing("tomorrow 09:00").until)
  }

  @Test("OUT-1: the end of an outing is cut to whole seconds")
  func wholeSeconds() throws {
    let outing = try outing("4h", at: now.addingTimeInterval(0.437))
    #expect(outing.until == now + .hours(4))
    let later = try outing.extended(by: .minutes(30), at: outing.until.addingTimeInterval(60.7))
    #expect(later.until == now + .hours(4) + .minutes(31))
  }

  @Test("OUT-1: an outing takes 10 minutes to 14 days, and nothing else is understood")
  func range() throws {
    #expect(try outing("10m").until == now + .minutes(10))
    #expect(try outing("14d").until == now + .days(14))
    for end in ["9m", "15d", "2026-11-20 18:00", "2027-01-01 9:00", "2026-11-21 08:05"] {
      #expect(throws: ValidationError.outingRange, "\(end)") { try outing(end) }
    }
    // A day alone would mean its midnight.
    for end in [
      "", "soon", "25:00", "-4h", "18:00 or so", "tomorrow", "2026-11-25", "until tomorrow",
    ] {
      #expect(throws: ValidationError.outingEnd(end), "\(end)") { try outing(end) }
    }
    #expect(throws: ValidationError.zone("Mars/Olympus")) {
      try outing("4h", zone: "Mars/Olympus")
    }
  }

  @Test("OUT-3: an extension counts from the end, or from now once that has passed")
  func extended() throws {
    let outing = try outing("18:00")
    let later = try outing.extended(by: .minutes(30), at: now)
    #expect(later.until == outing.until + .minutes(30) && later.id == outing.id)
    let late = try outing.extended(by: .minutes(30), at: outing.until + .minutes(5))
    #expect(late.until == outing.until + .minutes(35))
    for span in [TimeSpan.zero, .seconds(-60), .days(14)] {
      #expect(throws: ValidationError.outingRange) { try outing.extended(by: span, at: now) }
    }
  }

  @Test("OUT-4: due soon half an hour before the end, overdue at it, not back after the grace time")
  func status() throws {
    let outing = try outing("4h")
    let end = outing.until
    for (date, status) in [
      (end - .minutes(31), CheckInStatus.ok), (end - .minutes(30), .dueSoon), (end, .overdue),
      (end + .minutes(14), .overdue), (end + .minutes(15), .nonResponsive),
    ] {
      #expect(outing.status(at: date) == status)
    }
    // The person's status is the more serious of both promises.
    var user = User(id: UUID(), profile: Profile(name: "Ida"), lastCheckIn: now, createdAt: now)
    user.outing = outing
    #expect(user.status(at: end, alerts: []) == .overdue)
    user.pausedAt = now
    user.pausedUntil = now + .days(1)
    #expect(user.status(at: now, alerts: []) == .paused)
    #expect(user.status(at: end, alerts: []) == .overdue)
    user.lastCheckIn = now - .days(3)
    (user.pausedAt, user.pausedUntil) = (nil, nil)
    #expect(user.status(at: now, alerts: []) == .nonResponsive)
  }

  @Test("OUT-3: a deadline that waits is at the end of the outing if that is later")
  func held() throws {
    var user = User(
      id: UUID(), profile: Profile(name: "Ida"), lastCheckIn: now - .hours(22), createdAt: now)
    user.outing = try outing("4h")
    #expect(user.deadline.date == now + .hours(2))
    user.outing?.holdsDeadline = true
    #expect(user.deadline.date == now + .hours(4) && user.deadline.promised == now + .hours(2))
    user.lastCheckIn = now
    #expect(user.deadline.date == now + .hours(24))
  }

  @Test("ESC-5: a clock that is set moves an end that was measured by it, and no time of day")
  func clock() throws {
    for (end, moves) in [("4h", true), ("18:00", false)] {
      let before = try outing(end)
      var moved = before
      moved.move(since: now - .hours(1), by: -3_600)
      #expect(moved.until == (moves ? before.until - .hours(1) : before.until))
      #expect(moved.startedAt == now - .hours(1))
      // A clock that was days off: the time of day stays, of the right day.
      var farOff = before
      farOff.move(since: now - .hours(1), by: -30 * 86_400 - 7_200)
      #expect(farOff.until == before.until - .days(30) - (moves ? .hours(2) : .zero))
      var earlier = before
      earlier.move(since: now + .hours(1), by: -3_600)
      #expect(earlier == before)
    }
  }

  @Test("Each minute of what is left is drawn at its own time")
  func ticks() throws {
    let outing = try outing("4h")
    var date = now + 0.25
    for _ in 0..<300 {
      let next = outing.nextVisibleChange(after: date)
      #expect(next > date && next <= date + .minutes(1))
      let (before, after) = (
        outing.distanceText(at: next - 0.001), outing.distanceText(at: next + 0.001)
      )
      #expect(
        before != after || [outing.until, outing.graceEnd].contains(next)
          || next == outing.until - .minutes(30), "\(before) \(next)")
      date = next
    }
  }

  @Test("OUT-1: if no chosen responder can be notified any more, everyone is")
  func fallsBack() throws {
    func contact(_ name: String, _ channels: [Channel]) -> Contact {
      Contact(id: UUID(), name: name, roles: .responder, channels: channels, addedAt: now)
    }
    let mail = Channel(id: UUID(), kind: .email, address: "bob@example.org")
    let (bob, mum) = (contact("Bob", [mail]), contact("Mum", []))
    var outing = try outing("4h")
    #expect(outing.responders(among: [bob, mum]) == [bob, mum])
    outing.responders = [mum.id]
    #expect(outing.hasLostResponders(among: [bob, mum]))
    #expect(outing.responders(among: [bob, mum]) == [bob, mum])
    outing.responders = [bob.id]
    #expect(outing.responders(among: [bob, mum]) == [bob])
    #expect(outing.responders(among: [mum]) == [mum])
  }

  @Test("OUT-1: responders are named by the beginnings of their names, with commas between them")
  func names() throws {
    func contact(_ name: String, _ roles: Roles = .responder) -> Contact {
      Contact(id: UUID(), name: name, roles: roles, addedAt: now)
    }
    let all = [contact("Grace Hopper"), contact("Greta"), contact("Bo", .dependent)]
    #expect(try all.responders(named: " grace, Greta,").map(\.name) == ["Grace Hopper", "Greta"])
    for name in ["Gr", "Bo", "Zoe"] {
      #expect(throws: ValidationError.responderName(name)) { try all.responders(named: name) }
    }
  }
}

extension Date {
  fileprivate static func + (date: Date, seconds: Double) -> Date {
    date.addingTimeInterval(seconds)
  }
  fileprivate static func - (date: Date, seconds: Double) -> Date {
    date.addingTimeInterval(-seconds)
  }
}
