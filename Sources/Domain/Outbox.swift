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

    public init(id: UUID, madeAt: Date, refusal: ErrorText? = nil) {
      (self.id, self.madeAt, self.refusal) = (id, madeAt, refusal)
    }
  }

  /// In the order in which they were made.
  public var checkIns: [CheckIn]

  public init(checkIns: [CheckIn] = []) { self.checkIns = checkIns }

  /// The check-ins that are still to be received.
  public var waiting: [CheckIn] { checkIns.filter { $0.refusal == nil } }
  /// The check-ins that the server refused. They stay until the person has seen them.
  public var refused: [CheckIn] { checkIns.filter { $0.refusal != nil } }
}
