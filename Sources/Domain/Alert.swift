public import FoundationEssentials

/// A call for help: raised by hand, under duress, by a missed deadline or by an outing that didn't
/// end, or as a drill (ALT-5).
public struct Alert: Identifiable, Equatable, Codable, Sendable {
  public let id: UUID
  public var kind: Kind
  /// The text the person added, at most 500 characters; can be empty.
  public var message: String
  public var raisedAt: Date
  /// The check-in sequence whose deadline was missed; `nil` for an alert raised by hand.
  public var sequence: Int?
  /// When the person was to be back from the outing of the same identity; `nil` for any other alert
  /// (OUT-4).
  public var dueBack: Date?
  /// When it was cancelled by hand or ended by a check-in; `nil` while it is active.
  public var resolvedAt: Date?
  /// Responders who are responding to it, in the order of their answers.
  public var acknowledgements: [Acknowledgement]
  /// How long after the end of the grace time a missed deadline was noticed, because no monitor was
  /// running (ESC-4); `nil` if it was noticed in time.
  public var noticedLateBy: TimeSpan?

  public init(
    id: UUID, kind: Kind, message: String = "", raisedAt: Date, sequence: Int? = nil,
    resolvedAt: Date? = nil, acknowledgements: [Acknowledgement] = [],
    noticedLateBy: TimeSpan? = nil, dueBack: Date? = nil
  ) {
    self.id = id
    self.kind = kind
    self.message = message
    self.raisedAt = raisedAt
    self.sequence = sequence
    self.resolvedAt = resolvedAt
    self.acknowledgements = acknowledgements
    self.noticedLateBy = noticedLateBy
    self.dueBack = dueBack
  }

  public var isActive: Bool { resolvedAt == nil }

  /// Whether the alert is active, acknowledged or resolved (ALT-5).
  public var state: State {
    if let resolvedAt { return .resolved(by: kind.ending, at: resolvedAt) }
    return acknowledgements.first.map(State.acknowledged) ?? .active
  }

  public enum State: Equatable, Sendable {
    case active
    /// A responder is responding; the first who said so.
    case acknowledged(Acknowledgement)
    case resolved(by: Ending, at: Date)
  }

  /// The way an alert ends.
  public enum Ending: Equatable, Sendable {
    /// The person cancelled it.
    case cancelled
    /// The person checked in, or is back.
    case checkIn
    /// A drill ended: every message has a result, or the person stopped it.
    case finished
  }

  public enum Kind: String, Equatable, Codable, CaseIterable, Sendable {
    /// Raised by the person (ALT-1).
    case manual
    /// Raised by the monitor when the grace time ended without a check-in (ESC-1).
    case missed
    /// Raised by the monitor when the grace time of an outing ended and its person wasn't back
    /// (OUT-4).
    case outing
    /// Raised silently by the duress passphrase (CHK-3); its person is never shown it.
    case duress
    /// A rehearsal of the whole path to the responders, marked as a drill (ALT-6).
    case drill

    /// Whether it is raised when a promise wasn't kept, and ends when its person is heard from.
    public var isMissedPromise: Bool { self == .missed || self == .outing }

    fileprivate var ending: Ending {
      switch self {
      case .manual, .duress: .cancelled
      case .missed, .outing: .checkIn
      case .drill: .finished
      }
    }
  }
}

/// A responder's answer that they are responding to an alert (ESC-2).
public struct Acknowledgement: Equatable, Codable, Sendable {
  /// The contact who gave it, as the alert's person knows them.
  public var responder: Contact.ID
  public var name: String
  public var date: Date
  /// How many times they withdrew before this answer (PAGE-1); `nil` for never.
  public var withdrawals: Int?

  public init(responder: Contact.ID, name: String, date: Date, withdrawals: Int? = nil) {
    self.responder = responder
    self.name = name
    self.date = date
    self.withdrawals = withdrawals
  }

  /// The identity that messages about it carry: the responder's, changed by the number of
  /// withdrawals so that each new answer is announced again.
  public var identity: UUID {
    guard let withdrawals, withdrawals > 0 else { return responder }
    var bytes = responder.uuid
    bytes.14 ^= UInt8(truncatingIfNeeded: withdrawals >> 8)
    bytes.15 ^= UInt8(truncatingIfNeeded: withdrawals)
    return UUID(uuid: bytes)
  }
}

extension Alert {
  /// What a responder must read first about a silent alert.
  public static let silentAdvice = "raised silently: don't call or write to them"
}

/// A responder's message that they can't respond to an alert after all (PAGE-1).
public struct Withdrawal: Equatable, Codable, Sendable {
  /// The contact who gave it, as the alert's person knows them.
  public var responder: Contact.ID
  public var name: String
  public var date: Date

  public init(responder: Contact.ID, name: String, date: Date) {
    self.responder = responder
    self.name = name
    self.date = date
  }
}

/// An alert with the result of notifying each responder (ALT-3).
public struct AlertReport: Identifiable, Codable, Equatable, Sendable {
  public var alert: Alert
  public var deliveries: [DeliveryReport]
  /// Responders who were responding and no longer are, in the order in which they withdrew.
  public var withdrawals: [Withdrawal]
  public var id: UUID { alert.id }

  public init(
    alert: Alert, deliveries: [DeliveryReport] = [], withdrawals: [Withdrawal] = []
  ) {
    self.alert = alert
    self.deliveries = deliveries
    self.withdrawals = withdrawals
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    alert = try container.decode(Alert.self, forKey: .alert)
    deliveries = try container.decode([DeliveryReport].self, forKey: .deliveries)
    // Older servers leave them out.
    withdrawals = try container.decodeIfPresent([Withdrawal].self, forKey: .withdrawals) ?? []
  }

