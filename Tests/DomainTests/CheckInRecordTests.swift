import Domain
import FoundationEssentials
import Testing

@Suite struct CheckInRecordTests {
  /// Saturday, 2026-11-21 08:00:00 UTC.
  let now = Date(timeIntervalSince1970: 1_795_248_000)

  /// Returns check-ins with these margins in minutes, one a day, the last one now.
  func checkIns(_ margins: [Int?]) -> [CheckIn] {
    margins.enumerated().map { index, minutes in
      CheckIn(
        id: UUID(), date: now - .days(margins.count - 1 - index), source: .manual, sequence: index,
        margin: minutes.map { .minutes($0) })
    }
  }

  func deadline(lastCheckIn: Date) -> Deadline {
    Deadline(lastCheckIn: lastCheckIn, interval: .standard, grace: .minutes(15))
  }

  @Test("CHK-5: the streak counts days since the last late check-in, or since the first check-in")
  func streak() {
    let kept = CheckInRecord(checkIns([nil, 60, 30, 20]), calendar: .utc)
    #expect(kept.streak(of: deadline(lastCheckIn: now), at: now) == 3)
    #expect(kept.streak(of: deadline(lastCheckIn: now), at: now + .hours(23)) == 3)
    let late = CheckInRecord(checkIns([nil, 60, -1, 20]), calendar: .utc)
    #expect(late.streak(of: deadline(lastCheckIn: now), at: now) == 1)
    #expect(late.streak(of: deadline(lastCheckIn: now), at: now + .hours(24)) == 0)
    #expect(CheckInRecord().streak(of: deadline(lastCheckIn: now), at: now) == 0)
  }

  @Test(
    "CHK-5: the median margin includes late check-ins, but not the first check-in",
    arguments: [
      ([nil], nil), ([nil, 60], 60), ([nil, 60, 10], 10), ([nil, 60, -10, 30], 30),
      ([nil, 1, 2, 3, 4], 2),
    ] as [([Int?], Int?)])
  func median(margins: [Int?], median: Int?) {
    let record = CheckInRecord(checkIns(margins), calendar: .utc)
    #expect(record.medianMargin == median.map { .minutes($0) })
  }

  @Test("CHK-5: the closest call is the check-in with the smallest margin that wasn't late")
  func closestCall() {
    let all = checkIns([nil, 60, -10, 4, 30])
    #expect(CheckInRecord(all, calendar: .utc).closestCall == all[3])
    #expect(CheckInRecord(checkIns([nil, -10]), calendar: .utc).closestCall == nil)
  }

  @Test("CHK-5: a day counts as late if any of its check-ins was late")
  func marks() {
    var two = checkIns([-5, 60])
    two[0].date = now - .hours(2)
    let day = CivilCalendar.utc.time(of: now).dayNumber
    #expect(CheckInRecord(two, calendar: .utc).marks == [day: .late])
    #expect(CheckInRecord(two.reversed(), calendar: .utc).marks == [day: .late])
  }

  @Test("CHK-5: a check-in counts on the day of the local wall clock")
  func calendar() {
    let day = CivilCalendar.utc.time(of: now).dayNumber
    let record = CheckInRecord(checkIns([5]), calendar: .fixed(secondsFromGMT: -9 * 3_600))
    #expect(record.marks == [day - 1: .onTime])
  }

  @Test("CHK-5: the calendar shows 53 weeks, Monday to Sunday, and ends with the current week")
  func weeks() {
    let record = CheckInRecord(checkIns([nil, 60, -1, 60]), calendar: .utc)
    let year = record.year(endingOn: now, calendar: .utc)
    #expect(year.count == 53 * 7)
    // The check-ins are from Wednesday to Saturday.
    let week: [CheckInRecord.Mark?] = [nil, nil, .onTime, .onTime, .late, .onTime, nil]
    #expect(Array(year.suffix(7)) == week)
    #expect(year.dropLast(7).allSatisfy { $0 == nil })
    #expect(record.year(endingOn: now + .days(1), calendar: .utc) == year)
    let monday = record.year(endingOn: now + .days(2), calendar: .utc)
    #expect(Array(monday.suffix(14).prefix(7)) == week)
  }
}
