/// A rule for when the clocks change every year, as POSIX writes it in `TZ`.
struct ZoneRule: Equatable, Sendable {
  /// How far standard time is ahead of UTC, in seconds.
  var offset: Int
  /// Daylight saving time; `nil` in a zone without it.
  private var summer: Summer?

  private struct Summer: Equatable {
    var offset: Int
    var start, end: Day
  }

  /// A day of a year and a time on it.
  private struct Day: Equatable {
    enum Kind: Equatable {
      /// The *n*th day without 29 February, from 1.
      case julian(Int)
      /// The *n*th day, from 0.
      case number(Int)
      /// A weekday, 0 for Sunday, in a week of a month; week 5 is the last.
      case weekday(month: Int, week: Int, day: Int)
    }
    var kind: Kind
    /// Seconds after midnight, from −167 to 167 hours.
    var time: Int
  }

  /// Returns the rule of a zone whose clocks don't change, as text.
  static func text(offset: Int) -> String {
    let (hours, rest) = abs(offset).quotientAndRemainder(dividingBy: 3_600)
    func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let time = "\(pad(hours)):\(pad(rest / 60)):\(pad(rest % 60))"
    return "<LMT>\(offset > 0 ? "-" : "")\(time)"
  }

  init?(parsing text: String) {
    guard text.utf8.count <= 100 else { return nil }
    var parser = Parser(rest: Substring(text))
    guard parser.skipName(), let west = parser.time(limit: 24) else { return nil }
    offset = -west
    guard !parser.rest.isEmpty else { return }
    guard parser.skipName() else { return nil }
    var summerOffset = offset + 3_600
    if parser.rest.first != "," {
      guard let west = parser.time(limit: 24) else { return nil }
      summerOffset = -west
    }
    guard let start = parser.day(), let end = parser.day(), parser.rest.isEmpty else { return nil }
    summer = Summer(offset: summerOffset, start: start, end: end)
  }

  private struct Parser {
    var rest: Substring

    mutating func skip(_ character: Character) -> Bool {
      guard rest.first == character else { return false }
      rest.removeFirst()
      return true
    }

    mutating func skipName() -> Bool {
      if skip("<") {
        guard let end = rest.firstIndex(of: ">") else { return false }
        rest = rest[rest.index(after: end)...]
        return true
      }
      let name = rest.prefix { $0.isASCII && $0.isLetter }
      rest = rest.dropFirst(name.count)
      return name.count >= 3
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int? {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard digits.count <= 3, let number = Int(digits), range.contains(number) else { return nil }
      rest = rest.dropFirst(digits.count)
      return number
    }

    /// Reads `[+-]hh[:mm[:ss]]` as seconds.
    mutating func time(limit: Int) -> Int? {
      let isNegative = skip("-")
      if !isNegative { _ = skip("+") }
      guard let hours = number(0...limit) else { return nil }
      var seconds = hours * 3_600
      for unit in [60, 1] where skip(":") {
        guard let count = number(0...59) else { return nil }
        seconds += count * unit
      }
      return isNegative ? -seconds : seconds
    }

    /// Reads a day with the comma before it.
    mutating func day() -> Day? {
      guard skip(",") else { return nil }
      let kind: Day.Kind
      if skip("M") {
        guard let month = number(1...12), skip("."), let week = number(1...5), skip("."),
          let day = number(0...6)
        else { return nil }
        kind = .weekday(month: month, week: week, day: day)
      } else if skip("J") {
        guard let day = number(1...365) else { return nil }
        kind = .julian(day)
      } else {
        guard let day = number(0...365) else { return nil }
        kind = .number(day)
      }
      guard skip("/") else { return Day(kind: kind, time: 7_200) }
      return time(limit: 167).map { Day(kind: kind, time: $0) }
    }
  }

  /// Returns how far local time is ahead of UTC.
  func offset(at instant: Int) -> Int {
    guard summer != nil else { return offset }
    // A rule changes the clocks at least once in any thirteen months.
    return changes(from: instant - 400 * 86_400, to: instant).last?.offset ?? offset
  }

  /// Returns the changes after `start` up to `end`, by time.
  func changes(from start: Int, to end: Int) -> [ZoneRules.Change] {
    guard let summer, start < end else { return [] }
    let years = Self.year(of: start) - 1...Self.year(of: end) + 1
    let all = years.flatMap { year in
      [
        ZoneRules.Change(
          at: Self.local(summer.start, in: year) - offset, offset: summer.offset),
        ZoneRules.Change(at: Self.local(summer.end, in: year) - summer.offset, offset: offset),
      ]
    }
    // Where summer ends as the next begins, it lasts all year.
    return all.filter { $0.at > start && $0.at <= end }
      .sorted { ($0.at, $0.offset == offset ? 0 : 1) < ($1.at, $1.offset == offset ? 0 : 1) }
  }

  private static func year(of instant: Int) -> Int {
    CivilTime(dayNumber: Int((Double(instant) / 86_400).rounded(.down))).year
  }

  /// Returns the seconds from 1970 to a time of a year, both as local clocks show them.
  private static func local(_ day: Day, in year: Int) -> Int {
    func dayNumber(_ month: Int, _ day: Int) -> Int {
      CivilTime(year: year, month: month, day: day).dayNumber
    }
    let number: Int
    switch day.kind {
    case .number(let count): number = dayNumber(1, 1) + count
    case .julian(let count):
      let isLeap = dayNumber(3, 1) - dayNumber(2, 28) == 2
      number = dayNumber(1, 1) + count - 1 + (isLeap && count >= 60 ? 1 : 0)
    case .weekday(let month, let week, let weekday):
      let first = dayNumber(month, 1)
      let length = (month == 12 ? dayNumber(12, 31) + 1 : dayNumber(month + 1, 1)) - first
      let firstWeekday = CivilTime.weekday(ofDay: first)
      let date = (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
      number = first + (date < length ? date : date - 7)
    }
    return number * 86_400 + day.time
  }
}

extension CivilTime {
  /// Creates the midnight of a day.
  init(year: Int, month: Int, day: Int) {
    self.init(year: year, month: month, day: day, hour: 0, minute: 0, second: 0, weekday: 0)
    weekday = Self.weekday(ofDay: dayNumber)
  }

  /// Creates the midnight of a day, counted from 1970-01-01 in the proleptic Gregorian calendar,
  /// after Hinnant's *civil_from_days*.
  init(dayNumber: Int) {
    let shifted = dayNumber + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    self.init(
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// Returns the weekday of a ``dayNumber``; 0 is Sunday.
  static func weekday(ofDay number: Int) -> Int {
    // 1970-01-01 was a Thursday.
    ((number + 4) % 7 + 7) % 7
  }
}
