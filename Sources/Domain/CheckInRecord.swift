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
    var margins: [TimeSpan] = []
    var first: Date?
    var lastLate: Date?
    for checkIn in checkIns {
      let isLate = checkIn.margin.map { $0 < .zero } ?? false
      let day = calendar.time(of: checkIn.date).dayNumber
      marks[day] = isLate || marks[day] == .late ? .late : .onTime
      first = min(first ?? checkIn.date, checkIn.date)
      if isLate { lastLate = max(lastLate ?? checkIn.date, checkIn.date) }
      guard let margin = checkIn.margin else { continue }
      margins.append(margin)
      if !isLate, margin < closestCall?.margin ?? .seconds(.max) { closestCall = checkIn }
    }
    keptSince = lastLate ?? first
    guard !margins.isEmpty else { return }
    margins.sort()
    medianMargin = margins[(margins.count - 1) / 2]
  }

  /// Whole days without a late check-in; none while one is missing now.
  public func streak(of deadline: Deadline, at now: Date) -> Int {
    guard let keptSince, now < deadline.date else { return 0 }
    return max(0, Int(now.timeIntervalSince(keptSince)) / 86_400)
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
