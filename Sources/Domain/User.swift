public import FoundationEssentials

/// A person with an account: who they are, what they promised, and when they last checked in.
public struct User: Identifiable, Equatable, Codable, Sendable {
  public let id: UUID
  public var profile: Profile
  /// How often the person checks in, if there is no ``schedule`` (INT-1).
  public var interval: CheckInInterval
  /// The set times by which the person checks in, or `nil` if the interval counts (SCH-1).
  public var schedule: Schedule?
  /// How long before a deadline the person is reminded (REM-1); empty for no reminders.
  public var reminders: [TimeSpan]
  /// How long after a deadline the responders are notified (ESC-1).
  public var grace: TimeSpan
  /// How long after a message about an alert the responders are notified again (ESC-2).
  public var repeatInterval: TimeSpan
  /// Identifies the running deadline: it grows with every check-in and every change of the
  /// interval. Reminders and the missed alert are sent once per sequence.
  public var checkInSequence: Int
  public var lastCheckIn: Date
  /// Until when no check-in is expected, or `nil` if no pause is running or has ended since the
  /// last check-in (CHK-7).
  public var pausedUntil: Date?
  /// When that pause began.
  public var pausedAt: Date?
  /// When the grace time of the running deadline restarted, because no monitor was running when it
  /// passed (ESC-4); `nil` if it did not restart.
  public var graceFrom: Date?
  public var createdAt: Date
  /// The code by which others add this person (QR-1).
  public var code: AccountCode
  /// The locks that are set on the account.
  public var locks: Locks
  /// The stored file with their picture, or `nil`.
  public var picture: UUID?
  /// The outing that is on, or `nil` (OUT-1).
  public var outing: Outing?
  /// When the person deleted their account, which only a monitor still sees then (AUTH-4).
  public var deletedAt: Date?

  public init(
    id: UUID, profile: Profile, interval: CheckInInterval = .standard,
    reminders: [TimeSpan] = [.minutes(30)], grace: TimeSpan = .minutes(15),
    repeatInterval: TimeSpan = EscalationRules.standardRepeatInterval,
    checkInSequence: Int = 0, lastCheckIn: Date, pausedUntil: Date? = nil,
    pausedAt: Date? = nil, graceFrom: Date? = nil, createdAt: Date,
    code: AccountCode? = nil, locks: Locks = [], picture: UUID? = nil, deletedAt: Date? = nil,
    schedule: Schedule? = nil
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
    self.schedule = schedule
  }

  /// The locks of an account, each of which asks for a secret before something is done.
  public struct Locks: OptionSet, Hashable, Codable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A password signs in (AUTH-1).
    public static let password = Locks(rawValue: 1)
    /// The passphrase gate protects check-ins and whatever else could be done under duress (CHK-3).
    public static let gate = Locks(rawValue: 2)
    /// A new e-mail address waits for the code that was mailed to it: until it is typed, the old
    /// address signs in (AUTH-5).
    public static let unconfirmedAddress = Locks(rawValue: 4)
    /// A link in a message checks in (CHK-8). It is not a lock but its opposite, and like the locks
    /// it is in no export.
    public static let linkCheckIn = Locks(rawValue: 8)
    /// A command typed in a shell checks in (CHK-10). Like ``linkCheckIn``, not a lock but its opposite.
    public static let signsOfLife = Locks(rawValue: 16)
  }

  /// The running deadline (INT-2, SCH-2).
  public var deadline: Deadline {
    Deadline(
      lastCheckIn: lastCheckIn, interval: interval, grace: grace, pausedUntil: pausedUntil,
      graceFrom: graceFrom, setTime: schedule?.due,
      heldUntil: outing?.heldUntil)
  }

  /// Starts another sequence: messages about the previous deadline don't count for this one.
  public mutating func beginSequence() {
    checkInSequence += 1
    graceFrom = nil
  }
}

extension User {
  /// What every reminder is shorter than. Those that would come before a set time opens aren't sent,
  /// but stay (SCH-4).
  public var reminderLimit: CheckInInterval { schedule == nil ? interval : .longest }

  /// The pause that has run since the last check-in or during it; it may have ended (CHK-7).
  public var pause: Pause? {
    pausedUntil.map { Pause(start: pausedAt ?? lastCheckIn, end: $0) }
  }
}

/// The details a person gives about themselves; each field already follows ``ProfileRules``.
public struct Profile: Equatable, Codable, Sendable {
  /// 1–50 characters.
  public var name: String
  /// E.164, or `nil`.
  public var phone: String?
  /// The emergency note, up to 2,000 characters; can be empty.
  public var note: String
  /// The address for the person's own reminders, or `nil` for reminders on screen only.
  public var email: String?
  /// Where help must go, up to 200 characters on one or more lines; `nil` if none was given.
  ///
  /// In a change, `nil` keeps what is stored, because older apps leave it out; an empty text
  /// removes it.
  public var address: String?
  /// How to get in, up to 500 characters, shown to responders only while an alert is on; `nil` as
  /// for ``address``.
  public var access: String?

