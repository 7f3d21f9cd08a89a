public import FoundationEssentials

/// A call for help: raised by hand, or by a deadline that passed with its grace time (ALT-5).
public struct Alert: Identifiable, Equatable, Codable, Sendable {
  public let id: UUID
  public var kind: Kind
  /// What the person added, up to 500 characters; may be empty.
  public var message: String
  public var raisedAt: Date
  /// The check-in sequence whose deadline was missed; `nil` for an alert raised by hand.
  public var sequence: Int?
  /// When it was cancelled by hand or ended by a check-in; `nil` while it is active.
  public var resolvedAt: Date?
  /// Responders who are responding to it, in the order of their answers.
  public var acknowledgements: [Acknowledgement]
  /// How long after the end of the grace time a missed deadline was noticed, because nobody watched
  /// (ESC-4); `nil` where it was noticed in time.
  public var noticedLateBy: TimeSpan?

  public init(
    id: UUID, kind: Kind, message: String = "", raisedAt: Date, sequence: Int? = nil,
    resolvedAt: Date? = nil, acknowledgements: [Acknowledgement] = [],
    noticedLateBy: TimeSpan? = nil
  ) {
    self.id = id
    self.kind = kind
    self.message = message
    self.raisedAt = raisedAt
    self.sequence = sequence
    self.resolvedAt = resolvedAt
    self.acknowledgements = acknowledgements
    self.noticedLateBy = noticedLateBy
  }

  public var isActive: Bool { resolvedAt == nil }

  /// How it stands (ALT-5).
  public var state: State {
    if let resolvedAt { return .resolved(by: kind.ending, at: resolvedAt) }
    return acknowledgements.first.map(State.acknowledged) ?? .active
  }

  public enum State: Equatable, Sendable {
    case active
    /// Somebody takes care; the first who said so.
    case acknowledged(Acknowledgement)
    case resolved(by: Ending, at: Date)
  }

  /// What ends an alert.
  public enum Ending: Equatable, Sendable {
    /// The person.
    case cancelled
    /// The person is back.
    case checkIn
    /// A drill: every message has a result, or the person had seen enough.
    case finished
  }

  public enum Kind: String, Equatable, Codable, CaseIterable, Sendable {
    /// Raised by the person (ALT-1).
    case manual
    /// Raised by the monitor when the grace time ended without a check-in (ESC-1).
    case missed
    /// Raised silently by the duress passphrase (CHK-3); its person is never shown it.
    case duress
    /// The whole path, marked as an exercise (ALT-6).
    case drill

    fileprivate var ending: Ending {
      switch self {
      case .manual, .duress: .cancelled
      case .missed: .checkIn
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
  /// How often they took it back before (PAGE-1); `nil` for never.
  public var withdrawals: Int?

  public init(responder: Contact.ID, name: String, date: Date, withdrawals: Int? = nil) {
    self.responder = responder
    self.name = name
    self.date = date
    self.withdrawals = withdrawals
  }

  /// What messages about it are told apart by: the responder, and the turn from the second on.
  public var identity: UUID {
    guard let withdrawals, withdrawals > 0 else { return responder }
    var bytes = responder.uuid
    bytes.14 ^= UInt8(truncatingIfNeeded: withdrawals >> 8)
    bytes.15 ^= UInt8(truncatingIfNeeded: withdrawals)
    return UUID(uuid: bytes)
  }
}

extension Alert {
  /// What a responder has to know of a silent one before all else.
  public static let silentAdvice = "raised silently: don't call or write to them"
}

/// A responder's word that they can't respond to an alert after all (PAGE-1).
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
  /// Responders who responded and no longer do, in the order in which they withdrew.
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
    // An older server does not name them.
    withdrawals = try container.decodeIfPresent([Withdrawal].self, forKey: .withdrawals) ?? []
  }

  /// The messages that it is on, or, once it is over, that it is over: for each responder and channel
  /// the last one that was not cancelled (ALT-3).
  public var messages: [DeliveryReport] {
    let ends = deliveries.filter(\.stage.isEnd)
    guard alert.isActive || ends.isEmpty else { return ends }
    var messages: [DeliveryReport] = []
    for call in deliveries where call.stage.isCall {
      guard let index = messages.firstIndex(where: call.isToSamePlace) else {
        messages.append(call)
        continue
      }
      if call.state != .cancelled || messages[index].state == .cancelled { messages[index] = call }
    }
    return messages
  }

  /// The messages that it is over which were refused, or not accepted so far.
  public var unsentEnd: [DeliveryReport] {
    guard !alert.isActive else { return [] }
    return messages.filter {
      $0.stage.isEnd
        && ($0.state == .failed || ($0.state == .pending && $0.error != nil))
    }
  }

  /// Whether somebody has been notified of it, or may be at this moment.
  public var mayBeKnown: Bool {
    deliveries.contains { $0.state == .sent || $0.state == .pending }
  }

  /// Whether any message about it, at whatever stage, has gone out to somebody.
  public var isToldToSomebody: Bool { deliveries.contains { $0.state == .sent } }
}

/// One message on its way to one recipient, as the person sees it.
public struct DeliveryReport: Identifiable, Codable, Equatable, Sendable {
  public let id: UUID
  public var stage: Stage
  /// Who gets it; two may have one name.
  public var recipientID: Recipient
  /// The recipient's name; “a former contact” where it was erased.
  public var recipient: String
  public var channel: Channel.Kind
  /// Where it goes.
  public var address: String
  public var state: DeliveryState
  /// When it was sent, or will be tried next.
  public var date: Date
  /// When it was to go out.
  public var plannedAt: Date
  /// The last error, or `nil`.
  public var error: String?

  /// - Parameter plannedAt: `nil` for a message that took no time.
  public init(
    id: UUID, stage: Stage, recipientID: Recipient, recipient: String, channel: Channel.Kind,
    address: String, state: DeliveryState, date: Date, plannedAt: Date? = nil, error: String? = nil
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
  }

  /// Whether both go to one recipient on one channel.
  public func isToSamePlace(as other: DeliveryReport) -> Bool {
    recipientID == other.recipientID && channel == other.channel && address == other.address
  }
}
