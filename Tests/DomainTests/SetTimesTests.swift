import Composable
import Domain
import FoundationEssentials
import Testing

@Suite("SCH-1, SCH-2: set times")
struct SetTimesTests {
  private static let berlin = ZoneData.rules(of: "Europe/Berlin")

  private func times(
    _ text: String, zone: String = "Europe/Berlin", opening: TimeSpan = SetTimes.standardOpening
  ) throws -> SetTimes {
    try SetTimes(parsing: text, zone: zone, opening: opening)
  }

  /// An instant by Berlin's clocks.
  private func berlin(_ text: String) throws -> Date {
    let rules = try #require(Self.berlin, "The package tzdata is missing")
    let local = CivilCalendar.utc.date(of: CivilTime(parsing: text)!)!.timeIntervalSince1970
    return Date(timeIntervalSince1970: Double(rules.instant(ofLocal: Int(local))))
  }

  @Test(
    "SCH-1: times are read as people type them, and shown in one way",
    arguments: [
      ("daily 09:00", "daily 09:00"), ("09:00", "daily 09:00"), ("9am", "daily 09:00"),
      ("every day at 9:00", "daily 09:00"), ("Daily 9.30 pm", "daily 21:30"),
      ("mon-fri 08:30, 18:00", "mon-fri 08:30, 18:00"),
      ("Mon – Fri 8:30 and 18:00", "mon-fri 08:30, 18:00"),
      ("weekdays 7am weekends 10 a.m.", "mon-fri 07:00; sat,sun 10:00"),
      ("sat,sun 11:00", "sat,sun 11:00"), ("sundays 11:00", "sun 11:00"),
      ("Saturday, Sunday 11:00; weekdays 08:00", "mon-fri 08:00; sat,sun 11:00"),
      ("fri-mon 12am", "mon,fri,sat,sun 00:00"), ("tue thu 12:30", "tue,thu 12:30"),
      ("tues thur 12pm", "tue,thu 12:00"), ("18:00 daily 09:00", "daily 09:00, 18:00"),
      ("mon 09:00 tue 09:00", "mon,tue 09:00"), ("by 23:59", "daily 23:59"),
      ("Mon to Fri 0900", "mon-fri 09:00"), ("mo-fr 9h00", "mon-fri 09:00"),
      ("noon", "daily 12:00"), ("daily 9:00 a.m.", "daily 09:00"),
      ("Monday through Friday at 17.30", "mon-fri 17:30"),
    ])
  func reads(_ typed: String, _ shown: String) throws {
    let times = try times(typed)
    #expect(times.text == shown)
    #expect(try self.times(shown) == times)
  }

  @Test(
    "SCH-1: text that isn't a list of times is refused",
    arguments: [
      "", "daily", "9", "24:00", "2400", "0960", "midnight", "+900", "9h", "9:60", "13pm", "0am",
      "mon-fri", "mon 8", "t 9:00",
      "daily 9:00 tue",
      "tomorrow 9:00", "09:00 Mars", "-9:00", "9:00-10:00", "mon--fri 9:00", "９：００",
      String(repeating: "09:00 ", count: 100),
    ])
  func refuses(_ typed: String) {
    #expect(throws: ValidationError.setTimes(typed)) { try times(typed) }
  }

