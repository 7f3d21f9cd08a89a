package import Clients
import Cryptography
package import Domain
package import FoundationEssentials
import Synchronization

/// A connection to a store, the executor that runs its jobs one after another, and the observers of
/// its changes. One lane serves any number of handles (``Store``).
///
/// `@unchecked Sendable`: its variables are used on its executor only, by the handles, which are
/// actors that run there, and by what ``StoreExecutor/perform(_:_:)`` and the timer run there.
package final class Lane: @unchecked Sendable {
  let place: any StorePlace
  let executor: any StoreExecutor
  /// The clock that dates what is stored.
  let storeClock: StoreClock
  let now: @Sendable () -> Date
  /// The clock that tells when a monitor's lease has run out where no timer polls; `nil` where one
  /// does.
  let clock: (any Clock<Duration>)?
  let pendingRecords = PendingRecords()

  private(set) var database: any SQLConnection
  private var lock: AnyObject?
  /// How often the store was opened again: what was read before may come from another file.
  private(set) var openings = 0
  /// Whether the store could not be opened yet.
  private var isUnopened = false
  var observers = Observers()
  /// Whether a hint waits for the executor.
  let isHinted = Atomic(false)
  /// The box that seals cursors; `nil` before the first one.
  var cursorSeal: SecretBox?

  /// - Parameter waits: Whether a store that can't be opened is tried again with each request. If
  ///   not, this throws.
  package init(
    _ place: any StorePlace, waits: Bool, now: @escaping @Sendable () -> Date,
    uptime: @escaping @Sendable () -> Uptime? = { nil }, clock: (any Clock<Duration>)? = nil
  ) throws(StorageError) {
    self.place = place
    let storeClock = StoreClock(wall: now, uptime: uptime)
    self.storeClock = storeClock
    self.now = { storeClock.now }
    self.clock = clock
    executor = place.makeExecutor()
    do throws(StorageError) {
      let opened = try place.open(again: false, now: storeClock.now)
      (database, lock) = (opened.connection, opened.lock)
      try? storeClock.begin(database)
    } catch {
      guard waits else { throw error }
      database = ClosedConnection(error)
      isUnopened = true
    }
  }

  /// Runs the body in a transaction, and notifies every observer if anything changed.
  func write<Value>(
    _ kind: TransactionKind, _ change: Change, _ body: () throws -> Value
  ) throws -> Value {
    try reopenIfNeeded()
    settleClock()
    let before = database.totalChanges
    let value = try place.makingRoom {
      try database.transaction(kind) {
        try storeClock.begin(database)
        let value = try body()
        if database.totalChanges != before {
          try storeClock.note(in: database, age: change == .duties ? 0 : 60_000)
        }
        return value
      }
    }
    if database.totalChanges != before {
      signal(change)
      place.hints?.send()
    }
    return value
  }

  /// Runs the body in a transaction that sees one state of the store.
  func read<Value>(_ body: () throws -> Value) throws -> Value {
    try reopenIfNeeded()
    return try database.transaction(.read) {
      try storeClock.begin(database)
      return try body()
    }
  }

  /// Believes a clock that jumped and has kept its new time (ESC-5), in a transaction of its own: if
  /// that fails, the old time goes on, and what was to be written is written.
  private func settleClock() {
    guard storeClock.isSettled else { return }
    let settlement = try? database.transaction(.serializable) { try storeClock.settle(database) }
    guard let settlement else { return }
    storeClock.remember(settlement)
    signal(.duties)
    place.hints?.send()
  }

  /// Opens the store again after a failure, or if another file was put in its place: a program that
  /// kept the old one would watch over data that nobody else sees.
  func reopenIfNeeded() throws(StorageError) {
    guard isUnopened || database.hasFailed || database.hasMoved else { return }
    let opened = try place.open(again: !isUnopened, now: storeClock.now)
    (database, lock) = (opened.connection, opened.lock)
    try? storeClock.begin(database)
    isUnopened = false
    openings += 1
  }

  /// The kind of a write.
  enum Change {
    /// Something that a monitor may have to act on.
    case duties
    /// All else, such as a heartbeat; monitors need not wake for it.
    case other
  }
}
