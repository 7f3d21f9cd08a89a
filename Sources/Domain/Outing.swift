public import FoundationEssentials

/// A promise to be back by an instant, beside the regular one (OUT-1). Only *I'm back* ends it
/// (OUT-2).
public struct Outing: Identifiable, Hashable, Codable, Sendable {
  /// Its identity, which is also that of the alert that it can become.
  public let id: UUID
  /// Where the person goes, how and in which company, up to 500 characters; can be empty. Only its
  /// responders read it.
  public var text: String
  /// When the person has promised to be back, in whole seconds: messages are told apart by it.
  public var until: Date
  public var startedAt: Date
  /// When ``until`` was last set as a span from then; `nil` if it was typed as a time of day, which
  /// a clock that is set doesn't move.
  public var measuredAt: Date?
  /// The responders who are notified of it; empty for all of them.
  public var responders: [Contact.ID]
  /// Whether its responders were notified when it started, and so are of its changes and its end.
  public var isAnnounced: Bool
  /// Whether the regular deadline waits until its end, which every responder is notified of (OUT-3).
  public var holdsDeadline: Bool
  /// How long after ``until`` the responders are notified, 0 – 24 h.
  public var grace: TimeSpan
  /// When the grace time restarted, because no monitor was running when it began (ESC-4).
  public var graceFrom: Date?

  public init(
    id: UUID, text: String, until: Date, startedAt: Date, measuredAt: Date? = nil,
    responders: [Contact.ID] = [], isAnnounced: Bool = false, holdsDeadline: Bool = false,
    grace: TimeSpan = Outing.standardGrace, graceFrom: Date? = nil
  ) {
    self.id = id
    self.text = text
    self.until = until.inWholeSeconds
    self.startedAt = startedAt
    self.measuredAt = measuredAt
    self.responders = responders
    self.isAnnounced = isAnnounced
    self.holdsDeadline = holdsDeadline
    self.grace = grace
    self.graceFrom = graceFrom
  }

  public static let standardGrace = TimeSpan.minutes(15)
  /// How long an outing can take.
  public static let lengths = TimeSpan.minutes(10)...TimeSpan.days(14)
  /// How long before its end the person is reminded (OUT-4).
  public static let reminders: [TimeSpan] = [.minutes(30), .minutes(10), .zero]

  /// When its responders are notified that the person isn't back.
  public var graceEnd: Date { max(until, graceFrom ?? until) + grace }

  /// The person's status as it follows from the outing alone.
  public func status(at now: Date) -> CheckInStatus {
    if now >= graceEnd { return .nonResponsive }
    if now >= until { return .overdue }
    return now >= until - Self.reminders[0] ? .dueSoon : .ok
  }

  /// Returns those of the responders who are notified of it: the chosen ones, or all if none of
  /// those can be notified any more.
  public func responders(among all: [Contact]) -> [Contact] {
    hasLostResponders(among: all) ? all : all.filter { concerns($0.id) }
  }

  /// Whether a responder is notified of it.
  public func concerns(_ responder: Contact.ID) -> Bool {
    responders.isEmpty || responders.contains(responder)
  }

  /// What its responders see of it: not who else is one.
  public var forResponders: Outing {
    var outing = self
    (outing.responders, outing.measuredAt) = ([], nil)
    (outing.isAnnounced, outing.holdsDeadline) = (false, false)
    return outing
  }

  /// Until when it lets the deadline wait, or `nil` (OUT-3).
  public var heldUntil: Date? { holdsDeadline ? until : nil }

  /// Whether responders were chosen and none of them can be notified any more.
  public func hasLostResponders(among all: [Contact]) -> Bool {
    !responders.isEmpty && !all.contains { responders.contains($0.id) && !$0.channels.isEmpty }
  }

  /// How long is left, or for how long the person has been due, as words.
  public func distanceText(at now: Date) -> String {
    let left = TimeSpan(seconds: abs(secondsLeft(at: now)))
    return left < .minutes(1) ? "less than 1m" : left.shortDescription
  }

  /// Returns the next instant after `now` at which its text or status changes: at each minute.
  public func nextVisibleChange(after now: Date) -> Date {
    let shown = secondsLeft(at: now)
    // Before the end one second below a whole minute, after it at one.
    let next = until - .seconds(shown > 0 ? shown / 60 * 60 - 1 : -((-shown / 60 + 1) * 60))
    return [next, until - Self.reminders[0], until, graceEnd].filter { $0 > now }.min() ?? now + 60
  }

  /// Returns the whole seconds until its end, rounded up; negative after it.
  public func secondsLeft(at now: Date) -> Int {
    Int(bounded: until.timeIntervalSince(now).rounded(.up))
  }

