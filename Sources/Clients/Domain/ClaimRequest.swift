public import Domain

/// The messages that a monitor can take on now, as it asks the store for them.
public struct ClaimRequest: Equatable, Sendable {
  /// The most messages to claim.
  public var limit: Int
  /// The most of them that were tried before, so that messages that keep failing leave room for new
  /// ones.
  public var retryLimit: Int
  /// The kinds of channels that work.
  public var kinds: Set<Channel.Kind>
  /// The most messages on their way to one destination at once, so that one that hangs delays no
  /// other.
  public var limitPerDestination: Int
  /// How many messages of this monitor are on their way to each destination.
  public var busy: [Destination: Int]

  /// - Parameter retryLimit: `nil` for no separate limit.
  public init(
    limit: Int, retryLimit: Int? = nil, kinds: Set<Channel.Kind> = Set(Channel.Kind.allCases),
    limitPerDestination: Int = .max, busy: [Destination: Int] = [:]
  ) {
    self.limit = limit
    self.retryLimit = retryLimit ?? limit
    self.kinds = kinds
    self.limitPerDestination = limitPerDestination
    self.busy = busy
  }

  /// Counts one more message if it fits in.
  /// - Returns: Whether it fits in.
  public mutating func take(_ kind: Channel.Kind, address: String, isRetry: Bool) -> Bool {
    let destination = Destination(kind: kind, address: address)
    guard limit > 0, kinds.contains(kind), busy[destination, default: 0] < limitPerDestination,
      !isRetry || retryLimit > 0
    else { return false }
    limit -= 1
    if isRetry { retryLimit -= 1 }
    busy[destination, default: 0] += 1
    return true
  }
}
