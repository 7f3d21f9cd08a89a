public import FoundationEssentials

/// The event that a delivery belongs to.
public enum Occasion: Hashable, Sendable {
  /// The deadline of this check-in sequence: reminders, and the message to the person that it
  /// passed.
  case deadline(sequence: Int)
  /// An alert of any kind.
  case alert(UUID)
  /// The account itself.
  case account
}

/// The recipient of a message.
public enum Recipient: Hashable, Codable, Sendable {
  /// The person themselves.
  case owner
  case contact(UUID)
}

/// The progress of a delivery.
///
/// `pending` → (claimed under a lease) → `sent`, back to `pending`, or `failed`; `cancelled` if it
/// stops being true before it is sent.
public enum DeliveryState: String, Equatable, Codable, Sendable {
  case pending, sent, failed, cancelled
}

/// A message to send. Occasion, stage, recipient, channel and address identify it, so that planning
/// it twice has no effect (ESC-3).
public struct PlannedDelivery: Equatable, Sendable {
  public var occasion: Occasion
  public var stage: Stage
  public var recipient: Recipient
  public var recipientName: String
  public var channel: Channel.Kind
  public var address: String
  /// The message that this one answers, such as the alert that an all-clear ends, or `nil`.
  public var inReplyTo: MessageID?
  /// Further content of the message, such as a code; can be empty.
  public var detail: String

  public init(
    occasion: Occasion, stage: Stage, recipient: Recipient, recipientName: String,
    channel: Channel.Kind, address: String, inReplyTo: MessageID? = nil, detail: String = ""
  ) {
    self.occasion = occasion
    self.stage = stage
    self.recipient = recipient
    self.recipientName = recipientName
    self.channel = channel
    self.address = address
    self.inReplyTo = inReplyTo
    self.detail = detail
  }
}

/// The fixed identity of a message, the same for every attempt: `<uuid@lifesignal.invalid>`.
public struct MessageID: Hashable, Sendable {
  /// The identifier without the angle brackets.
  public var text: String
  public init(text: String) { self.text = text }
  public init(delivery id: UUID) { text = id.uuidString.lowercased() + "@lifesignal.invalid" }
}

/// A delivery as the planner sees it.
public struct DeliveryRecord: Identifiable, Equatable, Sendable {
  public let id: UUID
  public var occasion: Occasion
  public var stage: Stage
  public var recipient: Recipient
  public var channel: Channel.Kind
  public var address: String
  public var state: DeliveryState
  /// How often it was claimed.
  public var attempts: Int
  /// Whether the outcome of the last claim was recorded. If it was not, because the process was
  /// killed, the server may have accepted the message.
  public var lastAttemptIsRecorded: Bool
  /// Until when a monitor holds it to deliver it, or `nil`.
  public var leasedUntil: Date?
  /// When it was sent, given up or cancelled; `nil` while it is pending.
  public var finishedAt: Date?

  public init(
    id: UUID, occasion: Occasion, stage: Stage, recipient: Recipient, channel: Channel.Kind,
    address: String, state: DeliveryState = .pending, attempts: Int = 0,
    lastAttemptIsRecorded: Bool = true, leasedUntil: Date? = nil, finishedAt: Date? = nil
  ) {
    self.id = id
    self.occasion = occasion
    self.stage = stage
    self.recipient = recipient
    self.channel = channel
    self.address = address
    self.state = state
    self.attempts = attempts
    self.lastAttemptIsRecorded = lastAttemptIsRecorded
    self.leasedUntil = leasedUntil
    self.finishedAt = finishedAt
  }

  public var messageID: MessageID { MessageID(delivery: id) }

  /// Whether the recipient may have received it: it was sent, or an attempt ended without a record.
  public var mayHaveArrived: Bool {
    state == .sent || (attempts > 0 && !lastAttemptIsRecorded)
  }
}