  /// Moves what a clock has stamped since an instant, after that clock was set (ESC-5). An end that
  /// was measured from the wrong time moves with it; one that was typed as a time of day stays that
  /// time, of another day if the clock was days off.
  public mutating func move(since start: Date, by seconds: Double) {
    if startedAt >= start {
      startedAt += seconds
      let days = (seconds / 86_400).rounded()
      if measuredAt == nil, days != 0 {
        until += days * 86_400
        if until <= startedAt { until += 86_400 }
      }
    }
    if let measured = measuredAt, measured >= start {
      measuredAt = measured + seconds
      until = (until + seconds).inWholeSeconds
    }
    if let from = graceFrom, from >= start { graceFrom = from + seconds }
  }

  /// Returns the outing with a later end (OUT-3).
  /// - Parameter span: What is added to its end, or to now if that has passed.
  /// - Throws: ``ValidationError/outingRange``.
  public func extended(by span: TimeSpan, at now: Date) throws(ValidationError) -> Outing {
    guard span > .zero else { throw .outingRange }
    var extended = self
    extended.until = (max(until, now) + span).inWholeSeconds
    if now > until { extended.measuredAt = now }
    guard extended.until <= now + Self.lengths.upperBound else { throw .outingRange }
    extended.graceFrom = nil
    return extended
  }
}

/// What a person enters to start an outing (OUT-1).
public struct OutingDraft: Hashable, Codable, Sendable {
  /// When they will be back, as typed: `18:00`, `tomorrow 9:00`, `4h`. The store resolves it, whose
  /// clock counts.
  public var end: String
  /// The zone of a time of day.
  public var zone: String
  public var text: String
  public var responders: [Contact.ID]
  public var isAnnounced: Bool
  public var holdsDeadline: Bool
  public var grace: TimeSpan

  public init(
    end: String, zone: String, text: String = "", responders: [Contact.ID] = [],
    isAnnounced: Bool = false, holdsDeadline: Bool = false,
    grace: TimeSpan = Outing.standardGrace
  ) {
    self.end = end
    self.zone = zone
    self.text = text
    self.responders = responders
    self.isAnnounced = isAnnounced
    self.holdsDeadline = holdsDeadline
    self.grace = grace
  }

  /// Returns the outing as it would begin now.
  public func proposed(at now: Date) throws(ValidationError) -> Outing {
    try outing(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), at: now)
  }

  /// Returns the outing that begins now.
  /// - Throws: ``ValidationError/zone(_:)``, ``ValidationError/outingEnd(_:)``,
  ///   ``ValidationError/outingRange``, ``ValidationError/graceRange`` or what a text that is too
  ///   long throws.
  public func outing(_ id: UUID, at now: Date) throws(ValidationError) -> Outing {
    guard let rules = ZoneData.rules(of: zone) else { throw .zone(zone) }
    // Midnight is hardly what somebody means who says only the day of their return.
    guard let end = try? TypedEnd(end, now: now, clock: rules), !end.isDay else {
      throw .outingEnd(end.quotable)
    }
    guard end.date >= now + Outing.lengths.lowerBound, end.date <= now + Outing.lengths.upperBound
    else { throw .outingRange }
    return Outing(
      id: id, text: try ProfileRules.alertMessage(text), until: end.date, startedAt: now,
      measuredAt: end.isSpan ? now : nil, responders: responders, isAnnounced: isAnnounced,
      holdsDeadline: holdsDeadline, grace: try EscalationRules.grace(grace))
  }
}

/// A later end for an outing that is on (OUT-3).
public struct OutingExtension: Hashable, Codable, Sendable {
  public var outing: Outing.ID
  /// The end that the person saw: another device may have changed it.
  public var seen: Date
  public var span: TimeSpan

  public init(_ outing: Outing, by span: TimeSpan) {
    (self.outing, seen, self.span) = (outing.id, outing.until, span)
  }
}

extension [Contact] {
  /// Finds responders by their names, in any case, in full or by their beginnings, with commas between
  /// them.
  /// - Throws: ``ValidationError/responderName(_:)`` for a name that none or several have.
  public func responders(named names: String) throws(ValidationError) -> [Contact] {
    let all = filter { $0.isActive && $0.roles.contains(.responder) }
    var found: [Contact] = []
    for name in names.split(separator: ",").map({ $0.trimmingWhitespace() }) where !name.isEmpty {
      let typed = name.lowercased()
      let exact = all.filter { $0.name.lowercased() == typed }
      let fitting = exact.isEmpty ? all.filter { $0.name.lowercased().hasPrefix(typed) } : exact
      guard fitting.count == 1 else { throw .responderName(name) }
      found.append(fitting[0])
    }
    return found
  }
}
