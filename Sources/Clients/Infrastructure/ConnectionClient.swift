public import Composable
public import Domain
public import FoundationEssentials

/// The connection to the host of the accounts: this machine itself, or a server that may be away.
public struct ConnectionClient: Sendable {
  public var state: @Sendable () -> ConnectionState = { .local }
  /// When the oldest stored page that was read instead of an answer was fetched, even if the server
  /// answers again; `nil` if everything read was an answer.
  public var shownAsOf: @Sendable () -> Date? = { nil }
  /// How far the server's clock, and so ``DateClient/now``, is ahead of this machine's; zero if no
  /// answer has said.
  public var clockLead: @Sendable () -> TimeSpan = { .zero }
  /// Asks the server for its time if it isn't known, so that ``DateClient/now`` shows it.
  public var learnTime: @Sendable () async -> Void = {}
  /// ``state`` now and after every change; emits nothing if this machine keeps the accounts.
  public var observe: @Sendable () -> AsyncStream<ConnectionState> = { AsyncStream { $0.finish() } }
  /// Lets reads return the server's last answers while it does not answer. Observed values begin
  /// with those, and then wait for the server. A caller must show ``state``.
  public var showLastKnown: @Sendable () -> Void = {}
  /// The signed-in person by the server's last answer, or `nil` if nobody is signed in or no answer
  /// is stored.
  public var lastUser: @Sendable () -> User? = { nil }
  /// Their contacts by the server's last answer, or `nil` if none is stored.
  public var lastContacts: @Sendable () -> [Contact]? = { nil }
  /// Their notifications by the server's last answer; empty if none is stored. Observing them
  /// begins with a new answer, so that what follows is known to be news.
  public var lastNotifications: @Sendable (_ limit: Int) -> [NotificationItem] = { _ in [] }

  public init() {}

  /// Creates a client whose closures a platform provides.
  public init(_ fill: (inout Self) -> Void) {
    self.init()
    fill(&self)
  }
}

extension ConnectionClient {
  /// Returns a time by this machine's clock, which the server's answers don't change.
  /// - Parameter now: The time by ``DateClient/now``.
  public func machineTime(_ now: Date) -> Date { now - clockLead() }

  /// Returns a sentence about a clock that is far off; `nil` if it isn't.
  /// - Parameter lead: How far the server's clock is ahead.
  public static func clockWarning(lead: TimeSpan) -> String? {
    guard abs(lead.seconds) > WatchStatus.longestGap.seconds else { return nil }
    let span = TimeSpan(seconds: abs(lead.seconds)).shortDescription
    let side = lead.seconds > 0 ? "behind" : "ahead of"
    return "This computer's clock is \(span) \(side) the server's, by which the pause counts."
  }
}

extension ConnectionClient: DependencyKey {
  /// The connection of this machine to itself.
  public static var liveValue: Self { Self() }
  public static var testValue: Self { Self() }
}

extension DependencyValues {
  public var connectionClient: ConnectionClient {
    get { self[ConnectionClient.self] }
    set { self[ConnectionClient.self] = newValue }
  }
}
