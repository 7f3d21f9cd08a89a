public import FoundationEssentials

/// The subject of a message: a point on the way from a reminder to the all-clear.
public enum Stage: Hashable, Sendable {
  // MARK: To the person

  /// This long before the deadline (REM-1).
  case reminder(TimeSpan)
  /// Before a pause ends (CHK-7).
  case pauseEnds
  /// At the deadline (ESC-1).
  case deadlinePassed
  /// When a monitor starts to watch and finds that the deadline passed unwatched: the grace time
  /// restarts (ESC-4).
  case noticedLate
  /// This long before an outing's end, at this instant, or at it (OUT-4).
  case outingEnds(TimeSpan, Date)
  /// When a monitor starts to watch and finds that an outing's end passed unwatched (ESC-4).
  case outingNoticedLate(Date)
  /// With a code to set a new password (AUTH-1).
  case passwordReset
  /// After a password was set with such a code; each time has its own identity (AUTH-5).
  case passwordWasReset(UUID)
  /// To a new e-mail address, with the code that lets it sign in (AUTH-5).
  case addressCode
  /// To an e-mail address that was replaced, with the code that restores it (AUTH-5).
  case addressReplaced
  /// After that address was restored.
  case addressTakenBack(UUID)
  /// When an operation that weakens help has to wait after a reset, with the code that cancels it;
  /// each has its own identity (AUTH-5).
  case requestWaits(UUID)
  /// After the server was restored from a backup; each time has its own identity.
  case serverRestored(UUID)

  // MARK: To every responder

  /// At the end of the grace time (ESC-1).
  case nonResponsive
  /// The same again, for the *n*th time (ESC-2).
  case nonResponsiveAgain(Int)
  /// When an alert was raised by hand (ALT-1).
  case alertOn
  /// The same again, for the *n*th time (ESC-2).
  case alertOnAgain(Int)
  /// A text that the person added after the alert was sent, to everyone who was notified of it
  /// (ALT-7); each text has its own identity.
  case alertNote(UUID)
  /// When the person pressed a check-in link without a passphrase, which ends nothing (CHK-8).
  case linkPressed
  /// When a check-in that was made earlier arrived so late that its deadline has passed (CHK-1).
  case lateSign
  /// When the account was deleted (AUTH-4).
  case accountDeleted
  /// When the store is damaged, so that nothing is watched; to the person, too (WCH-1).
  case unwatched

  // MARK: To every responder who had been notified

  /// After a late check-in (CHK-6).
  case allClear
  /// When the alert was cancelled (ALT-2).
  case alertOff
  /// When the responder of this identity is responding; to the person, too (ESC-2).
  case acknowledged(UUID)

  /// When a responder withdraws; with the identity of their acknowledgement (PAGE-1).
  case withdrawn(UUID)

  // MARK: To one recipient

  /// To an outside contact who was just named (CON-3).
  case contactAdded
  /// To test a channel; each test has its own identity (CHN-1).
  case channelTest(UUID)
  /// To a responder, about a change that they need to know of; each has its own identity (CHK-3,
  /// DUR-2).
  case responderNotice(UUID)
  /// To a responder, that the person is well: out, out for longer or back; each has its own identity
  /// (OUT-2).
  case reassurance(UUID)
  /// To a responder who chose it, at a check-in; each has its own identity (NOT-4).
  case checkedIn(UUID)

  /// The stage's name in the store, followed by a colon and a reminder's lead time in seconds, a
  /// repetition's number or an identity, if the stage has one.
  public var storageKey: String {
    switch self {
    case .reminder(let lead): "reminder:\(lead.seconds)"
    case .outingEnds(let lead, let end): "outing_ends:\(lead.seconds)/\(end.wholeSeconds)"
    case .outingNoticedLate(let end): "outing_noticed_late:\(end.wholeSeconds)"
    case .nonResponsiveAgain(let count): "non_responsive_again:\(count)"
    case .alertOnAgain(let count): "alert_on_again:\(count)"
    case .acknowledged(let responder): "acknowledged:\(responder.uuidString.lowercased())"
    case .withdrawn(let word): "withdrawn:\(word.uuidString.lowercased())"
    case .alertNote(let id): "alert_note:\(id.uuidString.lowercased())"
    case .channelTest(let id): "channel_test:\(id.uuidString.lowercased())"
    case .responderNotice(let id): "responder_notice:\(id.uuidString.lowercased())"
    case .reassurance(let id): "reassurance:\(id.uuidString.lowercased())"
    case .checkedIn(let id): "checked_in:\(id.uuidString.lowercased())"
    case .passwordWasReset(let id): "password_was_reset:\(id.uuidString.lowercased())"
    case .addressTakenBack(let id): "address_taken_back:\(id.uuidString.lowercased())"
    case .requestWaits(let id): "request_waits:\(id.uuidString.lowercased())"
    case .serverRestored(let id): "server_restored:\(id.uuidString.lowercased())"
    default: Self.plainKeys.first { $0.stage == self }!.key
    }
  }

