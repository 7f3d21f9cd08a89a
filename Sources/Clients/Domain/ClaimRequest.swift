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
  /// The way that this monitor's mail takes; `nil` if that is not known.
  public var mail: MailRoute?

  /// - Parameter retryLimit: `nil` for no separate limit.
  public init(
    limit: Int, retryLimit: Int? = nil, kinds: Set<Channel.Kind> = Set(Channel.Kind.allCases),
    limitPerDestination: Int = .max, busy: [Destination: Int] = [:],
    mail: MailRoute? = nil
  ) {
    self.limit = limit
    self.retryLimit = retryLimit ?? limit
    self.kinds = kinds
    self.limitPerDestination = limitPerDestination
    self.busy = busy
    self.mail = mail
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

  /// How many messages try a login at once that isn't known to work. Providers lock an account after
  /// some five refusals.
  public static let untriedLogins = 2

  /// Leaves out mail beyond so many messages on their way at once.
  public mutating func limitMail(to room: Int) {
    let destination = Destination(kind: .email, address: "")
    guard busy[destination, default: 0] < room else {
      kinds.remove(.email)
      return
    }
    guard room < limitPerDestination else { return }
    busy[destination, default: 0] += limitPerDestination - room
  }
}

/// The way that a monitor's mail takes: a server with a login. Messages that wait for the same way
/// are probed by one of them (CHN-2).
public struct MailRoute: Equatable, Sendable {
  /// Tells this way from any other, and changes with the server, the login and its password, none
  /// of which can be read in it.
  public var key: String
  /// The server's name, for the user to read.
  public var server: String
  /// Whether this monitor's mail took another way until now, because the settings were changed.
  public var isNew: Bool

  public init(key: String, server: String, isNew: Bool = false) {
    self.key = key
    self.server = server
    self.isNew = isNew
  }
}
