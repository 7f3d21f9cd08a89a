public import Composable
public import Domain

/// The monitors that watch the deadlines, as the app sees them (WCH-1).
public struct WatchClient: ClientInterface {
  @Endpoint("WatchClient.status")
  public var status: @Sendable () async throws(StorageError) -> WatchStatus
  /// ``status`` now and after every change, including the moment a monitor's lease expires.
  @StreamEndpoint("WatchClient.observe")
  public var observe: @Sendable () -> AsyncThrowingStream<WatchStatus, any Error>
  /// Returns what everyone can know of it, even without signing in: whether a monitor is running,
  /// and on which kinds of channels nothing can be sent.
  @Endpoint("WatchClient.readiness")
  public var readiness: @Sendable () async throws(StorageError) -> WatchStatus
  /// Starts a monitor that outlives this process (but see ``endsWithProgram``), unless one is running.
  /// - Throws: ``StorageError/unknown(_:)`` with the reason if it could not be started.
  @Endpoint("WatchClient.start")
  public var start: @Sendable () async throws(StorageError) -> Void
  /// Starts a monitor even if one seems to be running: one that was killed holds its lease for a
  /// while, and one that hangs holds it for ever. Any number can run.
  /// - Throws: The errors of ``start``.
  @Endpoint("WatchClient.startAnother")
  public var startAnother: @Sendable () async throws(StorageError) -> Void
  /// Whether a monitor that was started here ends with this program, as one of a build that was not
  /// installed.
  public var endsWithProgram: @Sendable () -> Bool = { false }
  /// Lets one mail that waits because the login was refused go now, whose result decides about the
  /// others (CHN-2): the person has just tried the login, or wants to.
  @Endpoint("WatchClient.retryMail")
  public var retryMail: @Sendable () async throws(StorageError) -> Void

  public init() {}
}

extension DependencyValues {
  public var watchClient: WatchClient {
    get { self[WatchClient.self] }
    set { self[WatchClient.self] = newValue }
  }
}