  public init?(storageKey: String) {
    if let plain = Self.plainKeys.first(where: { $0.key == storageKey }) {
      self = plain.stage
      return
    }
    let parts = storageKey.split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    // More than any real lead time or count, and safe to calculate with.
    let number = Int(parts[1]).flatMap { (0...100_000_000).contains($0) ? $0 : nil }
    let identity = UUID(uuidString: String(parts[1]))
    let numbers = parts[1].split(separator: "/", omittingEmptySubsequences: false)
      .map { Int($0).flatMap { (0...253_402_300_799).contains($0) ? $0 : nil } }
    switch (parts[0], number, identity) {
    case ("outing_ends", _, _):
      guard numbers.count == 2, let lead = numbers[0], let end = numbers[1] else { return nil }
      self = .outingEnds(.seconds(lead), Date(timeIntervalSince1970: Double(end)))
    case ("outing_noticed_late", _, _):
      guard numbers.count == 1, let end = numbers[0] else { return nil }
      self = .outingNoticedLate(Date(timeIntervalSince1970: Double(end)))
    case ("reminder", let seconds?, _): self = .reminder(.seconds(seconds))
    case ("non_responsive_again", let count?, _): self = .nonResponsiveAgain(count)
    case ("alert_on_again", let count?, _): self = .alertOnAgain(count)
    case ("acknowledged", _, let responder?): self = .acknowledged(responder)
    case ("withdrawn", _, let word?): self = .withdrawn(word)
    case ("alert_note", _, let id?): self = .alertNote(id)
    case ("channel_test", _, let id?): self = .channelTest(id)
    case ("responder_notice", _, let id?): self = .responderNotice(id)
    case ("reassurance", _, let id?): self = .reassurance(id)
    case ("checked_in", _, let id?): self = .checkedIn(id)
    case ("password_was_reset", _, let id?): self = .passwordWasReset(id)
    case ("address_taken_back", _, let id?): self = .addressTakenBack(id)
    case ("request_waits", _, let id?): self = .requestWaits(id)
    case ("server_restored", _, let id?): self = .serverRestored(id)
    default: return nil
    }
  }

  private static let plainKeys: [(stage: Stage, key: String)] = [
    (.pauseEnds, "pause_ends"), (.deadlinePassed, "deadline_passed"),
    (.noticedLate, "noticed_late"), (.passwordReset, "password_reset"),
    (.addressCode, "address_code"), (.addressReplaced, "address_replaced"),
    (.nonResponsive, "non_responsive"), (.alertOn, "alert_on"),
    (.accountDeleted, "account_deleted"), (.allClear, "all_clear"), (.alertOff, "alert_off"),
    (.contactAdded, "contact_added"), (.unwatched, "unwatched"), (.linkPressed, "link_pressed"),
    (.lateSign, "late_sign"),
  ]
}

extension Stage {
  /// Whether it tells a responder that an alert is on, for the first time or again.
  public var isCall: Bool {
    switch self {
    case .nonResponsive, .nonResponsiveAgain, .alertOn, .alertOnAgain: true
    default: false
    }
  }

  /// Whether it needs attention at once: a call, or a text that the person adds while an alert is
  /// on.
  public var isUrgent: Bool { if case .alertNote = self { true } else { isCall } }

  /// How many times the responder was notified before, for a repeated message (ESC-2); 0 for any
  /// other.
  public var repetition: Int {
    switch self {
    case .nonResponsiveAgain(let count), .alertOnAgain(let count): count
    default: 0
    }
  }

  /// Whether it tells a responder again that an alert is on.
  public var isRepeat: Bool {
    switch self {
    case .nonResponsiveAgain, .alertOnAgain: true
    default: false
    }
  }

  /// Whether it says that an alert is over.
  public var isEnd: Bool { self == .allClear || self == .alertOff }

  /// The names of the messages that a recipient is sent at once, however many they were sent that
  /// day, and that count for nothing then (NOT-5).
  public static let namesNeverHeldBack: Set<String> = [
    "non_responsive", "non_responsive_again", "alert_on", "alert_on_again", "alert_note",
    "all_clear", "alert_off", "account_deleted", "unwatched",
  ]

  /// Whether a recipient is sent it at once, however many messages they were sent that day. A
  /// drill's call is only a test.
  public func isNeverHeldBack(inDrill: Bool) -> Bool {
    inDrill ? isEnd : Self.namesNeverHeldBack.contains(name)
  }

  /// The first part of ``storageKey``.
  public var name: String { String(storageKey.prefix { $0 != ":" }) }

  /// Whether it tells a responder that all may be well, which must not be sent while a silent alert
  /// is on.
  public var isReassuring: Bool {
    switch self {
    case .reassurance, .checkedIn, .linkPressed, .lateSign: true
    default: isEnd
    }
  }

  /// Whether it tells the person about the end of an outing.
  public var isAboutOuting: Bool {
    switch self {
    case .outingEnds, .outingNoticedLate: true
    default: false
    }
  }

  /// Whether it tells the person about a deadline that a check-in moves; such a message has a
  /// check-in link (CHK-8).
  public var asksForCheckIn: Bool {
    switch self {
    case .reminder, .deadlinePassed, .noticedLate: true
    default: false
    }
  }
}

extension Date {
  /// The whole seconds since 1970, as an outing's end is written in a stage.
  fileprivate var wholeSeconds: Int { Int(bounded: timeIntervalSince1970.rounded(.down)) }

  /// The time without its fraction of a second.
  public var inWholeSeconds: Date { Date(timeIntervalSince1970: Double(wholeSeconds)) }
}

extension Stage: Codable {
  /// Stands for a stage that only a newer program knows. The same answer is the same value.
  private static var unknownNotice: UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // A stage of a newer server is shown as a notice.
    let unknown = decoder.isReadingAnswer ? Stage.responderNotice(Self.unknownNotice) : nil
    guard let stage = Stage(storageKey: try container.decode(String.self)) ?? unknown else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "This isn't a stage.")
    }
    self = stage
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(storageKey)
  }
}
