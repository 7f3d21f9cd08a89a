public import FoundationEssentials

/// Whether the host of the accounts answers, and how old the data shown is.
public enum ConnectionState: Codable, Equatable, Sendable {
  /// This machine keeps them.
  case local
  /// The server answers.
  case connected
  /// The server has not answered yet, or has only just stopped answering, and is being asked again.
  /// - asOf: When the oldest data shown was read, or `nil` if none is shown.
  case reconnecting(asOf: Date?)
  /// The server does not answer.
  case offline(since: Date, asOf: Date?)

  /// Whether a server should answer and does not.
  public var isAway: Bool {
    switch self {
    case .local, .connected: false
    case .reconnecting, .offline: true
    }
  }

  /// When the oldest data shown was read, while the server is away; `nil` if none is shown.
  public var asOf: Date? {
    switch self {
    case .local, .connected: nil
    case .reconnecting(let date), .offline(_, let date): date
    }
  }
}
