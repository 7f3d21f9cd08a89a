package import Clients
import Cryptography
import Domain
package import FoundationEssentials
import Synchronization

/// A connection to a store, what runs on it one after the other, and who hears of changes: one lane
/// serves any number of handles (``Store``).
///
/// Its variables are touched on its executor only: by the handles, which are actors that run there,
/// and by what ``StoreExecutor/perform(_:_:)`` and the timer run there. That is why it may be sent.
package final class Lane: @unchecked Sendable {
  let place: any StorePlace
  let executor: any StoreExecutor
  let now: @Sendable () -> Date
  /// Tells when a monitor's lease has run out where no timer looks; `nil` where one does.
  let clock: (any Clock<Duration>)?
  let pendingRecords = PendingRecords()

  private(set) var database: any SQLConnection
  private var lock: AnyObject?
  /// How often it was opened again: what was read before may have been another file's.
  private(set) var openings = 0
  /// Whether it could not be opened yet.
  private var isUnopened = false
  var observers = Observers()
  /// Whether a hint waits for the executor.
  let isHinted = Atomic(false)
  /// By which cursors are closed; `nil` before the first.
  var cursorSeal: SecretBox?

  /// - Parameter waits: Whether a store that can't be opened is tried again with each request.
  package init(
    _ place: any StorePlace, waits: Bool, now: @escaping @Sendable () -> Date,
    clock: (any Clock<Duration>)? = nil
  ) throws(StorageError) {
    self.place = place
    self.now = now
    self.clock = clock
    executor = place.makeExecutor()
    do throws(StorageError) {
      let opened = try place.open(again: false, now: now())
      (database, lock) = (opened.connection, opened.lock)
    } catch {
      guard waits else { throw error }
      database = ClosedConnection(error)
      isUnopened = true
    }
  }

  /// Runs the body in a transaction, and tells everybody if anything changed.
  func write<Value>(
    _ kind: TransactionKind, _ change: Change, _ body: () throws -> Value
  ) throws -> Value {
    try reopenIfNeeded()
    let before = database.totalChanges
    let value = try place.makingRoom { try database.transaction(kind, body) }
    if database.totalChanges != before {
      signal(change)
      place.hints?.send()
    }
    return value
  }

  /// Opens the store again after a failure, or where somebody has put another file in its place:
  /// a program that goes on with the old one watches over what nobody else sees.
  func reopenIfNeeded() throws(StorageError) {
    guard isUnopened || database.hasFailed || database.hasMoved else { return }
    let opened = try place.open(again: !isUnopened, now: now())
    (database, lock) = (opened.connection, opened.lock)
    isUnopened = false
    openings += 1
  }

  /// What a write was about.
  enum Change {
    /// Something that a monitor may have to act on.
    case duties
    /// All else, such as a sign of life; monitors need not wake for it.
    case other
  }
}
