public import FoundationEssentials

/// What was done on this device and hasn't reached the server (OFF-1, OFF-2).
public struct Outbox: Codable, Equatable, Sendable {
  /// A check-in that was made on this device.
  public struct CheckIn: Identifiable, Codable, Equatable, Sendable {
    public let id: UUID
    /// When it was made, by this device's clock.
    public var madeAt: Date
    /// Why the server refused it; `nil` while it waits.
    public var refusal: ErrorText?
    /// The outing that it ends, or `nil` for a check-in alone (OUT-5).
    public var outing: Outing.ID?

    public init(id: UUID, madeAt: Date, refusal: ErrorText? = nil, outing: Outing.ID? = nil) {
      (self.id, self.madeAt, self.refusal, self.outing) = (id, madeAt, refusal, outing)
    }
  }

  /// An alert that was raised or stopped on this device.
  public struct Alert: Identifiable, Codable, Equatable, Sendable {
    public let id: Domain.Alert.ID
    /// When it was raised, by this device's clock.
    public var raisedAt: Date
    /// Whether an attempt to send it may have arrived.
    public var mayBeSent: Bool
    /// Whether the person has stopped it since.
    public var isStopped: Bool

    public init(
      id: Domain.Alert.ID, raisedAt: Date, mayBeSent: Bool = false, isStopped: Bool = false
    ) {
      (self.id, self.raisedAt, self.mayBeSent) = (id, raisedAt, mayBeSent)
      self.isStopped = isStopped
    }
  }

  /// In the order in which they were made.
  public var checkIns: [CheckIn]
  /// The earliest first.
  public var alerts: [Alert]

  public init(checkIns: [CheckIn] = [], alerts: [Alert] = []) {
    (self.checkIns, self.alerts) = (checkIns, alerts)
  }

  /// The alert that waits to be sent.
  public var alert: Alert? { alerts.first { !$0.isStopped } }
  /// Whether something is still to be received.
  public var hasWaiting: Bool { !alerts.isEmpty || !waiting.isEmpty }

  /// The check-ins that are still to be received.
  public var waiting: [CheckIn] { checkIns.filter { $0.refusal == nil } }
  /// The check-ins that the server refused. They stay until the person has seen them.
  public var refused: [CheckIn] { checkIns.filter { $0.refusal != nil } }
}
