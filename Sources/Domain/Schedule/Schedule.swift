public import FoundationEssentials

/// The set times of a person and the deadline that follows from them (SCH-1 … SCH-3).
///
/// What writes a check-in or a schedule stores the next deadline as an instant, so that showing it
/// needs no zone data.
public struct Schedule: Hashable, Codable, Sendable {
  public var times: SetTimes
  /// When the times were last changed: no earlier deadline follows from them.
  public var since: Date
  /// The zone's rule as it was then, for a machine without zone data.
  public var rule: String
  /// From when on a check-in counts for the next deadline.
  public var opens: Date
  /// The next deadline.
  public var next: Date
  /// Whether the last check-in came before a set time opened, and so moved no deadline (SCH-2).
  public var isEarly: Bool

  /// Creates a schedule from what is stored.
  public init(
    times: SetTimes, since: Date, rule: String, opens: Date, next: Date, isEarly: Bool = false
  ) {
    self.times = times
    self.since = since
    self.rule = rule
    self.opens = opens
    self.next = next
    self.isEarly = isEarly
  }

  /// Creates a schedule that begins now, with its first deadline (SCH-4).
  /// - Parameters:
  ///   - start: The last check-in, or the end of a later pause.
  ///   - rules: The rules of the zone.
  public init(
    _ times: SetTimes, from now: Date, lastCheckIn: Date, pausedUntil: Date?, rules: ZoneRules
  ) {
    self.init(
      times: times, since: now, rule: rules.ruleText, opens: .distantPast, next: .distantPast)
    moveOn(lastCheckIn: lastCheckIn, pausedUntil: pausedUntil, rules: rules)
  }

  /// The next deadline, with when it opens.
  public var due: SetTimes.Due { SetTimes.Due(opens: opens, date: next) }

  /// The rules of the zone: this machine's, else those that were stored.
  public var rules: ZoneRules? { ZoneData.rules(of: times.zone) ?? ZoneRules(posix: rule) }

  /// Computes the next deadline again, after a check-in or a pause.
  public mutating func moveOn(lastCheckIn: Date, pausedUntil: Date?) {
    guard let rules else { return }
    moveOn(lastCheckIn: lastCheckIn, pausedUntil: pausedUntil, rules: rules)
  }

  mutating func moveOn(lastCheckIn: Date, pausedUntil: Date?, rules: ZoneRules) {
    let due = times.due(
      after: lastCheckIn, floor: max(since, pausedUntil ?? since), rules: rules)
    (opens, next) = (due.opens, due.date)
  }

  /// Returns the next deadlines, if each is met.
  public func upcoming(_ count: Int) -> [Date] {
    let following = rules.map { times.upcoming(count - 1, after: next, floor: next, rules: $0) }
    return [next] + (following ?? []).map(\.date)
  }

  /// The last set time that a check-in was for, unless it was early: the one before the next.
  public var served: Date? {
    guard !isEarly, let rules else { return nil }
    let before = times.upcoming(
      SetTimes.mostTimes * 8, after: next - .days(9), floor: next - .days(9), rules: rules)
    return before.last { $0.date < next }?.date
  }

  /// Returns the clock of the next deadline in its own zone, `09:00 Berlin time`, if another clock
  /// shows another time.
  public func clockThere(_ calendar: CivilCalendar) -> String? {
    guard let rules else { return nil }
    let instant = Int(bounded: next.timeIntervalSince1970)
    let there = CivilCalendar.fixed(secondsFromGMT: rules.offset(at: instant)).time(of: next)
    let here = calendar.time(of: next)
    return there == here ? nil : "\(there.clock) \(times.zoneTitle) time"
  }
}

extension SetTimes: Codable {
  private enum CodingKeys: String, CodingKey {
    case times, zone, opening
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      values.decode([Time].self, forKey: .times), zone: values.decode(String.self, forKey: .zone),
      opening: values.decode(TimeSpan.self, forKey: .opening))
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(times, forKey: .times)
    try values.encode(zone, forKey: .zone)
    try values.encode(opening, forKey: .opening)
  }
}

extension User {
  /// How often the person checks in, as it follows "check in" in prose: `every day`,
  /// `by 09:00 every day`.
  public var promiseInWords: String { promise.inWords }
  /// The same where there is little room: `every 24h`, `daily 09:00`.
  public var promiseText: String { promise.text }
  /// What the deadline follows from.
  public var promise: Promise { Promise(interval, unless: schedule) }
}

