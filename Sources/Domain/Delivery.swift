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
public enum DeliveryState: String, Equatable, Codable, CaseIterable, Sendable {
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
  /// When it was planned, if that is known.
  public var plannedAt: Date?

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
  /// How the attempts before this one ended.
  public var earlier = EarlierAttempts()
  /// When it was planned; most messages are given up 24 h later (CHN-2).
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
  /// Whether its channel was there before servers kept private addresses from being reached; always
  /// for a message that is sent without the store.
  public var mayReachPrivate = true
  /// Where the person's last check-in came from, or `nil` if that is not known.
  public var lastSource: CheckIn.Source?
  /// Whether it is about an alert that its person must not see: no log, error or problem on their
  /// side mentions it (ALT-9).
  public var isSilent: Bool
  /// Whether it says that a silent alert is on, in place of the message that another one is over
  /// (CHK-3).
  public private(set) var isInPlaceOfEnd = false
  /// The outing that the message tells its recipient of, or `nil`.
  public private(set) var outing: Outing?
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

  /// Whether an outing belongs in the message: in a call for help, in a notice that the person is
  /// well, and if they were notified of it, when the account is deleted.
  public var canTellOfOuting: Bool {
    switch stage {
    case .reassurance: true
    case .accountDeleted: user.outing?.isAnnounced ?? false
    default: stage.isCall && alert?.kind != .drill
    }
  }

  /// Tells the recipient of an outing if they are one of its responders and it belongs in the message.
  public mutating func tell(of outing: Outing?) {
    guard canTellOfOuting, case .contact(let responder) = recipient else { return }
    self.outing = outing.flatMap { $0.concerns(responder) ? $0 : nil }
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

/// How one attempt ended, and so when the next one is made (CHN-2, docs/delivery.md).
///
/// Nothing that may pass drops an alert: only ``permanent(reason:)`` and ``ambiguous(reason:)`` ever
/// end one, after the attempts that ``DeliveryPolicy`` allows.
public enum DeliveryOutcome: Equatable, Sendable {
  /// The server took responsibility for it, in its own words.
  case sent
  /// A passing fault: no connection, a server that is overloaded, an answer that isn't the
  /// service's own. `after` is the delay that the server asked for, if any.
  case retry(reason: String, after: TimeSpan?)
  /// The server accepts no more for now: the limit of the day, greylisting, mail's 4xx. Tried again
  /// like ``retry(reason:after:)``, but less often in the end.
  case limited(reason: String, after: TimeSpan? = nil)
  /// The recipient doesn't exist, or the address can't be used. Tried once more after an hour, then
  /// failed.
  case permanent(reason: String)
  /// May have been sent: everything was handed over, and the answer came too late or says nothing.
  /// Sent again with the same identity, a few times.
  case ambiguous(reason: String)
  /// Our own settings are wrong, and no login was attempted: nothing can be locked. For example the
  /// server doesn't offer a login or STARTTLS, or its certificate isn't trusted.
  case misconfigured(reason: String)
  /// Our credentials, or we by a policy, were refused. Who waits for the same login is probed by one
  /// message, with growing pauses, so that no account gets locked.
  case accessRefused(reason: String, scope: RefusalScope = .login)

  /// What a refusal of access concerns.
  public enum RefusalScope: Equatable, Sendable {
    /// The login at a server, or the token of a service.
    case login
    /// This message or recipient, such as a policy that a server applies to one of them.
    case message
  }
}

extension DeliveryOutcome {
  /// Why it was not sent, or `nil` if it was.
  public var reason: String? {
    switch self {
    case .sent: nil
    case .retry(let reason, _), .limited(let reason, _), .permanent(let reason),
      .ambiguous(let reason), .misconfigured(let reason), .accessRefused(let reason, _):
      reason
    }
  }

  /// The outcome without its reason, as stored.
  public enum Kind: String, Equatable, Codable, CaseIterable, Sendable {
    case sent, retry, limited, permanent, ambiguous, misconfigured
    case accessRefused = "access_refused"
  }

  public var kind: Kind {
    switch self {
    case .sent: .sent
    case .retry: .retry
    case .limited: .limited
    case .permanent: .permanent
    case .ambiguous: .ambiguous
    case .misconfigured: .misconfigured
    case .accessRefused: .accessRefused
    }
  }
}

/// How earlier attempts to deliver a message ended, as far as the next one depends on it.
public struct EarlierAttempts: Equatable, Sendable {
  /// How the last one ended; `nil` if there was none.
  public var last: DeliveryOutcome.Kind?
  /// How many ended like that in a row.
  public var run: Int
  /// How many of all may have delivered it.
  public var ambiguous: Int

  public init(last: DeliveryOutcome.Kind? = nil, run: Int = 0, ambiguous: Int = 0) {
    self.last = last
    self.run = run
    self.ambiguous = ambiguous
  }

  /// Returns these attempts and one that ended in an outcome.
  public func adding(_ outcome: DeliveryOutcome) -> EarlierAttempts {
    let kind = outcome.kind
    return EarlierAttempts(
      last: kind, run: kind == last ? run + 1 : 1,
      ambiguous: kind == .ambiguous ? ambiguous + 1 : ambiguous)
  }
}
