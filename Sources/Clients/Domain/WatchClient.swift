public import Composable
public import Domain

/// Who watches the deadlines, as the app sees it (WCH-1).
public struct WatchClient: ClientInterface {
  public var status: @Sendable () async throws(StorageError) -> WatchStatus = unimplemented(
    "WatchClient.status")
  /// ``status`` now and after every change, including the moment a monitor's lease runs out.
  public var observe: @Sendable () -> AsyncThrowingStream<WatchStatus, any Error> = unimplemented(
    "WatchClient.observe", placeholder: .finished())
  /// Starts a monitor that outlives this process, unless one is alive.
  /// - Throws: ``StorageError/unknown(_:)`` with the reason when it could not be started.
  public var start: @Sendable () async throws(StorageError) -> Void = unimplemented(
    "WatchClient.start")
  /// Starts a monitor even where one seems to be alive: one that was killed holds its lease for a
  /// while, and one that hangs holds it for ever. Any number may run.
  /// - Throws: as ``start``.
  public var startAnother: @Sendable () async throws(StorageError) -> Void = unimplemented(
    "WatchClient.startAnother")

  public init() {}
}

extension DependencyValues {
  public var watchClient: WatchClient {
    get { self[WatchClient.self] }
    set { self[WatchClient.self] = newValue }
  }
}
