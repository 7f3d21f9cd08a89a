public import FoundationEssentials

/// Whether what keeps the accounts answers, and from when what it said is.
public enum ConnectionState: Codable, Equatable, Sendable {
  /// This machine keeps them.
  case local
  /// The server answers.
  case connected
  /// The server has not answered yet, or not for a moment, and is being asked.
  /// - asOf: From when the oldest is that is shown; `nil` where nothing is.
  case reconnecting(asOf: Date?)
  /// The server does not answer.
  case offline(since: Date, asOf: Date?)

  /// Whether a server should answer, and does not.
  public var isAway: Bool {
    switch self {
    case .local, .connected: false
    case .reconnecting, .offline: true
    }
  }

  /// From when the oldest is that is shown, while the server is away; `nil` where nothing is.
  public var asOf: Date? {
    switch self {
    case .local, .connected: nil
    case .reconnecting(let date), .offline(_, let date): date
    }
  }
}
