public import Domain

/// What a monitor is able to carry now, and so asks the store for.
public struct ClaimRequest: Equatable, Sendable {
  /// At most so many messages.
  public var limit: Int
  /// At most so many of them that were tried before, so that what fails again and again leaves room
  /// for what was never tried.
  public var retryLimit: Int
  /// The kinds of channels that work.
  public var kinds: Set<Channel.Kind>
  /// At most so many messages are on their way to one destination at once: one that hangs holds up
  /// its own and no other.
  public var limitPerDestination: Int
  /// How many messages of this monitor are on their way already.
  public var busy: [Destination: Int]

  /// - Parameter retryLimit: `nil` for no limit of its own.
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

  /// Whether one more message fits in; counts it if so.
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
