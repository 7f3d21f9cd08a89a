public import FoundationEssentials

/// The instant by which a person must check in, and the meaning of the time around it.
///
/// An instant, independent of time zone and daylight saving (INT-2); everything else is derived
/// from it and a clock (ORD-2).
public struct Deadline: Equatable, Sendable {
  public let lastCheckIn: Date
  public let interval: CheckInInterval
  public let grace: TimeSpan
  public let pausedUntil: Date?
  public let graceFrom: Date?
  /// The set time that is next, or `nil` if the interval counts (SCH-1).
  public let setTime: SetTimes.Due?
  /// Until when an outing lets it wait at least, or `nil` (OUT-3).
  public let heldUntil: Date?

  /// - Parameters:
  ///   - pausedUntil: When a pause ends or ended, or `nil` for none (CHK-7).
  ///   - graceFrom: When the grace time restarted, or `nil` (ESC-4).
  ///   - setTime: The set time that is next, or `nil`.
  ///   - heldUntil: Until when an outing lets it wait at least, or `nil`.
  public init(
    lastCheckIn: Date, interval: CheckInInterval, grace: TimeSpan, pausedUntil: Date? = nil,
    graceFrom: Date? = nil, setTime: SetTimes.Due? = nil, heldUntil: Date? = nil
  ) {
    self.lastCheckIn = lastCheckIn
    self.interval = interval
    self.grace = grace
    self.pausedUntil = pausedUntil
    self.graceFrom = graceFrom
    self.setTime = setTime
    self.heldUntil = heldUntil
  }

  /// From when on a check-in meets the deadline: since the last check-in or the end of a later pause,
  /// or from the opening of a set time (SCH-2).
  public var start: Date { setTime?.opens ?? max(lastCheckIn, pausedUntil ?? lastCheckIn) }

  /// The set time, else ``start`` + interval; the end of an outing for which it waits, if that is
  /// later.
  public var date: Date { heldUntil.map { max($0, promised) } ?? promised }

  /// Whether it waits for an outing (OUT-3).
  public var isHeld: Bool { date > promised }

  /// The same as if no outing were on.
  public var promised: Date { setTime?.date ?? start + interval.span }

  /// Returns when the person is reminded, that long before the deadline: never in a pause, but at its
  /// end (CHK-7). Returns `nil` if they aren't, because the deadline hadn't begun to run (REM-1), or its
  /// set time hadn't opened (SCH-4).
  public func reminderTime(_ lead: TimeSpan) -> Date? {
    let time = date - lead
    return time > start ? max(time, pausedUntil ?? time) : nil
  }

  /// How long before the deadline a check-in meets it.
  private var length: TimeSpan {
    guard let setTime else { return interval.span }
    return .seconds(max(1, Int(bounded: setTime.date.timeIntervalSince(setTime.opens))))
  }

  /// Whether a check-in at `now` would come before the next set time opens, and so wouldn't move the
  /// deadline (SCH-2).
  public func isEarly(at now: Date) -> Bool { setTime.map { now < $0.opens } ?? false }

  /// When the responders are notified (ESC-1).
  public var graceEnd: Date { max(date, graceFrom ?? date) + grace }

  /// Returns the whole seconds until the deadline, rounded up, so that 0 means it has come;
  /// negative after it.
  public func secondsLeft(at now: Date) -> Int {
    Int(bounded: date.timeIntervalSince(now).rounded(.up))
  }

  /// How far away the deadline is, before it or after it: `5h 23m`, `less than 1m`.
  public func distanceText(at now: Date) -> String {
    let left = TimeSpan(seconds: abs(secondsLeft(at: now)))
    return left < .minutes(1) ? "less than 1m" : left.shortDescription
  }

  /// Returns the share of the time that is left: 1 just after a check-in or until a set time opens, 0 at
  /// the deadline and after.
  public func shareLeft(at now: Date) -> Double {
    min(1, max(0, date.timeIntervalSince(now) / Double(length.seconds)))
  }

  /// Returns calm above 50 % of the time, warning above 20 %, urgent above 0, else overdue
  /// (CHK-4).
  public func urgency(at now: Date) -> Urgency {
    guard now < date else { return .overdue }
    switch shareLeft(at: now) {
    case let share where share > 0.5: return .calm
    case let share where share > 0.2: return .warning
    default: return .urgent
    }
  }

  /// Returns how much time is left at a check-in: at most the interval, also during a pause; a negative
  /// span if it is late (CHK-5).
  public func margin(at now: Date) -> TimeSpan {
    let left = TimeSpan.seconds(secondsLeft(at: now))
    return setTime == nil ? min(interval.span, left) : left
  }

  /// Returns what the person is waiting for: the end of a pause, else the deadline.
  public func next(at now: Date) -> Date {
    pausedUntil.flatMap { now < $0 ? $0 : nil } ?? date
  }

  /// Returns the whole seconds until ``next(at:)``, rounded up.
  public func secondsToNext(at now: Date) -> Int {
    Int(bounded: next(at: now).timeIntervalSince(now).rounded(.up))
  }

  public func isPaused(at now: Date) -> Bool { pausedUntil.map { now < $0 } ?? false }

  /// Returns the status, ignoring alerts.
  public func status(at now: Date) -> CheckInStatus {
    if isPaused(at: now) { return .paused }
    if now >= graceEnd { return .nonResponsive }
    if now >= date { return .overdue }
    return urgency(at: now) == .urgent ? .dueSoon : .ok
  }

  /// Returns the next instant after `now` at which a countdown of two units shows a different text,
  /// or the status or urgency changes.
  public func nextVisibleChange(after now: Date) -> Date {
    let target = self.next(at: now)
    let shown = secondsToNext(at: now)
    let unit = abs(shown) >= 86_400 ? 3_600 : abs(shown) >= 3_600 ? 60 : 1
    // Before the deadline the text changes one second below a multiple of its smallest unit,
    // after it at the next multiple.
    let next = shown > 0 ? shown / unit * unit - 1 : -((-shown / unit + 1) * unit)
    let countdownChange = target - .seconds(next)
    let half = date - length.scaled(by: 0.5)
    let fifth = date - length.scaled(by: 0.2)
    return [countdownChange, half, fifth, date, graceEnd, start, pausedUntil ?? date]
      .filter { $0 > now }.min() ?? now + 1
  }
}

/// How pressing a deadline is, shown as the colour of the countdown.
public enum Urgency: String, Equatable, Sendable {
  case calm, warning, urgent, overdue
}

/// A person's status, derived from the deadline, the clock and their alerts (ORD-2).
public enum CheckInStatus: String, Equatable, Codable, Sendable {
  case ok
  case dueSoon = "due_soon"
  case overdue
  case nonResponsive = "non_responsive"
  case alert
  case paused

  /// Returns the more serious of two statuses.
  func combined(with other: CheckInStatus?) -> CheckInStatus {
    guard let other, other.severity > severity else { return self }
    return other
  }

  private var severity: Int {
    switch self {
    case .ok: 0
    // A pause hides nothing else.
    case .paused: 1
    case .dueSoon: 2
    case .overdue: 3
    case .nonResponsive: 4
    case .alert: 5
    }
  }
}

extension Date {
  public static func + (date: Date, span: TimeSpan) -> Date {
    date.addingTimeInterval(Double(span.seconds))
  }

  public static func - (date: Date, span: TimeSpan) -> Date {
    date.addingTimeInterval(-Double(span.seconds))
  }
}

extension TimeSpan {
  func scaled(by factor: Double) -> TimeSpan {
    TimeSpan(seconds: Int(bounded: Double(seconds) * factor))
  }
}