  @Test("SCH-1: there are one to six times of a known zone, which open 1 to 12 hours before")
  func limits() throws {
    #expect(throws: ValidationError.setTimesCount) {
      try times("1:00 2:00 3:00 4:00 5:00 6:00 7:00")
    }
    #expect(throws: ValidationError.setTimesCount) { try SetTimes([], zone: "UTC") }
    #expect(throws: ValidationError.zone("../UTC")) { try times("9:00", zone: "../UTC") }
    for hours in [0, 13] {
      #expect(throws: ValidationError.openingRange) { try times("9:00", opening: .hours(hours)) }
    }
  }

  @Test("SCH-1: set times in a sentence name their days, and those with the same days together")
  func words() throws {
    #expect(try times("daily 09:00").inWords == "by 09:00 every day")
    #expect(
      try times("mon-fri 08:30, 18:00; sat,sun 11:00").inWords
        == "by 08:30 and 18:00 from Monday to Friday and by 11:00 on Saturday and Sunday")
    #expect(try times("9:00", zone: "America/Argentina/Buenos_Aires").zoneTitle == "Buenos Aires")
  }

  @Test(
    "SCH-2: a check-in serves what is open; an early one moves no deadline",
    arguments: [
      // Daily at 9 it opens at 3.
      ("daily 09:00", "2026-06-01 09:01", "2026-06-02 09:00", "2026-06-02 03:00"),
      ("daily 09:00", "2026-06-02 02:59", "2026-06-02 09:00", "2026-06-02 03:00"),
      ("daily 09:00", "2026-06-02 03:00", "2026-06-03 09:00", "2026-06-03 03:00"),
      ("daily 09:00", "2026-06-02 09:00", "2026-06-03 09:00", "2026-06-03 03:00"),
      // Missed by a day: it serves what has passed, and what is open.
      ("daily 09:00", "2026-06-03 02:00", "2026-06-03 09:00", "2026-06-03 03:00"),
      ("daily 09:00", "2026-06-03 04:00", "2026-06-04 09:00", "2026-06-04 03:00"),
      // The middle is later than six hours before.
      ("daily 08:00, 12:00", "2026-06-02 08:30", "2026-06-02 12:00", "2026-06-02 10:00"),
      ("daily 08:00, 12:00", "2026-06-02 10:00", "2026-06-03 08:00", "2026-06-03 02:00"),
      // Friday to Monday.
      ("mon-fri 18:00", "2026-06-05 17:00", "2026-06-08 18:00", "2026-06-08 12:00"),
      // In the spring night 2:30 is skipped and comes at 3; in autumn it comes twice.
      ("daily 02:30", "2026-03-28 02:00", "2026-03-29 03:00", "2026-03-28 20:00"),
      ("daily 02:00, 02:30", "2026-03-28 02:20", "2026-03-29 03:00", "2026-03-28 20:00"),
      ("daily 02:30", "2026-10-24 02:00", "2026-10-25 02:30", "2026-10-24 20:30"),
      ("daily 09:00", "2026-03-28 08:00", "2026-03-29 09:00", "2026-03-29 03:00"),
    ])
  func deadlines(_ text: String, _ last: String, _ next: String, _ opens: String) throws {
    let last = try berlin(last)
    let due = try times(text).due(after: last, floor: last - .days(1), rules: #require(Self.berlin))
    #expect(due == SetTimes.Due(opens: try berlin(opens), date: try berlin(next)))
  }

  @Test("SCH-2: no deadline comes before the end of a pause or the last change of the times")
  func floor() throws {
    let rules = try #require(Self.berlin)
    let last = try berlin("2026-06-01 08:00")
    let due = try times("daily 09:00").due(
      after: last, floor: berlin("2026-06-10 09:00"), rules: rules)
    #expect(due.date == (try berlin("2026-06-10 09:00")))
    // A check-in in the pause that was open for it serves it.
    let after = try times("daily 09:00").due(
      after: berlin("2026-06-10 04:00"), floor: berlin("2026-06-10 08:00"), rules: rules)
    #expect(after.date == (try berlin("2026-06-11 09:00")))
  }

  @Test(
    "SCH-1: the longest silence is from the opening of one time to the next time",
    arguments: [
      ("daily 09:00", 6, 31), ("daily 09:00", 1, 26), ("mon-fri 09:00", 6, 79),
      ("daily 08:00, 20:00", 6, 19), ("sun 12:00", 6, 175),
    ])
  func silence(_ text: String, _ opening: Int, _ hours: Int) throws {
    // With the hour that autumn adds.
    let span = try times(text, opening: .hours(opening)).longestSilence(
      from: berlin("2026-06-01 12:00"), rules: #require(Self.berlin))
    #expect(span == .hours(hours))
  }

  @Test(
    "SCH-2: whatever the check-ins, a deadline lies ahead or has been missed, and never goes back")
  func properties() throws {
    var random = SplitMix64(seed: 3)
    for zone in ["Europe/Berlin", "Pacific/Apia", "America/New_York", "Africa/Casablanca"] {
      let rules = try #require(ZoneData.rules(of: zone))
      for _ in 0..<60 {
        let list = (0..<Int.random(in: 1...6, using: &random)).map { _ in
          SetTimes.Time(
            minute: .random(in: 0..<1_440, using: &random),
            days: Weekdays(rawValue: .random(in: 1...127, using: &random)))
        }
        let times = try SetTimes(
          list, zone: zone, opening: .hours(Int.random(in: 1...12, using: &random)))
        let floor = Date(
          timeIntervalSince1970: Double.random(in: 1_200_000_000...1_900_000_000, using: &random))
        var last = floor
        var due = times.due(after: last, floor: floor, rules: rules)
        for _ in 0..<20 {
          #expect(due.opens > last && due.date >= floor && due.opens < due.date)
          // It is the one that follows, one at a time.
          #expect(times.upcoming(3, after: last, floor: floor, rules: rules)[0] == due)
          last += Double.random(in: 0...400_000, using: &random)
          let next = times.due(after: last, floor: floor, rules: rules)
          #expect(next.date >= due.date)
          #expect((next == due) == (last < due.opens))
          due = next
        }
      }
    }
  }

  @Test("SCH-4: until a set time opens, all is calm; the ring and due soon count from its opening")
  func urgency() throws {
    let (opens, date) = (try berlin("2026-06-02 03:00"), try berlin("2026-06-02 09:00"))
    let deadline = Deadline(
      lastCheckIn: opens - .hours(17), interval: .standard, grace: .minutes(15),
      setTime: .init(opens: opens, date: date))
    #expect(deadline.date == date)
    #expect(deadline.shareLeft(at: opens - .hours(5)) == 1)
    #expect(deadline.status(at: opens - .hours(5)) == .ok)
    #expect(deadline.isEarly(at: opens - .seconds(1)) && !deadline.isEarly(at: opens))
    #expect(deadline.shareLeft(at: opens + .hours(3)) == 0.5)
    #expect(deadline.status(at: date - .minutes(71)) == .dueSoon)
    #expect(deadline.status(at: date - .minutes(73)) == .ok)
    #expect(deadline.status(at: date) == .overdue)
    #expect(deadline.status(at: date + .minutes(15)) == .nonResponsive)
    #expect(deadline.margin(at: date - .hours(2)) == .hours(2))
  }

  @Test(
    "INT-1, SCH-1: a promise is read as an interval or as times, which may name their zone",
    arguments: [
      ("36h", "every 36 hours", ""), ("2d 12h", "every 2 days 12 hours", ""),
      ("daily 9:00", "by 09:00 every day", "UTC"),
      ("9:00 Europe/Berlin", "by 09:00 every day", "Europe/Berlin"),
      ("9am UTC", "by 09:00 every day", "UTC"),
    ])
  func promises(_ typed: String, _ words: String, _ zone: String) throws {
    let promise = try Promise(parsing: typed, zone: "UTC")
    #expect(promise.inWords == words)
    if case .setTimes(let times) = promise { #expect(times.zone == zone) }
  }

  @Test("INT-1, SCH-1: what is neither an interval nor times says why")
  func noPromise() {
    #expect(throws: ValidationError.duration("36")) { try Promise(parsing: "36", zone: "UTC") }
    #expect(throws: ValidationError.intervalRange) { try Promise(parsing: "90d", zone: "UTC") }
    #expect(throws: ValidationError.duration("now and then")) {
      try Promise(parsing: "now and then", zone: "UTC")
    }
    #expect(throws: ValidationError.setTimes("soon 9:00")) {
      try Promise(parsing: "soon 9:00", zone: "UTC")
    }
  }
}
