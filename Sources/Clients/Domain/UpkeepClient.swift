public import Composable
import Domain
public import FoundationEssentials

/// The store as the monitor uses it to keep it in order, beside its watch.
public struct UpkeepClient: ClientInterface {
  /// How much there is to watch.
  public var load: @Sendable () async throws(StorageError) -> WatchLoad = unimplemented(
    "UpkeepClient.load")
  /// Makes the backup of a day, unless there is one or nothing has changed since the last.
  ///
  /// It takes as long as writing the store once; others read and write in the meantime.
  /// - Throws: ``StorageError/full`` before anything is written where the disk has no room for it,
  ///   ``StorageError/corrupt(detail:)`` for a store that is damaged. The backups that there are stay.
  public var backUp: @Sendable (_ now: Date) async throws(StorageError) -> BackupOutcome =
    unimplemented("UpkeepClient.backUp")
  /// Compares the next rows of the store with what its indexes say of them, and rebuilds the indexes
  /// where they differ. The watch goes on in the meantime.
  /// - Throws: ``StorageError/busy`` and the like where nothing could be compared.
  public var inspect: @Sendable (_ now: Date) async throws(StorageError) -> StoreInspection = {
    (_: Date) async throws(StorageError) in .whole(isLast: true)
  }

  public init() {}
}

/// What came of comparing some rows.
public enum StoreInspection: Equatable, Sendable {
  /// They are in order; `isLast` says that all rows have been compared since the last time.
  case whole(isLast: Bool)
  /// An index did not hold what its table holds, and every index was rebuilt.
  case rebuilt(fault: String)
  /// The store is damaged, and rebuilding its indexes would not repair it.
  case damaged(fault: String)
}

/// How much a monitor watches.
public struct WatchLoad: Equatable, Sendable {
  /// How many accounts there are.
  public var accounts: Int
  /// How many messages have been planned and neither sent nor given up.
  public var waiting: Int

  public init(accounts: Int, waiting: Int) {
    self.accounts = accounts
    self.waiting = waiting
  }
}

/// What came of the wish for a backup.
public enum BackupOutcome: Equatable, Sendable {
  case made(StoreBackup)
  /// There is one of this day, another process is making it, or nothing has changed since the last.
  case notNeeded
}

/// A copy of the store.
public struct StoreBackup: Equatable, Sendable {
  /// The name of its file, with the day.
  public var name: String
  public var madeAt: Date
  public var bytes: Int

  public init(name: String, madeAt: Date, bytes: Int) {
    self.name = name
    self.madeAt = madeAt
    self.bytes = bytes
  }
}

/// What was restored, and where that is which it replaced.
public struct StoreRestoration: Equatable, Sendable {
  public var backup: StoreBackup
  /// The path of what was there before, or `nil` where nothing was left.
  public var setAside: String?

  public init(backup: StoreBackup, setAside: String?) {
    self.backup = backup
    self.setAside = setAside
  }
}

/// What a store's file says of itself when all of it is looked through.
public struct StoreExamination: Equatable, Sendable {
  public var schema: Int
  public var bytes: Int
  /// What is wrong with its pages or indexes, as SQLite puts it; `nil` when they are in order.
  public var fault: String?
  /// When a damaged index was last rebuilt; `nil` for never.
  public var rebuiltAt: Date?

  /// Whether the disk has no room for what a check-in writes.
  public var isDiskFull: Bool

  public init(
    schema: Int, bytes: Int, fault: String? = nil, rebuiltAt: Date? = nil, isDiskFull: Bool = false
  ) {
    self.schema = schema
    self.bytes = bytes
    self.fault = fault
    self.rebuiltAt = rebuiltAt
    self.isDiskFull = isDiskFull
  }
}

extension DependencyValues {
  public var upkeepClient: UpkeepClient {
    get { self[UpkeepClient.self] }
    set { self[UpkeepClient.self] = newValue }
  }
}
