import Clients
import Domain
package import FoundationEssentials
import Synchronization

/// The rules of a store for one session: the lane on which it runs, and who asks.
///
/// It runs on the lane's executor, since SQLite blocks: never on the main actor, never on the threads
/// that all other tasks share.
package actor Store {
  nonisolated let lane: Lane
  let makeUUID: @Sendable () -> UUID
  nonisolated let session: any StoreSession
  nonisolated let spool: AlertSpool
  /// The channels that were added by this session, and may have been mistyped.
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

  /// On which a task may run that asks this store again and again; `nil` where it has no thread of its own.
  package nonisolated var taskExecutor: (any TaskExecutor)? { lane.executor as? any TaskExecutor }

  /// The same store for another session.
  nonisolated func beside(_ session: any StoreSession) -> Store {
    Store(lane, session, makeUUID, spool.beside())
  }

  package nonisolated var now: @Sendable () -> Date { lane.now }
  nonisolated var blobs: any BlobStore { lane.place.blobs }
  var database: any SQLConnection { lane.database }

  /// Runs the body in a transaction. When this returns, all of it is on disk and every observer
  /// hears of it if anything changed; when it throws, nothing of it was kept.
  /// - Parameter isNoted: Whether it is what a request asks for, whose repeat must not do it again; what comes
  ///   before that, such as judging a passphrase, is not.
  func write<Value, Failure: StoreFailure>(
    _ failure: Failure.Type, _ change: Lane.Change = .duties,
    as kind: TransactionKind = .serializable, isNoted: Bool = true, _ body: () throws -> Value
  ) throws(Failure) -> Value {
    do {
      // Who asked from elsewhere has been answered already: now it would be of another instant.
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
    do {
      try lane.reopenIfNeeded()
      return try database.transaction(.read, body)
    } catch {
      throw .wrapping(error)
    }
  }

  func read<Value>(_ body: () throws -> Value) throws(ClientError) -> Value {
    try read(ClientError.self, body)
  }

  /// The same for the account of who asks.
  func read<Value>(_ body: (_ key: Int) throws -> Value) throws(ClientError) -> Value {
    try read { try body(requireCurrentKey()) }
  }

  /// Writes for the account of who asks.
  func write<Value>(
    _ change: Lane.Change = .duties, isNoted: Bool = true, _ body: (_ key: Int) throws -> Value
  ) throws(ClientError) -> Value {
    try write(change, isNoted: isNoted) { try body(requireCurrentKey()) }
  }

  /// Writes how the account is looked after: see ``requireKeyHere()``.
  func writeHere<Value>(_ body: (_ key: Int) throws -> Value) throws(ClientError) -> Value {
    try write { try body(requireKeyHere()) }
  }

  /// Runs a body that asks one question, without a transaction. A database's clock is not asked for it: the time goes on
  /// from the last transaction, and is this machine's before the first.
  func ask<Value>(_ body: () throws -> Value) throws(ClientError) -> Value {
    do {
      try lane.reopenIfNeeded()
      return try body()
    } catch {
      throw .wrapping(error)
    }
  }

  /// Tells everybody of what was not written to the store, such as who is signed in.
  func signal(_ change: Lane.Change) { lane.signal(change) }

  /// Whether somebody observes what other processes may change.
  var isPolling: Bool { lane.isPolling }

  /// Whether SQLite has met damage since this was last asked.
  package func hasFoundDamage() -> Bool {
    defer { database.hasFoundDamage = false }
    return database.hasFoundDamage
  }

  /// Does several things with nothing in between that others could see.
  func together<Value: Sendable>(
    _ body: @Sendable (isolated Store) throws(ClientError) -> Value
  ) throws(ClientError) -> Value {
    try body(self)
  }

  /// Runs something else that may block on the store's queue.
  package func perform<Value: Sendable, Failure: Error>(
    _ body: @Sendable () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try body()
  }
}
