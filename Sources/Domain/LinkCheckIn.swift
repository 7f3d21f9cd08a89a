public import FoundationEssentials

/// What a link to check in by is good for now, as its page shows it (CHK-8).
public struct LinkCheckIn: Equatable, Codable, Sendable {
  public var person: String
  /// The running deadline.
  public var deadline: Date
  public var state: State
  /// Whether an alert is on that the person raised: a check-in leaves it on (CHK-6).
  public var isAlertOn: Bool
  /// The missed check-in that their responders are notified of; `nil` for none.
  public var missed: Missed?

  public enum State: Equatable, Codable, Sendable {
    /// A press checks in.
    case ready
    /// A press checks in with the passphrase of the gate; without it, it is passed on to the responders
    /// once they are notified.
    case needsPassphrase
    /// The responders have been notified since this instant: a press is passed on to them, and ends nothing.
    case endsNothing(since: Date)
    /// It was passed on to them.
    case passedOn(Date)
    /// The last check-ins were all by links: the next one is to be in the app or by command.
    case limitReached
    /// This link has checked in, and the promise stands: the next deadline is still to come.
    case checkedIn(Date)
    /// This link has checked in, and the next deadline has passed since: it does nothing more.
    case usedUp(Date)
  }

  /// What is known of an alert that no link ends by itself.
  public struct Missed: Equatable, Codable, Sendable {
    /// When a server first accepted a message to a responder; `nil` while none has (NOT-3).
    public var sentAt: Date?
    /// When this link was pressed without the passphrase, which was passed on to the responders.
    public var passedOnAt: Date?

    public init(sentAt: Date? = nil, passedOnAt: Date? = nil) {
      self.sentAt = sentAt
      self.passedOnAt = passedOnAt
    }
  }

  /// How many check-ins in a row may be by link where no passphrase is asked for.
  public static let limit = 2

  /// What a person reads before they choose it.
  public static let explanation =
    "Anyone who can read this mailbox or topic can check in as you. Without a passphrase gate, at most 2"
    + " check-ins in a row count by a link, and none once responders know of a missed one."

  public init(
    person: String, deadline: Date, state: State, isAlertOn: Bool = false, missed: Missed? = nil
  ) {
    self.person = person
    self.deadline = deadline
    self.state = state
    self.isAlertOn = isAlertOn
    self.missed = missed
  }
}

extension Channel {
  /// Whether a link to check in by may stand in a message on this channel: others may read a topic whose
  /// name they can guess, unless a token protects it. On the public server a token says who we are, and
  /// need not keep anybody out.
  public func carriesCheckInLink(hasToken: Bool) -> Bool {
    switch kind {
    case .email: true
    case .ntfy:
      NtfyTopic(address).map { $0.isGenerated || hasToken && !$0.isOnPublicServer } ?? false
    case .webhook, .desktop, .service: false
    }
  }
}
