public import FoundationEssentials

/// A responder's “please check in” to a dependent (PNG-1).
public struct Ping: Identifiable, Equatable, Codable, Sendable {
  public let id: UUID
  public var sentAt: Date
  public var state: State
  /// When it was answered, withdrawn or expired; `nil` while it is open.
  public var endedAt: Date?

  public init(id: UUID, sentAt: Date, state: State = .open, endedAt: Date? = nil) {
    self.id = id
    self.sentAt = sentAt
    self.state = state
    self.endedAt = endedAt
  }

  public enum State: String, Equatable, Codable, CaseIterable, Sendable {
    case open, answered, withdrawn, expired
  }

  /// An open ping without an answer expires after this time.
  public static let lifetime = TimeSpan.hours(24)

  public var expiresAt: Date { sentAt + Self.lifetime }

  /// Returns the ping as it stands at an instant: an open one that is too old has expired, even if
  /// it is stored as open (ORD-2).
  public func asOf(_ now: Date) -> Ping {
    guard state == .open, now >= expiresAt else { return self }
    var expired = self
    expired.state = .expired
    expired.endedAt = expiresAt
    return expired
  }
}
