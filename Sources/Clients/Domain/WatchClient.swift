public import Composable
public import Domain

/// Who watches the deadlines, as the app sees it (WCH-1).
public struct WatchClient: Sendable {
  public var status: @Sendable () async throws(StorageError) -> WatchStatus
  /// ``status`` now and after every change, including the moment a monitor's lease runs out.
  public var observe: @Sendable () -> AsyncThrowingStream<WatchStatus, any Error>
  /// Starts a monitor that outlives this process, unless one is alive.
  /// - Throws: ``StorageError/unknown(_:)`` with the reason when it could not be started.
  public var start: @Sendable () async throws(StorageError) -> Void
  /// Starts a monitor even where one seems to be alive: one that was killed holds its lease for a
  /// while, and one that hangs holds it for ever. Any number may run.
  /// - Throws: as ``start``.
  public var startAnother: @Sendable () async throws(StorageError) -> Void

  public init(
    status: @escaping @Sendable () async throws(StorageError) -> WatchStatus,
    observe: @escaping @Sendable () -> AsyncThrowingStream<WatchStatus, any Error>,
    start: @escaping @Sendable () async throws(StorageError) -> Void,
    startAnother: @escaping @Sendable () async throws(StorageError) -> Void
  ) {
    self.status = status
    self.observe = observe
    self.start = start
    self.startAnother = startAnother
  }
}

extension WatchClient: TestDependencyKey {
  public static var testValue: Self {
    Self(
      status: unimplemented(
        "WatchClient.status", throwing: StorageError.unimplemented("WatchClient.status")),
      observe: unimplemented("WatchClient.observe", placeholder: .finished()),
      start: unimplemented(
        "WatchClient.start", throwing: StorageError.unimplemented("WatchClient.start")),
      startAnother: unimplemented(
        "WatchClient.startAnother",
        throwing: StorageError.unimplemented("WatchClient.startAnother")))
  }
}

extension DependencyValues {
  public var watchClient: WatchClient {
    get { self[WatchClient.self] }
    set { self[WatchClient.self] = newValue }
  }
}
