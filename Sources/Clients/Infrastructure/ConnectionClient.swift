public import Composable
public import Domain
public import FoundationEssentials

/// The way to what keeps the accounts: this machine itself, or a server that may be away.
public struct ConnectionClient: Sendable {
  public var state: @Sendable () -> ConnectionState = { .local }
  /// From when the oldest page is that was read instead of an answer, also where the server answers again;
  /// `nil` where each was an answer.
  public var shownAsOf: @Sendable () -> Date? = { nil }
  /// How far the server's clock is ahead of this machine's, by its last answer; zero where none has said.
  public var clockLead: @Sendable () -> TimeSpan = { .zero }
  /// ``state`` now and after every change; nothing where this machine keeps the accounts.
  public var observe: @Sendable () -> AsyncStream<ConnectionState> = { AsyncStream { $0.finish() } }
  /// Has what is read be what the server said last, while it does not answer; what is observed begins with
  /// that, and then waits for the server. Who calls this shows ``state``.
  public var showLastKnown: @Sendable () -> Void = {}
  /// The person who is signed in, as the server said last; `nil` where nobody is, or nothing is kept.
  public var lastUser: @Sendable () -> User? = { nil }
  /// Their contacts, likewise.
  public var lastContacts: @Sendable () -> [Contact]? = { nil }
  /// Their notifications, likewise; empty where none are kept. What is observed of them begins with an answer, so
  /// that what it adds is known to be news.
  public var lastNotifications: @Sendable (_ limit: Int) -> [NotificationItem] = { _ in [] }

  public init() {}

  /// One that is filled by a platform.
  public init(_ fill: (inout Self) -> Void) {
    self.init()
    fill(&self)
  }
}

extension ConnectionClient: DependencyKey {
  /// That of this machine.
  public static var liveValue: Self { Self() }
  public static var testValue: Self { Self() }
}

extension DependencyValues {
  public var connectionClient: ConnectionClient {
    get { self[ConnectionClient.self] }
    set { self[ConnectionClient.self] = newValue }
  }
}