  /// For each recipient and channel the last message that the alert is on, a cancelled one only if
  /// there is no other; once the alert is over, the messages that say so, if there are any (ALT-3).
  public var messages: [DeliveryReport] {
    let ends = deliveries.filter(\.stage.isEnd)
    guard alert.isActive || ends.isEmpty else { return ends }
    var messages: [DeliveryReport] = []
    var indices: [DeliveryReport.Place: Int] = [:]
    for call in deliveries where call.stage.isCall {
      guard let index = indices[call.place] else {
        indices[call.place] = messages.count
        messages.append(call)
        continue
      }
      if call.state != .cancelled || messages[index].state == .cancelled { messages[index] = call }
    }
    return messages
  }

  /// The messages about the end of the alert that failed, or are being retried after an error.
  public var failedAllClears: [DeliveryReport] {
    guard !alert.isActive else { return [] }
    return messages.filter {
      $0.stage.isEnd
        && ($0.state == .failed || ($0.state == .pending && $0.error != nil))
    }
  }

  /// Whether a message about it has been sent, or is about to be.
  public var hasSentOrPendingMessage: Bool {
    deliveries.contains { $0.state == .sent || $0.state == .pending }
  }

  /// Whether any message about it, at any stage, has been sent.
  public var hasSentMessage: Bool { deliveries.contains { $0.state == .sent } }
}

/// One message on its way to one recipient, as the person sees it.
public struct DeliveryReport: Identifiable, Codable, Equatable, Sendable {
  public let id: UUID
  public var stage: Stage
  /// The recipient; two recipients can have the same name.
  public var recipientID: Recipient
  /// The recipient's name, or “a former contact” if it has been erased.
  public var recipient: String
  public var channel: Channel.Kind
  /// The channel's address.
  public var address: String
  public var state: DeliveryState
  /// When it was sent, or when the next attempt is.
  public var date: Date
  /// When it was planned.
  public var plannedAt: Date
  /// The last error, or `nil`.
  public var error: String?
  /// Whether it belongs to a drill (ALT-6).
  public var isDrill: Bool
  /// Whether a server may have accepted it, although no answer said so (CHN-2).
  public var mayHaveBeenSent = false
  /// When the attempt that is under way began, or `nil`.
  public var begunAt: Date?
  /// The mail server of that attempt, or `nil`.
  public var server: String?

  /// - Parameter plannedAt: `nil` for a message that took no time; `date` is used then.
  public init(
    id: UUID, stage: Stage, recipientID: Recipient, recipient: String, channel: Channel.Kind,
    address: String, state: DeliveryState, date: Date, plannedAt: Date? = nil,
    error: String? = nil, isDrill: Bool = false
  ) {
    self.id = id
    self.stage = stage
    self.recipientID = recipientID
    self.recipient = recipient.isEmpty ? "a former contact" : recipient
    self.channel = channel
    self.address = address
    self.state = state
    self.date = date
    self.plannedAt = plannedAt ?? date
    self.error = error
    self.isDrill = isDrill
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try container.decode(UUID.self, forKey: .id),
      stage: try container.decode(Stage.self, forKey: .stage),
      recipientID: try container.decode(Recipient.self, forKey: .recipientID),
      recipient: try container.decode(String.self, forKey: .recipient),
      channel: try container.decode(Channel.Kind.self, forKey: .channel),
      address: try container.decode(String.self, forKey: .address),
      state: try container.decode(DeliveryState.self, forKey: .state),
      date: try container.decode(Date.self, forKey: .date),
      plannedAt: try container.decode(Date.self, forKey: .plannedAt),
      error: try container.decodeIfPresent(String.self, forKey: .error),
      // An older server does not say so.
      isDrill: try container.decodeIfPresent(Bool.self, forKey: .isDrill) ?? false)
    mayHaveBeenSent =
      try container.decodeIfPresent(Bool.self, forKey: .mayHaveBeenSent) ?? false
    begunAt = try container.decodeIfPresent(Date.self, forKey: .begunAt)
    server = try container.decodeIfPresent(String.self, forKey: .server)
  }

  /// The recipient and their channel.
  fileprivate struct Place: Hashable {
    var recipient: Recipient
    var channel: Channel.Kind
    var address: String
  }

  fileprivate var place: Place {
    Place(recipient: recipientID, channel: channel, address: address)
  }

  /// Whether both go to the same recipient on the same channel.
  public func hasSameRecipientAndAddress(as other: DeliveryReport) -> Bool {
    recipientID == other.recipientID && channel == other.channel && address == other.address
  }

  /// How long an attempt takes before it is shown that a server keeps it waiting.
  private static let patience = 5.0

  /// Returns the server that keeps the message waiting and since when; `nil` unless an attempt has
  /// been under way for some seconds.
  public func wait(at now: Date) -> (server: String, since: Date)? {
    // Until `date`, the monitor that attempts it shows that it is alive.
    guard state == .pending, let begunAt, date > now,
      now.timeIntervalSince(begunAt) >= Self.patience
    else { return nil }
    let host = server ?? Destination(kind: channel, address: address).host
    return (host.isEmpty ? channel.title : host, begunAt)
  }

  /// Returns the same in words, such as `waiting for mail.example.org since 17:41`.
  /// - Parameter clock: Returns the words for an instant.
  public func waitingText(at now: Date, clock: (Date) -> String) -> String? {
    wait(at: now).map { "waiting for \($0.server) since \(clock($0.since))" }
  }
}

extension DeliveryReport {
  /// The ``error`` of a drill's call to a recipient who was sent too much that day (NOT-5).
  public static let heldBackReason = "they were sent too many messages within a day"
  /// Whether it wasn't sent for that reason, which says nothing of its channel.
  public var wasHeldBack: Bool { error == Self.heldBackReason }
}
