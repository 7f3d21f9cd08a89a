public import FoundationEssentials

/// The times of day by which a person promises to check in (SCH-1): `daily 09:00`,
/// `mon-fri 08:30, 18:00`.
public struct SetTimes: Hashable, Sendable {
  /// The times, by time of day; one to six.
  public let times: [Time]
  /// The zone in which they are meant, such as `Europe/Berlin`.
  public let zone: String
  /// How long before a time a check-in counts for it at most (SCH-2): 1–12 h.
  public let opening: TimeSpan

  /// A time of day on chosen weekdays.
  public struct Time: Hashable, Codable, Sendable {
    /// Minutes after midnight, 0–1439.
    public var minute: Int
    public var days: Weekdays

    public init(minute: Int, days: Weekdays) {
      self.minute = minute
      self.days = days
    }

    /// `08:30`.
    public var clock: String {
      func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      return "\(pad(minute / 60)):\(pad(minute % 60))"
    }
  }

  public static let mostTimes = 6
  public static let openings: ClosedRange<TimeSpan> = .hours(1) ... .hours(12)
  /// 6 h.
  public static let standardOpening = TimeSpan.hours(6)

  /// - Throws: ``ValidationError/setTimesCount`` unless there are one to six times,
  ///   ``ValidationError/zone(_:)`` for a text that names no zone, ``ValidationError/openingRange``.
  public init(
    _ times: [Time], zone: String, opening: TimeSpan = standardOpening
  ) throws(ValidationError) {
    // The same time on further days is one time.
    var days: [Int: Weekdays] = [:]
    for time in times { days[time.minute, default: []].formUnion(time.days) }
    let joined = days.map { Time(minute: $0, days: $1) }.sorted { $0.minute < $1.minute }
    guard (1...Self.mostTimes).contains(joined.count),
      joined.allSatisfy({
        (0..<1_440).contains($0.minute) && !$0.days.isEmpty && $0.days.isSubset(of: .daily)
      })
    else { throw .setTimesCount }
    guard ZoneData.isName(zone) else { throw .zone(zone) }
    guard Self.openings.contains(opening) else { throw .openingRange }
    (self.times, self.zone, self.opening) = (joined, zone, opening)
  }
}

/// Days of the week.
public struct Weekdays: OptionSet, Hashable, Codable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The days from Monday to Sunday.
  public static let all: [Weekdays] = (0..<7).map { Weekdays(rawValue: 1 << $0) }
  public static let daily = Weekdays(rawValue: 0b111_1111)
  static let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  /// - Parameter weekday: 0 for Sunday.
  init(weekday: Int) { self.init(rawValue: 1 << ((weekday + 6) % 7)) }
}

// MARK: Deadlines

extension SetTimes {
  /// A set time as a deadline.
  public struct Due: Hashable, Sendable {
    /// From when on a check-in counts for it.
    public var opens: Date
    public var date: Date

    public init(opens: Date, date: Date) {
      self.opens = opens
      self.date = date
    }
  }

  /// Returns the deadline of a person: the first set time that opens after their last check-in and
  /// doesn't come before the floor (SCH-2).
  /// - Parameter floor: The later of the last pause's end and the last change of the times.
  public func due(after lastCheckIn: Date, floor: Date, rules: ZoneRules) -> Due {
    upcoming(1, after: lastCheckIn, floor: floor, rules: rules)[0]
  }

  /// Returns the deadlines of a person who checks in for none of them, by time.
  public func upcoming(
    _ count: Int, after lastCheckIn: Date, floor: Date, rules: ZoneRules
  ) -> [Due] {
    let start = max(lastCheckIn, floor).timeIntervalSince1970
    // The first is at most a week later, and the one before it can be a week earlier.
    var day = dayNumber(of: Int(start.rounded(.down)), rules) - 9
    var previous: Int?
    var found: [Due] = []
    while found.count < count {
      for instant in instants(onDay: day, rules) where instant > previous ?? .min {
        defer { previous = instant }
        guard let previous else { continue }
        // In half seconds, because the middle can be between two seconds.
        let opens =
          Double(
            max(previous + instant, 2 * (instant - opening.seconds))) / 2
        guard opens > lastCheckIn.timeIntervalSince1970,
          Double(instant) >= floor.timeIntervalSince1970
        else { continue }
        found.append(
          Due(
            opens: Date(timeIntervalSince1970: opens),
            date: Date(timeIntervalSince1970: Double(instant))))
      }
      day += 1
    }
    return Array(found.prefix(count))
  }

  /// Returns the instants of the times of a day, by time. A day that the zone skips has only what
  /// comes first after it.
  private func instants(onDay day: Int, _ rules: ZoneRules) -> [Int] {
    let weekday = Weekdays(weekday: CivilTime.weekday(ofDay: day))
    return times.filter { $0.days.contains(weekday) }
      .map { rules.instant(ofLocal: day * 86_400 + $0.minute * 60) }.sorted()
  }

  private func dayNumber(of instant: Int, _ rules: ZoneRules) -> Int {
    Int((Double(instant + rules.offset(at: instant)) / 86_400).rounded(.down))
  }

  /// Returns the longest time that can pass between two check-ins without a deadline being missed,
  /// within a year (SCH-1).
  public func longestSilence(from now: Date, rules: ZoneRules) -> TimeSpan {
    let year = upcoming(
      times.reduce(0) { $0 + $1.days.count } * 53, after: now, floor: now, rules: rules)
    let silences = zip(year, year.dropFirst()).map { $1.date.timeIntervalSince($0.opens) }
    return .seconds(Int(bounded: silences.max() ?? 0))
  }
}

extension Weekdays {
  var count: Int { rawValue.nonzeroBitCount }
}