  public init(
    name: String, phone: String? = nil, note: String = "", email: String? = nil,
    address: String? = nil, access: String? = nil
  ) {
    self.name = name
    self.phone = phone
    self.note = note
    self.email = email
    self.address = address
    self.access = access
  }

  /// Creates a profile from what was typed.
  /// - Throws: The first ``ValidationError``, in the order name, phone, address, access, note,
  ///   e-mail.
  public init(
    validating name: String, phone: String, note: String, email: String, address: String = "",
    access: String = ""
  ) throws(ValidationError) {
    self.name = try ProfileRules.name(name)
    self.phone = try ProfileRules.phone(phone)
    let (address, access) = (try ProfileRules.address(address), try ProfileRules.access(access))
    self.address = address.isEmpty ? nil : address
    self.access = access.isEmpty ? nil : access
    self.note = try ProfileRules.note(note)
    self.email = email.trimmingWhitespace().isEmpty ? nil : try ProfileRules.email(email)
  }

  /// Returns the profile as it is stored; the store repeats this check before it saves.
  public func checked() throws(ValidationError) -> Profile {
    var checked = try Profile(
      validating: name, phone: phone ?? "", note: note, email: email ?? "",
      address: address ?? "", access: access ?? "")
    // An empty text says that something is removed.
    if address != nil { checked.address = checked.address ?? "" }
    if access != nil { checked.access = checked.access ?? "" }
    return checked
  }
}

/// The answers of the onboarding, from which an account is opened.
public struct NewAccount: Equatable, Codable, Sendable {
  public var profile: Profile
  public var interval: CheckInInterval
  public var reminders: [TimeSpan]
  public var grace: TimeSpan
  /// How long after a message about an alert the responders are notified again (ESC-2).
  public var repeatInterval: TimeSpan
  /// The first responders, added in the same transaction.
  public var responders: [ContactDraft]
  /// The credentials to sign in with, or `nil` for the first account of a store, which needs none.
  /// Their address becomes the profile's.
  public var credentials: Credentials?
  /// Whether an account from another machine is about to move into this one. A server's monitors
  /// watch it only once it has arrived or checked in for the first time.
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
      // Older apps leave it out.
      isArriving: try values.decodeIfPresent(Bool.self, forKey: .isArriving) ?? false)
  }
}

/// The rules for reminders, grace and repeats (REM-1, ESC-1, ESC-2).
public enum EscalationRules {
  /// Returns the lead times from long to short without duplicates, each shorter than the interval.
  public static func reminders(
    _ leads: [TimeSpan], interval: CheckInInterval
  ) throws(ValidationError) -> [TimeSpan] {
    for lead in leads where lead <= .zero || lead >= interval.span { throw .reminderTooLong }
    return Set(leads).sorted(by: >)
  }

  /// Returns a grace time of 0 – 24 h.
  public static func grace(_ span: TimeSpan) throws(ValidationError) -> TimeSpan {
    guard span >= .zero, span <= .hours(24) else { throw .graceRange }
    return span
  }

  public static let standardRepeatInterval = TimeSpan.hours(1)
  /// For how long after an alert was raised the responders are notified again, if nobody responds
  /// (ESC-2).
  public static let repeatsEnd = TimeSpan.hours(48)

  /// Returns when the responders are notified again of an alert that nobody responds to: at every
  /// interval since it was raised, or `nil` after ``repeatsEnd`` (ESC-2).
  public static func nextRepeat(
    since raisedAt: Date, every interval: TimeSpan, after now: Date
  ) -> Date? {
    guard interval > .zero else { return nil }
    let count = max(0, Int(bounded: now.timeIntervalSince(raisedAt)) / interval.seconds)
    let next = raisedAt + .seconds((count + 1) * interval.seconds)
    return next < raisedAt + repeatsEnd ? next : nil
  }

  /// Returns a repeat interval of 10 min – 24 h.
  public static func repeatInterval(_ span: TimeSpan) throws(ValidationError) -> TimeSpan {
    guard span >= .minutes(10), span <= .hours(24) else { throw .repeatRange }
    return span
  }
}

extension User {
  /// Returns the person's status, from the deadline, the outing that is on and the clock (ORD-2); an
  /// alert raised by hand comes before them.
  ///
  /// A missed alert makes no difference: after a longer interval was chosen, it can stay on until
  /// the next check-in (CHK-6) although there is time left. A silent alert must not show in
  /// anything that its person sees, and a drill is not an emergency.
  /// - Parameter alerts: The person's alerts.
  public func status(at now: Date, alerts: some Sequence<Alert>) -> CheckInStatus {
    alerts.contains { $0.isActive && $0.kind == .manual }
      ? .alert : deadline.status(at: now).combined(with: outing?.status(at: now))
  }
}
