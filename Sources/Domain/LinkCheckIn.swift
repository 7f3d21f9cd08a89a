public import FoundationEssentials

/// The state of a check-in link, as its page shows it (CHK-8).
public struct LinkCheckIn: Equatable, Codable, Sendable {
  public var person: String
  /// The running deadline.
  public var deadline: Date
  public var state: State
  /// Whether an alert that the person raised is on; a check-in doesn't end it (CHK-6).
  public var isAlertOn: Bool
  /// The missed check-in that their responders are notified of, or `nil`.
  public var missed: Missed?

  public enum State: Equatable, Codable, Sendable {
    /// A press checks in.
    case ready
    /// A press checks in with the passphrase of the gate; without it, the press is passed on to the
    /// responders once they are notified.
    case needsPassphrase
    /// The responders have been notified since this time: a press is passed on to them and ends
    /// nothing.
    case endsNothing(since: Date)
    /// The press was passed on to the responders.
    case passedOn(Date)
    /// The last check-ins were all by link, or a link would carry the deadline further than signs of
    /// life can (CHK-10); the next must be in the app or by command.
    case limitReached
    /// This link has checked in, and the next deadline is still to come.
    case checkedIn(Date)
    /// This link has checked in, and the next deadline has passed since: it has no further effect.
    case usedUp(Date)
  }

  /// A missed check-in whose alert a link alone can't end.
  public struct Missed: Equatable, Codable, Sendable {
    /// When a server first accepted a message to a responder; `nil` while none has (NOT-3).
    public var sentAt: Date?
    /// When this link was pressed without the passphrase and the press passed on to the responders.
    public var passedOnAt: Date?

    public init(sentAt: Date? = nil, passedOnAt: Date? = nil) {
      self.sentAt = sentAt
      self.passedOnAt = passedOnAt
    }
  }

  /// How many check-ins in a row can be by link without a passphrase.
  public static let limit = 2

  /// The text a person reads before they allow links.
  public static let explanation =
    "Anyone who can read this mailbox or topic can check in as you. Without a passphrase gate, at most 2"
    + " check-ins in a row can be by a link, and none after your responders are notified of a missed one."

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
  /// Whether a message on this channel can contain a check-in link. Anyone who guesses a topic's
  /// name can read it, unless a token protects it; on the public server a token identifies us, but
  /// doesn't necessarily keep others out.
  public func carriesCheckInLink(hasToken: Bool) -> Bool {
    switch kind {
    case .email: true
    case .ntfy:
      NtfyTopic(address).map { $0.isGenerated || hasToken && !$0.isOnPublicServer } ?? false
    case .webhook, .desktop, .service: false
    }
  }
}
