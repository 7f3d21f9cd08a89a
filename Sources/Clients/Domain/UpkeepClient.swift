public import Composable
import Domain
public import FoundationEssentials

/// The store as the monitor maintains it, in addition to watching it.
public struct UpkeepClient: ClientInterface {
  /// Returns how much there is to watch.
  public var load: @Sendable () async throws(StorageError) -> WatchLoad = unimplemented(
    "UpkeepClient.load")
  /// Makes the day's backup, unless there is one or nothing has changed since the last.
  ///
  /// It takes as long as writing the store once; other processes can read and write in the
  /// meantime.
  /// - Throws: ``StorageError/full``, before anything is written, if the disk has no room for it;
  ///   ``StorageError/corrupt(detail:)`` for a damaged store. Existing backups are kept.
  public var backUp: @Sendable (_ now: Date) async throws(StorageError) -> BackupOutcome =
    unimplemented("UpkeepClient.backUp")
  /// Compares the next rows of the store with its indexes, and rebuilds the indexes if they differ.
  /// The monitor keeps watching in the meantime.
  /// - Throws: ``StorageError/busy`` and similar errors if nothing could be compared.
  public var inspect: @Sendable (_ now: Date) async throws(StorageError) -> StoreInspection = {
    (_: Date) async throws(StorageError) in .whole(isLast: true)
  }
  /// Closes the store, as the last thing that a program does with it. One that was closed needs no
  /// check when it is opened the next time.
  public var close: @Sendable () async -> Void = {}

  public init() {}
}

/// The result of comparing some rows.
public enum StoreInspection: Equatable, Sendable {
  /// They are consistent; `isLast` says that this completes a round over all rows.
  case whole(isLast: Bool)
  /// An index did not match its table, and every index was rebuilt.
  case rebuilt(fault: String)
  /// The store is damaged, and rebuilding its indexes would not repair it.
  case damaged(fault: String)
}

/// The amount of work that a monitor has.
public struct WatchLoad: Equatable, Sendable {
  /// The number of accounts.
  public var accounts: Int
  /// The number of pending messages, not counting those of alerts other than drills.
  public var pendingMessages: Int
  /// The number of messages that wait although no limit holds them back (NOT-5), as calls for help,
  /// their ends and farewells do, and of alerts that count down, but for those that nobody must
  /// notice.
  public var pendingCalls: Int

  public init(accounts: Int, pendingMessages: Int, pendingCalls: Int = 0) {
    self.accounts = accounts
    self.pendingMessages = pendingMessages
    self.pendingCalls = pendingCalls
  }
}

/// The result of asking for a backup.
public enum BackupOutcome: Equatable, Sendable {
  case made(StoreBackup)
  /// There is one of this day, another process is making it, or nothing has changed since the last.
  case notNeeded
}

/// A backup of the store.
public struct StoreBackup: Equatable, Sendable {
  /// The name of its file, which contains the day.
  public var name: String
  public var madeAt: Date
  public var bytes: Int

  public init(name: String, madeAt: Date, bytes: Int) {
    self.name = name
    self.madeAt = madeAt
    self.bytes = bytes
  }
}

/// The backup that was restored, and where the store it replaced is now.
public struct StoreRestoration: Equatable, Sendable {
  public var backup: StoreBackup
  /// The path of the previous store, or `nil` if there was none.
  public var previousStore: String?

  public init(backup: StoreBackup, previousStore: String?) {
    self.backup = backup
    self.previousStore = previousStore
  }
}

/// The result of checking a whole store file.
public struct StoreExamination: Equatable, Sendable {
  public var schema: Int
  public var bytes: Int
  /// The fault in its pages or indexes, in SQLite's words, or `nil` if there is none.
  public var fault: String?
  /// When a damaged index was last rebuilt, or `nil` for never.
  public var rebuiltAt: Date?

  /// Whether the disk is too full for what a check-in writes.
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
