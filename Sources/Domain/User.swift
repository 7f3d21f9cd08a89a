public import FoundationEssentials

/// A person with an account: who they are, what they promised, and when they were last heard of.
public struct User: Identifiable, Equatable, Codable, Sendable {
  public let id: UUID
  public var profile: Profile
  /// How often the person checks in (INT-1).
  public var interval: CheckInInterval
  /// How long before a deadline the person is reminded (REM-1); empty for no reminders.
  public var reminders: [TimeSpan]
  /// How long after a deadline the responders are notified (ESC-1).
  public var grace: TimeSpan
  /// How long after a message about an alert the responders are notified again (ESC-2).
  public var repeatInterval: TimeSpan
  /// Names the deadline that is running: it grows with every check-in and every change of the
  /// interval. Reminders and the missed alert are sent once per sequence.
  public var checkInSequence: Int
  public var lastCheckIn: Date
  /// Until when nobody expects a check-in, or `nil` where no pause runs or ended since the last
  /// check-in (CHK-7).
  public var pausedUntil: Date?
  /// When that pause began.
  public var pausedAt: Date?
  /// When the grace time of the running deadline began again, because nobody watched when it passed
  /// (ESC-4); `nil` where that did not happen.
  public var graceFrom: Date?
  public var createdAt: Date
  /// What others add this person by (QR-1).
  public var code: AccountCode
  /// What has to be typed where.
  public var locks: Locks
  /// The stored file with their picture, or `nil`.
  public var picture: UUID?
  /// When the person deleted their account; only a monitor still sees it then (AUTH-4).
  public var deletedAt: Date?

  public init(
    id: UUID, profile: Profile, interval: CheckInInterval = .standard,
    reminders: [TimeSpan] = [.minutes(30)], grace: TimeSpan = .minutes(15),
    repeatInterval: TimeSpan = EscalationRules.standardRepeatInterval,
    checkInSequence: Int = 0, lastCheckIn: Date, pausedUntil: Date? = nil,
    pausedAt: Date? = nil, graceFrom: Date? = nil, createdAt: Date,
    code: AccountCode? = nil, locks: Locks = [], picture: UUID? = nil, deletedAt: Date? = nil
  ) {
    self.id = id
    self.profile = profile
    self.interval = interval
    self.reminders = reminders
    self.grace = grace
    self.repeatInterval = repeatInterval
    self.checkInSequence = checkInSequence
    self.lastCheckIn = lastCheckIn
    self.pausedUntil = pausedUntil
    self.pausedAt = pausedAt
    self.graceFrom = graceFrom
    self.createdAt = createdAt
    self.code = code ?? AccountCode(id)
    self.locks = locks
    self.picture = picture
    self.deletedAt = deletedAt
  }

  /// What is asked for before something is done.
  public struct Locks: OptionSet, Hashable, Codable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A password signs in (AUTH-1).
    public static let password = Locks(rawValue: 1)
    /// The passphrase gate asks before a check-in and what else could be done under duress (CHK-3).
    public static let gate = Locks(rawValue: 2)
    /// The code that was mailed to a new e-mail address: until it is typed the old one signs in
    /// (AUTH-5).
    public static let unconfirmedAddress = Locks(rawValue: 4)
    /// Nothing, where a link of a message checks in (CHK-8): not a lock but its opposite, and like the locks
    /// in no export.
    public static let linkCheckIn = Locks(rawValue: 8)
  }

  /// The running deadline (INT-2).
  public var deadline: Deadline {
    Deadline(
      lastCheckIn: lastCheckIn, interval: interval, grace: grace, pausedUntil: pausedUntil,
      graceFrom: graceFrom)
  }

  /// Begins another sequence: what was sent about the deadline before says nothing about this one.
  public mutating func beginSequence() {
    checkInSequence += 1
    graceFrom = nil
  }
}

extension User {
  /// The pause since the last check-in, or in which that was; it may have ended (CHK-7).
  public var pause: Pause? {
    pausedUntil.map { Pause(start: pausedAt ?? lastCheckIn, end: $0) }
  }
}

/// What a person tells about themselves; each field already follows ``ProfileRules``.
public struct Profile: Equatable, Codable, Sendable {
  /// 2–50 characters.
  public var name: String
  /// E.164, or `nil`.
  public var phone: String?
  /// The emergency note, up to 2,000 characters; may be empty.
  public var note: String
  /// Where the person's own reminders go, or `nil` for reminders on screen only.
  public var email: String?

  public init(name: String, phone: String? = nil, note: String = "", email: String? = nil) {
    self.name = name
    self.phone = phone
    self.note = note
    self.email = email
  }

