import Clients
import Domain
package import FoundationEssentials
import Synchronization

/// The rules of a store for one session.
///
/// It runs on the lane's executor, because SQLite blocks: never on the main actor, and never on the
/// threads that all other tasks share.
package actor Store {
  nonisolated let lane: Lane
  let makeUUID: @Sendable () -> UUID
  nonisolated let session: any StoreSession
  nonisolated let spool: AlertSpool
  /// The channels that this session added, which may have been mistyped.
  var addedChannels: Set<Channel.ID> = []

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    lane.executor.asUnownedSerialExecutor()
  }

  init(_ lane: Lane, session: any StoreSession, makeUUID: @escaping @Sendable () -> UUID) {
    self.init(
      lane, session, makeUUID,
      AlertSpool(folders: lane.place.spools, executor: lane.place.makeExecutor()))
  }

  private init(
    _ lane: Lane, _ session: any StoreSession, _ makeUUID: @escaping @Sendable () -> UUID,
    _ spool: AlertSpool
  ) {
    self.lane = lane
    self.session = session
    self.makeUUID = makeUUID
    self.spool = spool
  }

  /// The executor for a task that calls this store often; `nil` if the store has no thread for it.
  package nonisolated var taskExecutor: (any TaskExecutor)? { lane.executor as? any TaskExecutor }

  /// Returns the same store for another session.
  nonisolated func with(_ session: any StoreSession) -> Store {
    Store(lane, session, makeUUID, spool.copy())
  }

  package nonisolated var now: @Sendable () -> Date { lane.now }
  /// How often the store's clock was set so far (ESC-5).
  package nonisolated var clockEra: Int { lane.storeClock.judgement?.acceptedJumps ?? 0 }
  nonisolated var blobs: any BlobStore { lane.place.blobs }
  var database: any SQLConnection { lane.database }

  package func close() { lane.close() }

  /// Runs the body in a transaction. When this returns, all of it is on disk and every observer is
  /// notified if anything changed; when it throws, nothing was kept.
  /// - Parameter isNoted: Whether this is the write that a request is for, which must not happen
  ///   again when the request is repeated. A write before it, such as counting a wrong passphrase,
  ///   isn't.
  func write<Value, Failure: StoreFailure>(
    _ failure: Failure.Type, _ change: Lane.Change = .duties,
    as kind: TransactionKind = .serializable, isNoted: Bool = true, _ body: () throws -> Value
  ) throws(Failure) -> Value {
    do {
      // The remote caller has been answered already; now the write would come too late.
      if session.isRemote, Task.isCancelled { throw StorageError.busy }
      guard isNoted, let request = session.request else {
        return try lane.write(kind, change, body)
      }
      let (value, answer): (Value, String?)
      do {
        (value, answer) = try lane.write(kind, change) {
          let value = try body()
          return (value, try note(request, value))
        }
      } catch {
        throw self.failure(error, noting: request)
      }
      request.isBegun.store(true, ordering: .relaxed)
      if let answer { request.kept.withLock { $0 = answer } }
      return value
    } catch {
      throw .wrapping(error)
    }
  }

  func write<Value>(
    _ change: Lane.Change = .duties, isNoted: Bool = true, _ body: () throws -> Value
  ) throws(ClientError) -> Value {
    try write(ClientError.self, change, isNoted: isNoted, body)
  }

  /// Runs the body in a transaction that sees one state of the store.
  func read<Value, Failure: StoreFailure>(
    _ failure: Failure.Type, _ body: () throws -> Value
  ) throws(Failure) -> Value {
    do { return try lane.read(body) } catch {
      throw .wrapping(error)
    }
  }

  func read<Value>(_ body: () throws -> Value) throws(ClientError) -> Value {
    try read(ClientError.self, body)
  }

  /// Runs the body in a reading transaction, for the caller's account.
  func read<Value>(_ body: (_ key: Int) throws -> Value) throws(ClientError) -> Value {
    try read { try body(requireCurrentKey()) }
  }

  /// Runs the body in a transaction, for the caller's account.
  func write<Value>(
    _ change: Lane.Change = .duties, isNoted: Bool = true, _ body: (_ key: Int) throws -> Value
  ) throws(ClientError) -> Value {
    try write(change, isNoted: isNoted) { try body(requireCurrentKey()) }
  }

  /// Writes how the account is watched; see ``requireKeyHere()``.
  func writeHere<Value>(_ body: (_ key: Int) throws -> Value) throws(ClientError) -> Value {
    try write { try body(requireKeyHere()) }
  }

  /// Runs a body with a single query, without a transaction. A database's clock isn't read for it:
  /// the time goes on from the last transaction, and is this machine's before the first.
  func ask<Value>(_ body: () throws -> Value) throws(ClientError) -> Value {
    do {
      try lane.reopenForReading()
      try lane.storeClock.begin(database)
      return try body()
    } catch {
      throw .wrapping(error)
    }
  }

  /// Notifies every observer of a change that isn't in the store, such as who is signed in.
  func signal(_ change: Lane.Change) { lane.signal(change) }

  /// Whether anyone observes what other processes may change.
  var isPolling: Bool { lane.isPolling }

  /// Returns whether the engine has found damage since this was last called.
  package func hasFoundDamage() -> Bool {
    defer { database.hasFoundDamage = false }
    return database.hasFoundDamage
  }

  /// Does several things without anything in between that others could see.
  func atomically<Value: Sendable>(
    _ body: @Sendable (isolated Store) throws(ClientError) -> Value
  ) throws(ClientError) -> Value {
    try body(self)
  }

  /// Runs other work that may block on the store's executor.
  package func perform<Value: Sendable, Failure: Error>(
    _ body: @Sendable () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try body()
  }
}