/// A delivery that a monitor holds under a lease, with everything that its message needs.
public struct ClaimedDelivery: Identifiable, Equatable, Sendable {
  public let id: UUID
  /// Proof of the claim, without which no outcome is recorded.
  public var token: UUID
  /// The number of the attempt, counted from 1.
  public var attempt: Int
  public var stage: Stage
  public var recipient: Recipient
  public var recipientName: String
  public var channel: Channel.Kind
  public var address: String
  public var inReplyTo: MessageID?
  /// Further content of the message, such as a code; can be empty.
  public var detail: String
  /// When it was planned; delivery is given up 24 h later (CHN-2).
  public var plannedAt: Date
  /// The person it is about, as stored now.
  public var user: User
  /// Whether a missed deadline would notify anyone, as stored now.
  public var hasResponders: Bool
  /// The alert that it belongs to, or `nil` for reminders.
  public var alert: Alert?
  /// The secret that signs a webhook or opens a protected topic (CHN-1), or `nil`.
  public var secret: Secret<String>?
  /// The code with which the recipient acknowledges, or declines to be a contact (ESC-2, CON-3), or
  /// `nil`.
  public var code: Secret<String>?
  /// Whether its recipient was sent a drill shortly before the alert, so that the message must say
  /// that this is not one (ALT-8).
  public var followsDrill: Bool
  /// Whether it says that an alert is over while another one about the same person is on: it must
  /// not say then that there is nothing to do (CHK-6).
  public var isAnotherAlertOn = false
  /// Whether its recipient has an account in the same store, and can respond there.
  public var isAnsweredInApp = false
  /// Where the person's last check-in came from, or `nil` if that is not known.
  public var lastSource: CheckIn.Source?
  /// Whether it is about an alert that its person must not see: no log, error or problem on their
  /// side mentions it (ALT-9).
  public var isSilent: Bool
  /// Whether it says that a silent alert is on, in place of the message that another one is over
  /// (CHK-3).
  public private(set) var isInPlaceOfEnd = false
  /// The result that is pretended instead of sending the message, or `nil` if it is sent (ALT-8).
  public var pretendedResult: PretendedResult?

  public init(
    id: UUID, token: UUID, attempt: Int, stage: Stage, recipient: Recipient,
    recipientName: String, channel: Channel.Kind, address: String, inReplyTo: MessageID? = nil,
    detail: String = "", plannedAt: Date, user: User, hasResponders: Bool = true,
    alert: Alert? = nil, secret: Secret<String>? = nil, code: Secret<String>? = nil,
    followsDrill: Bool = false, isSilent: Bool = false, pretendedResult: PretendedResult? = nil
  ) {
    self.id = id
    self.token = token
    self.attempt = attempt
    self.stage = stage
    self.recipient = recipient
    self.recipientName = recipientName
    self.channel = channel
    self.address = address
    self.inReplyTo = inReplyTo
    self.detail = detail
    self.plannedAt = plannedAt
    self.user = user
    self.hasResponders = hasResponders
    self.alert = alert
    self.secret = secret
    self.code = code
    self.followsDrill = followsDrill
    self.isSilent = isSilent || alert?.kind == .duress
    self.pretendedResult = pretendedResult
  }

  public var messageID: MessageID { MessageID(delivery: id) }

  /// Whether its person must not see the result.
  public var isHidden: Bool { isSilent && !isInPlaceOfEnd }

  /// Turns a message that an alert is over into one that a silent alert is on, so that nobody reads
  /// that all is well. Its person sees the result as that of the original message (CHK-3).
  /// - Parameter silent: The silent alert, which the recipient has been notified of or is about to
  ///   be.
  public mutating func replaceEnd(with silent: Alert) {
    alert = silent
    stage = .alertOnAgain(1)
    isSilent = true
    isInPlaceOfEnd = true
  }

  /// The pretended result of a message that must not be sent while a silent alert is on: it takes
  /// as long and ends as the last message to the same place did (ALT-8, CHK-3).
  public struct PretendedResult: Equatable, Sendable {
    public var outcome: DeliveryOutcome
    public var duration: Duration

    /// - Parameters:
    ///   - last: The result of the last message to the place, or `nil` if there was none.
    ///   - duration: How many seconds that took, or `nil` if it is not known.
    public init(last: (state: DeliveryState, error: String?)?, duration: Double?) {
      let reason = last?.error ?? ""
      outcome =
        switch last?.state {
        case .failed: .permanent(reason: reason)
        case .pending, .cancelled: .retry(reason: reason, after: nil)
        case .sent, nil: .sent
        }
      self.duration = .milliseconds(Int(1_000 * min(30, max(0, duration ?? 1))))
    }
  }
}

/// How one attempt ended (docs/delivery.md).
public enum DeliveryOutcome: Equatable, Sendable {
  /// The server took responsibility for it.
  case sent
  /// Not accepted; a later attempt may succeed. `after` is the delay that the server asked for, if
  /// any.
  case retry(reason: String, after: TimeSpan?)
  /// Refused for good.
  case permanent(reason: String)
  /// The connection ended before the answer, so the server may have accepted it: send again with
  /// the same id.
  case ambiguous(reason: String)
  /// Our own settings are wrong; every delivery on this channel waits until they are fixed.
  case misconfigured(reason: String)
}

extension DeliveryOutcome {
  /// Why it was not sent, or `nil` if it was.
  public var reason: String? {
    switch self {
    case .sent: nil
    case .retry(let reason, _), .permanent(let reason), .ambiguous(let reason),
      .misconfigured(let reason):
      reason
    }
  }
}