  /// A profile from what was typed.
  /// - Throws: the first ``ValidationError``, in the order name, phone, note, e-mail.
  public init(
    validating name: String, phone: String, note: String, email: String
  ) throws(ValidationError) {
    self.name = try ProfileRules.name(name)
    self.phone = try ProfileRules.phone(phone)
    self.note = try ProfileRules.note(note)
    self.email = email.trimmingWhitespace().isEmpty ? nil : try ProfileRules.email(email)
  }
}

/// What it takes to open an account: the answers of the onboarding.
public struct NewAccount: Equatable, Codable, Sendable {
  public var profile: Profile
  public var interval: CheckInInterval
  public var reminders: [TimeSpan]
  public var grace: TimeSpan
  /// How long after a message about an alert the responders are notified again (ESC-2).
  public var repeatInterval: TimeSpan
  /// The first responders, added in the same transaction.
  public var responders: [ContactDraft]
  /// What signs the person in; `nil` for the first account of a store, which needs nothing. The
  /// address becomes that of the profile.
  public var credentials: Credentials?
  /// Whether an account of a machine is about to move into it: a server's monitors watch it from its arrival or
  /// its first check-in on.
  public var isArriving: Bool

  public init(
    profile: Profile, interval: CheckInInterval = .standard,
    reminders: [TimeSpan] = [.minutes(30)], grace: TimeSpan = .minutes(15),
    repeatInterval: TimeSpan = EscalationRules.standardRepeatInterval,
    responders: [ContactDraft] = [], credentials: Credentials? = nil, isArriving: Bool = false
  ) {
    self.profile = profile
    self.interval = interval
    self.reminders = reminders
    self.grace = grace
    self.repeatInterval = repeatInterval
    self.responders = responders
    self.credentials = credentials
    self.isArriving = isArriving
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      profile: try values.decode(Profile.self, forKey: .profile),
      interval: try values.decode(CheckInInterval.self, forKey: .interval),
      reminders: try values.decode([TimeSpan].self, forKey: .reminders),
      grace: try values.decode(TimeSpan.self, forKey: .grace),
      repeatInterval: try values.decode(TimeSpan.self, forKey: .repeatInterval),
      responders: try values.decode([ContactDraft].self, forKey: .responders),
      credentials: try values.decodeIfPresent(Credentials.self, forKey: .credentials),
      // An older app says nothing of it.
      isArriving: try values.decodeIfPresent(Bool.self, forKey: .isArriving) ?? false)
  }
}

/// The rules for reminders, grace and repeats (REM-1, ESC-1, ESC-2).
public enum EscalationRules {
  /// Lead times sorted from long to short without repetition, each shorter than the interval.
  public static func reminders(
    _ leads: [TimeSpan], interval: CheckInInterval
  ) throws(ValidationError) -> [TimeSpan] {
    for lead in leads where lead <= .zero || lead >= interval.span { throw .reminderTooLong }
    return Set(leads).sorted(by: >)
  }

  /// 0 – 24 h.
  public static func grace(_ span: TimeSpan) throws(ValidationError) -> TimeSpan {
    guard span >= .zero, span <= .hours(24) else { throw .graceRange }
    return span
  }

  public static let standardRepeatInterval = TimeSpan.hours(1)
  /// How long after an alert was raised the responders are notified again, if nobody answers (ESC-2).
  public static let repeatsEnd = TimeSpan.hours(48)

  /// When the responders are notified again of an alert to which nobody responds: every interval since
  /// it was raised; `nil` once that is over (ESC-2).
  public static func nextRepeat(
    since raisedAt: Date, every interval: TimeSpan, after now: Date
  ) -> Date? {
    guard interval > .zero else { return nil }
    let count = max(0, Int(bounded: now.timeIntervalSince(raisedAt)) / interval.seconds)
    let next = raisedAt + .seconds((count + 1) * interval.seconds)
    return next < raisedAt + repeatsEnd ? next : nil
  }

  /// 10 min – 24 h.
  public static func repeatInterval(_ span: TimeSpan) throws(ValidationError) -> TimeSpan {
    guard span >= .minutes(10), span <= .hours(24) else { throw .repeatRange }
    return span
  }
}

extension User {
  /// How the person stands, from the deadline and the clock (ORD-2); an alert raised by hand stands
  /// above them.
  ///
  /// A missed alert changes nothing: after a longer interval was chosen it may still be on, until the
  /// next check-in (CHK-6), while there is time left. A silent alert shows in nothing that its person
  /// sees, and a drill is no emergency.
  /// - Parameter alerts: The person's alerts.
  public func status(at now: Date, alerts: some Sequence<Alert>) -> CheckInStatus {
    alerts.contains { $0.isActive && $0.kind == .manual } ? .alert : deadline.status(at: now)
  }
}
