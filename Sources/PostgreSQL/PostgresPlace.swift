package import Clients
package import FoundationEssentials
package import Store
import Synchronization

/// The place of a store in a PostgreSQL database, for one ``Lane``.
package final class PostgresPlace: StorePlace {
  private let database: ConnectionString
  private let clock: DatabaseClock?
  private let runsOnCallersThread: Bool
  package let hints: (any StoreHints)?
  package let spools: [any SpoolFolder]
  package let isUnwatched = false
  /// The connection of the lane. It is used only on the lane's executor, so it is safe to keep
  /// here.
  private nonisolated(unsafe) weak var current: PostgresConnection?

  /// - Parameters:
  ///   - clock: Receives the database's time; `nil` if the lane has another clock.
  ///   - spools: The folders where alerts of this machine wait while the database can't be reached
  ///     (ALT-7).
  ///   - runsOnCallersThread: Whether the store runs on the caller's thread.
  ///   - hints: The hints by which other programs notice a change sooner; `nil` for their next
  ///     poll.
  package init(
    _ database: ConnectionString, clock: DatabaseClock?, spools: [any SpoolFolder] = [],
    runsOnCallersThread: Bool = false, hints: (any StoreHints)? = nil
  ) {
    self.database = database
    self.clock = clock
    self.spools = spools
    self.runsOnCallersThread = runsOnCallersThread
    self.hints = hints
  }

  package func makeExecutor() -> any StoreExecutor {
    runsOnCallersThread ? CallersThread() : StoreThread()
  }

  package var blobs: any BlobStore { PostgresBlobs(place: self) }

  var connection: PostgresConnection {
    get throws(StorageError) {
      guard let current else { throw .unknown("there is no connection to the database") }
      return current
    }
  }

  package func open(again: Bool, now: Date) throws(StorageError) -> OpenStore {
    let connection = try PostgresConnection(database, clock: clock)
    try PostgresSchema().check(connection)
    current = connection
    return OpenStore(connection)
  }

  package func makingRoom<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try body()
  }
}
