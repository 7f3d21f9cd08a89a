public import FoundationEssentials

/// A summary of a year of check-ins: a mark for each day, and how well the promise was kept
/// (CHK-5).
public struct CheckInRecord: Equatable, Codable, Sendable {
  /// The mark of a day with check-ins: late if any of them was.
  public enum Mark: String, Equatable, Codable, Sendable {
    case onTime, late
  }

  /// The days with check-ins, by ``CivilTime/dayNumber``.
  public private(set) var marks: [Int: Mark] = [:]
  /// Since when no check-in has been late: the time of the last late one, else of the first.
  public private(set) var keptSince: Date?
  /// The median of the time that was left at each check-in.
  public private(set) var medianMargin: TimeSpan?
  /// The check-in that was on time with the least time left.
  public private(set) var closestCall: CheckIn?

  /// Creates an empty record.
  public init() {}

  /// - Parameters:
  ///   - checkIns: In any order.
  ///   - calendar: The calendar by whose days the check-ins are marked.
  public init(_ checkIns: some Sequence<CheckIn>, calendar: CivilCalendar) {
    var tally = Tally(calendar: calendar)
    var closestCall: CheckIn?
    for checkIn in checkIns {
      // An early one kept no promise yet (SCH-2).
      if tally.add(checkIn.date, margin: checkIn.isEarly ? nil : checkIn.margin) {
        closestCall = checkIn
      }
    }
    self = tally.record(closestCall: closestCall)
  }

  /// A running summary that takes a year's check-ins one by one, only their dates and margins.
  public struct Tally {
    private let calendar: CivilCalendar
    private var record = CheckInRecord()
    private var margins: [TimeSpan] = []
    private var first: Date?
    private var lastLate: Date?
    private var closest: TimeSpan?

    public init(calendar: CivilCalendar) { self.calendar = calendar }

    /// Adds a check-in; they can come in any order.
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

    /// Returns the record of the check-ins added so far.
    /// - Parameter closestCall: The last check-in for which ``add(_:margin:)`` returned `true`.
    public func record(closestCall: CheckIn?) -> CheckInRecord {
      var record = record
      record.keptSince = lastLate ?? first
      record.closestCall = closestCall
      let sorted = margins.sorted()
      record.medianMargin = sorted.isEmpty ? nil : sorted[(sorted.count - 1) / 2]
      return record
    }
  }

  /// Returns the whole days without a late check-in, or 0 while a deadline is missed.
  public func streak(of deadline: Deadline, at now: Date) -> Int {
    guard let keptSince, now < deadline.date else { return 0 }
    return max(0, Int(bounded: now.timeIntervalSince(keptSince)) / 86_400)
  }

  /// How far back a record goes.
  public static let length = TimeSpan.days(366)

  /// Returns the marks of the 53 weeks from Monday to Sunday that end with the current one, oldest
  /// first; a day without check-ins has none.
  public func year(endingOn now: Date, calendar: CivilCalendar) -> [Mark?] {
    let today = calendar.time(of: now)
    // Monday is the first day of a week, as in ISO 8601.
    let monday = today.dayNumber - (today.weekday + 6) % 7
    return (monday - 52 * 7..<monday + 7).map { marks[$0] }
  }
}