extension User {
  /// Whether another promise brings help later: its next deadline is later, or the person can stay
  /// silent for longer (CHK-3).
  public func isPostponed(by changed: User, at now: Date) -> Bool {
    if changed.deadline.date > deadline.date || changed.deadline.promised > deadline.promised
      || changed.longestSilence(from: now) > longestSilence(from: now)
    {
      return true
    }
    // Another zone can bring help later only when the clocks change.
    guard let old = schedule, let new = changed.schedule, old.times.zone != new.times.zone else {
      return false
    }
    let year = 366 * SetTimes.mostTimes
    return zip(old.upcoming(year), new.upcoming(year)).contains { $1 > $0 }
  }

  /// The person with another promise from now on.
  /// - Throws: ``ValidationError/zone(_:)`` for a zone that isn't known here.
  public func changing(to promise: Promise, at now: Date) throws(ValidationError) -> User {
    switch promise {
    case .interval(let interval): return checkingIn(every: interval)
    case .setTimes(let times):
      guard let rules = ZoneData.rules(of: times.zone) else { throw .zone(times.zone) }
      var changed = self
      changed.schedule = Schedule(
        times, from: now, lastCheckIn: lastCheckIn, pausedUntil: pausedUntil, rules: rules)
      return changed
    }
  }

  /// The person with an interval instead of what they promised.
  public func checkingIn(every interval: CheckInInterval) -> User {
    var changed = self
    (changed.interval, changed.schedule) = (interval, nil)
    return changed
  }

  /// The longest time that can pass between two check-ins without a deadline being missed.
  public func longestSilence(from now: Date) -> TimeSpan {
    guard let schedule else { return interval.span }
    return schedule.rules.map { schedule.times.longestSilence(from: now, rules: $0) } ?? .days(8)
  }
}

/// What a person promised: to check in again within an interval (INT-1), or by set times (SCH-1).
public enum Promise: Hashable, Sendable {
  case interval(CheckInInterval)
  case setTimes(SetTimes)

  /// - Parameter schedule: What counts instead of the interval, if there is one.
  init(_ interval: CheckInInterval, unless schedule: Schedule?) {
    self = schedule.map { .setTimes($0.times) } ?? .interval(interval)
  }

  /// The promise as it follows "check in" in prose: `every day`, `by 09:00 every day`.
  public var inWords: String {
    switch self {
    case .interval(let interval): "every \(interval.inWords)"
    case .setTimes(let times): times.inWords
    }
  }

  /// Reads an interval such as `36h`, or times such as `daily 09:00`, which can be followed by their
  /// zone.
  /// - Parameters:
  ///   - zone: The zone of times without one.
  ///   - opening: How long before a time a check-in counts.
  /// - Throws: ``ValidationError/duration(_:)``, ``ValidationError/intervalRange``, or what
  ///   ``SetTimes/init(parsing:zone:opening:)`` throws.
  public init(
    parsing text: String, zone: String, opening: TimeSpan = SetTimes.standardOpening
  ) throws(ValidationError) {
    var words = text.split(whereSeparator: \.isWhitespace)
    var zone = zone
    if let last = words.last, words.count > 1,
      last.contains("/") || ZoneData.rules(of: String(last)) != nil
    {
      zone = String(last)
      words.removeLast()
    }
    do throws(ValidationError) {
      self = .setTimes(
        try SetTimes(parsing: words.joined(separator: " "), zone: zone, opening: opening))
    } catch .setTimes where !text.contains(":") {
      self = .interval(try CheckInInterval(parsing: text))
    }
  }

  /// The promise in words, with what else tells it from another one.
  func inWords(unlike other: Promise) -> String {
    guard case .setTimes(let times) = self, case .setTimes(let others) = other else {
      return inWords
    }
    var words = [inWords]
    if times.zone != others.zone { words.append("\(times.zoneTitle) time") }
    if times.opening != others.opening {
      words.append("from \(times.opening.inWords) before")
    }
    return words.joined(separator: ", ")
  }

  /// The promise where there is little room: `every 24h`, `daily 09:00`.
  public var text: String {
    switch self {
    case .interval(let interval): "every \(interval.displayText)"
    case .setTimes(let times): times.text
    }
  }
}
