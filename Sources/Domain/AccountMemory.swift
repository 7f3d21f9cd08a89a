public import FoundationEssentials

/// What a monitor decided and sent for one account while the store could not be written.
public struct AccountMemory: Equatable, Sendable {
  public var account: User.ID
  /// Alerts of missed deadlines that it raised, oldest first.
  public var alerts: [Alert]
  /// Where it let the grace time of a deadline begin again (ESC-4).
  public var grace: Grace?
  /// What servers accepted, or may have.
  public var messages: [Message]

  public init(
    account: User.ID, alerts: [Alert] = [], grace: Grace? = nil, messages: [Message] = []
  ) {
    self.account = account
    self.alerts = alerts
    self.grace = grace
    self.messages = messages
  }

  public var isEmpty: Bool { alerts.isEmpty && grace == nil && messages.isEmpty }

  public struct Grace: Equatable, Sendable {
    public var sequence: Int
    public var from: Date

    public init(sequence: Int, from: Date) {
      self.sequence = sequence
      self.from = from
    }
  }

  public struct Message: Equatable, Sendable {
    public var id: UUID
    /// What the store has to know of it, or `nil` where it knew of it before.
    public var planned: PlannedDelivery?
    public var attempts: Int
    /// When a server accepted it; `nil` where an answer was lost and it may or may not have.
    public var sentAt: Date?
    /// When it was planned.
    public var plannedAt: Date

    public init(
      id: UUID, planned: PlannedDelivery? = nil, attempts: Int, sentAt: Date?, plannedAt: Date
    ) {
      self.id = id
      self.planned = planned
      self.attempts = attempts
      self.sentAt = sentAt
      self.plannedAt = plannedAt
    }
  }
}

extension Alert {
  /// As it is when the person has, or has not, checked in since.
  public func settled(by user: User) -> Alert {
    guard kind == .missed, resolvedAt == nil, user.lastCheckIn > raisedAt else { return self }
    var alert = self
    alert.resolvedAt = user.lastCheckIn
    return alert
  }
}
