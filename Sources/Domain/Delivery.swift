public import FoundationEssentials

/// What a delivery belongs to.
public enum Occasion: Hashable, Sendable {
  /// The deadline of this check-in sequence: reminders and the message to the person that it passed.
  case deadline(sequence: Int)
  /// An alert of any kind.
  case alert(UUID)
  /// The account itself.
  case account
}

/// Who gets a message.
public enum Recipient: Hashable, Codable, Sendable {
  /// The person themselves.
  case owner
  case contact(UUID)
}

/// How far a delivery has come.
///
/// `pending` → (claimed under a lease) → `sent`, back to `pending`, or `failed`; `cancelled` when it
/// is no longer true before it was sent.
public enum DeliveryState: String, Equatable, Codable, Sendable {
  case pending, sent, failed, cancelled
}

/// A message that ought to go out; occasion, stage, recipient, channel and address are unique, so
/// that planning it twice is planning it once (ESC-3).
public struct PlannedDelivery: Equatable, Sendable {
  public var occasion: Occasion
  public var stage: Stage
  public var recipient: Recipient
  public var recipientName: String
  public var channel: Channel.Kind
  public var address: String
  /// The message that this one answers – an all-clear answers the word that it takes back –, or
  /// `nil`.
  public var inReplyTo: MessageID?
  /// What the message says besides, such as a code; may be empty.
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
  /// Without the angle brackets.
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
  /// Whether the last claim ended with a recorded outcome. A claim without one – the process was
  /// killed – may have been accepted by the server.
  public var lastAttemptIsRecorded: Bool
  /// Until when somebody is delivering it, or `nil`.
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

  /// Whether the recipient may have got it: it was sent, or an attempt ended without a record.
  public var mayHaveArrived: Bool {
    state == .sent || (attempts > 0 && !lastAttemptIsRecorded)
  }
}

/// A delivery that a monitor holds under a lease, with all that the message says.
public struct ClaimedDelivery: Identifiable, Equatable, Sendable {
  public let id: UUID
  /// Proves the claim: an outcome is recorded only with it.
  public var token: UUID
  /// Counts from 1.
  public var attempt: Int
  public var stage: Stage
  public var recipient: Recipient
  public var recipientName: String
  public var channel: Channel.Kind
  public var address: String
  public var inReplyTo: MessageID?
  /// What the message says besides, such as a code; may be empty.
  public var detail: String
  /// When it was planned; a delivery is given up 24 h later (CHN-2).
  public var plannedAt: Date
  /// The person it is about, as the store has them now.
  public var user: User
  /// Whether anybody would be notified of a missed deadline, as the store has it now.
  public var hasResponders: Bool
  /// The alert that it belongs to, or `nil` for reminders.
  public var alert: Alert?
  /// What signs a webhook, or opens a protected topic (CHN-1); `nil` for none.
  public var secret: Secret<String>?
  /// What the recipient acknowledges by, or declines to be a contact (ESC-2, CON-3); `nil` for none.
  public var code: Secret<String>?
  /// Whether its recipient was sent a drill shortly before the alert, and has to learn that this is
  /// none (ALT-8).
  public var followsDrill: Bool
  /// Whether it says that an alert is over while another one about the same person is on: nobody may
  /// read then that there is nothing to do (CHK-6).
  public var isAnotherAlertOn = false
  /// Whether its recipient has an account beside the person's, and can say there that they are responding.
  public var isAnsweredInApp = false
  /// Where the person's last check-in came from; `nil` where that is not known.
  public var lastSource: CheckIn.Source?
  /// Whether it is about an alert that its person is not to see: no log, error or problem on their
  /// side says anything of it (ALT-9).
  public var isSilent: Bool
  /// Whether it is about a silent alert and sent in place of the word that another one is over (CHK-3).
  public private(set) var isInPlaceOfEnd = false
  /// What seems to come of it; `nil` for a message that is sent (ALT-8).
  public var pretence: Pretence?

  public init(
    id: UUID, token: UUID, attempt: Int, stage: Stage, recipient: Recipient,
    recipientName: String, channel: Channel.Kind, address: String, inReplyTo: MessageID? = nil,
    detail: String = "", plannedAt: Date, user: User, hasResponders: Bool = true,
    alert: Alert? = nil, secret: Secret<String>? = nil, code: Secret<String>? = nil,
    followsDrill: Bool = false, isSilent: Bool = false, pretence: Pretence? = nil
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
    self.pretence = pretence
  }

  public var messageID: MessageID { MessageID(delivery: id) }

  /// Whether its person must not see its result.
  public var isHidden: Bool { isSilent && !isInPlaceOfEnd }

  /// Says that a silent alert is on instead of that another one is over: nobody hears that all is well,
  /// and the message's result is what its person would see of an end that is said (CHK-3).
  /// - Parameter silent: The alert, of which its recipient has been, or is about to be, told.
  public mutating func say(_ silent: Alert) {
    alert = silent
    stage = .alertOnAgain(1)
    isSilent = true
    isInPlaceOfEnd = true
  }

  /// What comes of a message that must not be sent while a silent alert is on: it takes as long and ends
  /// as the last one to the same place did (ALT-8, CHK-3).
  public struct Pretence: Equatable, Sendable {
    public var outcome: DeliveryOutcome
    public var duration: Duration

    /// - Parameters:
    ///   - last: The result of the last message to the place; `nil` where there was none.
    ///   - duration: How long that took, if it is known.
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

/// How one attempt ended (BACKEND.md, *Delivery*).
public enum DeliveryOutcome: Equatable, Sendable {
  /// The server took responsibility for it.
  case sent
  /// Not accepted; trying later may help. `after` is the server's own wish, if it named one.
  case retry(reason: String, after: TimeSpan?)
  /// Refused for good.
  case permanent(reason: String)
  /// The connection ended when the server may have accepted it: send again with the same id.
  case ambiguous(reason: String)
  /// Our own settings are wrong; every delivery of this channel waits until they are fixed.
  case misconfigured(reason: String)
}

extension DeliveryOutcome {
  /// Why it was not sent; `nil` when it was.
  public var reason: String? {
    switch self {
    case .sent: nil
    case .retry(let reason, _), .permanent(let reason), .ambiguous(let reason),
      .misconfigured(let reason):
      reason
    }
  }
}
