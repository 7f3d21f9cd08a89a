public import FoundationEssentials

/// What a year of check-ins comes to: a mark for each day, and how well the promise was kept (CHK-5).
public struct CheckInRecord: Equatable, Codable, Sendable {
  /// What a day's check-ins were like.
  public enum Mark: String, Equatable, Codable, Sendable {
    case onTime, late
  }

  /// The days with check-ins, by ``CivilTime/dayNumber``.
  public private(set) var marks: [Int: Mark] = [:]
  /// Since when no check-in has been late: the time of the last one that was, else of the first.
  public private(set) var keptSince: Date?
  /// What was left of the interval at half of the check-ins.
  public private(set) var medianMargin: TimeSpan?
  /// The check-in that was nearly too late.
  public private(set) var closestCall: CheckIn?

  /// A record of nothing.
  public init() {}

  /// - Parameters:
  ///   - checkIns: In any order.
  ///   - calendar: To whose days the check-ins belong.
  public init(_ checkIns: some Sequence<CheckIn>, calendar: CivilCalendar) {
    var tally = Tally(calendar: calendar)
    var closestCall: CheckIn?
    for checkIn in checkIns where tally.add(checkIn.date, margin: checkIn.margin) {
      closestCall = checkIn
    }
    self = tally.record(closestCall: closestCall)
  }

  /// Takes in the check-ins of a year one by one, of which it needs two figures each.
  public struct Tally {
    private let calendar: CivilCalendar
    private var record = CheckInRecord()
    private var margins: [TimeSpan] = []
    private var first: Date?
    private var lastLate: Date?
    private var closest: TimeSpan?

    public init(calendar: CivilCalendar) { self.calendar = calendar }

    /// Takes in one more check-in; they may come in any order.
    /// - Returns: Whether it is the closest call so far.
    public mutating func add(_ date: Date, margin: TimeSpan?) -> Bool {
      let isLate = margin.map { $0 < .zero } ?? false
      let day = calendar.time(of: date).dayNumber
      if isLate {
        record.marks[day] = .late
        lastLate = max(lastLate ?? date, date)
      } else if record.marks[day] == nil {
        record.marks[day] = .onTime
      }
      first = min(first ?? date, date)
      guard let margin else { return false }
      margins.append(margin)
      guard !isLate, margin < closest ?? .seconds(.max) else { return false }
      closest = margin
      return true
    }

    /// What the check-ins come to.
    /// - Parameter closestCall: The last of them that was the closest call so far.
    public func record(closestCall: CheckIn?) -> CheckInRecord {
      var record = record
      record.keptSince = lastLate ?? first
      record.closestCall = closestCall
      let sorted = margins.sorted()
      record.medianMargin = sorted.isEmpty ? nil : sorted[(sorted.count - 1) / 2]
      return record
    }
  }

  /// Whole days without a late check-in; none while one is missing now.
  public func streak(of deadline: Deadline, at now: Date) -> Int {
    guard let keptSince, now < deadline.date else { return 0 }
    return max(0, Int(bounded: now.timeIntervalSince(keptSince)) / 86_400)
  }

  /// How far back a record goes.
  public static let length = TimeSpan.days(366)

  /// The weeks of a year that ends today, oldest first: each from Monday to Sunday, with the days
  /// that have check-ins marked.
  public func weeks(endingOn now: Date, calendar: CivilCalendar) -> [[Mark?]] {
    let today = calendar.time(of: now)
    // Monday is the first day of a week, as in ISO 8601.
    let monday = today.dayNumber - (today.weekday + 6) % 7
    return (0..<53).map { week in
      (0..<7).map { marks[monday - (52 - week) * 7 + $0] }
    }
  }
}
