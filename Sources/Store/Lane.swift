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
  /// Why the store could not be opened yet, and when that was last tried; `nil` for an open one.
  private var refusal: (error: StorageError, at: Date)?
  /// Whether the connection is one that only reads, until the store can be opened.
  private(set) var isForReading = false
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
      refusal = (error, now())
      if error.isUnwritable, let opened = try? place.openForReading() {
        (database, lock, isForReading) = (opened.connection, opened.lock, true)
      } else {
        database = ClosedConnection(error)
      }
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
    try reopenForReading()
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

  /// For how long, in seconds, a store that could not be opened isn't tried again: a locked one takes
  /// three to refuse, and a person in need asks for several things at once. Longer than a command
  /// repeats its request, so that it doesn't wait for the opening twice.
  private static let pause = 3.0

  /// Opens the store again after a failure, or if another file was put in its place: a program that
  /// kept the old one would watch over data that nobody else sees.
  func reopenIfNeeded() throws(StorageError) {
    guard refusal != nil || database.hasFailed || database.hasMoved else { return }
    if let refusal, refusal.error == .busy, abs(now().timeIntervalSince(refusal.at)) < Self.pause {
      throw refusal.error
    }
    let opened: OpenStore
    do { opened = try place.open(again: refusal == nil, now: storeClock.now) } catch {
      if refusal != nil { refusal = (error, now()) }
      throw error
    }
    (database, lock, isForReading) = (opened.connection, opened.lock, false)
    refusal = nil
    try? storeClock.begin(database)
    openings += 1
  }

  /// Does the same, unless the connection can be read all the same.
  func reopenForReading() throws(StorageError) {
    do throws(StorageError) { try reopenIfNeeded() } catch {
      guard isForReading else { throw error }
    }
  }

  /// Closes the connection. Requests are refused for some seconds; a program that goes on after that
  /// has the store opened again.
  func close() {
    refusal = (.busy, now())
    database = ClosedConnection(.busy)
    lock = nil
  }

  /// The kind of a write.
  enum Change {
    /// Something that a monitor may have to act on.
    case duties
    /// All else, such as a heartbeat; monitors need not wake for it.
    case other
  }
}

extension StorageError {
  /// Whether a store that refused to open this way may still be read.
  fileprivate var isUnwritable: Bool {
    switch self {
    case .full, .permissionDenied, .unknown: true
    default: false
    }
  }
}
