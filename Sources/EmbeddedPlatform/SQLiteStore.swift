import Clients
import Domain
import FoundationEssentials

/// The store behind all clients of the embedded platform.
///
/// It runs on a queue of its own, since SQLite blocks: never on the main actor, never on the threads
/// that all other tasks share.
actor SQLiteStore {
  let now: @Sendable () -> Date
  let makeUUID: @Sendable () -> UUID
  let file: StoreFile
  private(set) var database: Database
  /// How often it was opened again: what was read before may have been another file's.
  private(set) var openings = 0
  private var lock: StoreLock?
  /// Whether it could not be opened yet.
  private var isUnopened = false
  let queue = StoreQueue()
  nonisolated let pendingRecords = PendingRecords()
  /// The address of the account that this program was asked to work for.
  nonisolated let address: String?
  let secrets: SecretsFile
  let files: FileFolder
  nonisolated let spool: AlertSpool
  var seat: Seat
  var observers = Observers()

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    queue.asUnownedSerialExecutor()
  }

  init(
    file: StoreFile, secrets: SecretsFile, seat: Seat, waits: Bool,
    now: @escaping @Sendable () -> Date, makeUUID: @escaping @Sendable () -> UUID
  ) throws(StorageError) {
    self.secrets = secrets
    self.seat = seat
    address = seat.address
    self.file = file
    files = FileFolder(path: file.folders.files)
    do throws(StorageError) {
      (database, lock) = try file.open(now: now())
      files.sweep(database)
    } catch {
      guard waits else { throw error }
      // Nobody reads or writes this one.
      database = try Database(path: ":memory:", access: .readWrite)
      isUnopened = true
    }
    spool = AlertSpool(folders: file.folders.spools)
    self.now = now
    self.makeUUID = makeUUID
  }

  /// What a write was about.
  enum Change {
    /// Something that a monitor may have to act on.
    case duties
    /// All else, such as a sign of life; monitors need not wake for it.
    case other
  }

  /// Runs the body in a transaction. When this returns, all of it is on disk and every observer
  /// hears of it if anything changed; when it throws, nothing of it was kept.
  func write<Value, Failure: StoreFailure>(
    _ failure: Failure.Type, _ change: Change = .duties, _ body: () throws -> Value
  ) throws(Failure) -> Value {
    do {
      try reopenIfNeeded()
      let before = database.totalChanges
      let value = try file.usingReserve { try database.write(body) }
      if database.totalChanges != before { signal(change) }
      return value
    } catch {
      throw .wrapping(error)
    }
  }

  /// Runs the body in a transaction that sees one state of the store.
  func read<Value, Failure: StoreFailure>(
    _ failure: Failure.Type, _ body: () throws -> Value
  ) throws(Failure) -> Value {
    do {
      try reopenIfNeeded()
      return try database.read(body)
    } catch {
      throw .wrapping(error)
    }
  }

  /// Whether SQLite has met damage since this was last asked.
  func hasFoundDamage() -> Bool {
    defer { database.hasFoundDamage = false }
    return database.hasFoundDamage
  }

  /// Opens the store again after a failure, or where somebody has put another file in its place:
  /// whoever goes on with the old one watches over what nobody else sees.
  func reopenIfNeeded() throws(StorageError) {
    guard isUnopened || database.hasFailed || database.hasMoved else { return }
    (database, lock) = try file.open(again: !isUnopened, now: now())
    isUnopened = false
    openings += 1
  }

  /// Runs something else that may block on the store's queue.
  func perform<Value: Sendable, Failure: Error>(
    _ body: @Sendable () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try body()
  }
}
