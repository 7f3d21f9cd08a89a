public import FoundationEssentials

/// The decisions a monitor made and the messages it sent for one account while the store could not
/// be written.
public struct AccountMemory: Equatable, Sendable {
  public var account: User.ID
  /// The alerts it raised for missed deadlines, oldest first.
  public var alerts: [Alert]
  /// The grace time it restarted, or `nil` (ESC-4).
  public var grace: Grace?
  /// The outing as it changed it, or `nil`.
  public var outing: Outing?
  /// The messages that servers accepted, or may have accepted.
  public var messages: [Message]

  public init(
    account: User.ID, alerts: [Alert] = [], grace: Grace? = nil, outing: Outing? = nil,
    messages: [Message] = []
  ) {
    self.account = account
    self.alerts = alerts
    self.grace = grace
    self.outing = outing
    self.messages = messages
  }

  public var isEmpty: Bool {
    alerts.isEmpty && grace == nil && outing == nil && messages.isEmpty
  }

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
    /// The delivery to add to the store, or `nil` if the store has it already.
    public var planned: PlannedDelivery?
    public var attempts: Int
    /// When a server accepted it; `nil` if the answer was lost, so that it may or may not have been
    /// accepted.
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
  /// Returns a missed-deadline alert as resolved if the person has checked in since it was raised, an
  /// outing's if they are back, and any other alert unchanged.
  public func resolved(byCheckInOf user: User) -> Alert {
    if kind == .outing, resolvedAt == nil, user.outing?.id != id {
      var alert = self
      alert.resolvedAt = max(user.lastCheckIn, raisedAt)
      return alert
    }
    guard kind == .missed, resolvedAt == nil else { return self }
    // A check-in that came late is older than the alert, and its deadline may be ahead.
    let isLate =
      sequence.map { $0 < user.checkInSequence } ?? false && user.deadline.date > raisedAt
    guard user.lastCheckIn > raisedAt || isLate else { return self }
    var alert = self
    alert.resolvedAt = max(user.lastCheckIn, raisedAt)
    return alert
  }
}
