public import Composable
public import Domain

/// Who watches the deadlines, as the app sees it (WCH-1).
public struct WatchClient: ClientInterface {
  @Endpoint("WatchClient.status")
  public var status: @Sendable () async throws(StorageError) -> WatchStatus
  /// ``status`` now and after every change, including the moment a monitor's lease runs out.
  @StreamEndpoint("WatchClient.observe")
  public var observe: @Sendable () -> AsyncThrowingStream<WatchStatus, any Error>
  /// What anyone may know of it, also who is not signed in: whether somebody watches, and by which kinds of
  /// channel nothing goes out.
  @Endpoint("WatchClient.readiness")
  public var readiness: @Sendable () async throws(StorageError) -> WatchStatus
  /// Starts a monitor that outlives this process, unless one is alive.
  /// - Throws: ``StorageError/unknown(_:)`` with the reason when it could not be started.
  @Endpoint("WatchClient.start")
  public var start: @Sendable () async throws(StorageError) -> Void
  /// Starts a monitor even where one seems to be alive: one that was killed holds its lease for a
  /// while, and one that hangs holds it for ever. Any number may run.
  /// - Throws: as ``start``.
  @Endpoint("WatchClient.startAnother")
  public var startAnother: @Sendable () async throws(StorageError) -> Void

  public init() {}
}

extension DependencyValues {
  public var watchClient: WatchClient {
    get { self[WatchClient.self] }
    set { self[WatchClient.self] = newValue }
  }
}
