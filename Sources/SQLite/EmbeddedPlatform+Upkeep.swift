public import Clients
import Dispatch
import Domain
public import FoundationEssentials
import Store

extension UpkeepClient {
  /// Returns the client that makes backups of a store's files and inspects them.
  static func files(
    _ store: Store, _ backups: BackupFolder, _ inspector: StoreInspector
  ) -> UpkeepClient {
    UpkeepClient {
      $0.load = { () async throws(StorageError) in try await store.watchLoad() }
      $0.backUp = { now async throws(StorageError) in
        for _ in 0..<Self.mostBatches {
          guard (try? await store.pruneHistory()) == true else { break }
        }
        // Not on the store's queue: the watch goes on while a large store is copied.
        let result: Result<BackupOutcome, StorageError> = await withCheckedContinuation {
          continuation in
          DispatchQueue.global(qos: .utility).async {
            continuation.resume(
              returning: Result { () throws(StorageError) in try backups.make(now: now) })
          }
        }
        if case .failure(.corrupt) = result { await inspector.suspect() }
        return try result.get()
      }
      $0.inspect = { now async throws(StorageError) in
        try await inspector.inspect(now: now, isThorough: await store.hasFoundDamage())
      }
      $0.close = {
        await inspector.close()
        await store.close()
      }
    }
  }

  /// The largest number of times in a day that old rows are deleted.
  private static let mostBatches = 20

  /// Returns the client for a store without files here: nothing of it outlives the process, or its
  /// backups are made elsewhere.
  static func loadOnly(_ store: Store) -> UpkeepClient {
    UpkeepClient {
      $0.load = { () async throws(StorageError) in try await store.watchLoad() }
      $0.backUp = { _ async throws(StorageError) in .notNeeded }
    }
  }
}

extension EmbeddedPlatform {
  /// Returns the backups, newest first.
  public static func backups(
    folders: Folders, now: Date = Date()
  ) throws(StorageError) -> [StoreBackup] {
    try BackupFolder(folders).all(asOf: now)
  }

  /// Examines a store's file, even while others use it.
  /// - Complexity: O(*n*) in its size.
  public static func examine(folders: Folders) throws(StorageError) -> StoreExamination {
    let path = try PrivateFiles.resolved(folders.data) + "/lifesignal.db"
    let database = try Database(path: path, access: .readWrite)
    database.keepsLogOnClose = true
    let pages = try database.value(Int.self, "PRAGMA page_count") ?? 0
    let answer = try database.integrityCheck()
    return StoreExamination(
      schema: try Schema.version(of: database),
      bytes: pages * (try database.value(Int.self, "PRAGMA page_size") ?? 0),
      fault: answer == "ok" ? nil : answer,
      rebuiltAt: try? database.optionalValue(Date.self, "SELECT rebuilt_at FROM watch"),
      isDiskFull: BackupFolder.freeSpace(folders.data) < StoreReserve.size)
  }

  /// Restores a backup. The current store is moved aside, never deleted.
  /// - Parameter name: The name of a backup's file; `nil` for the newest that is complete.
  /// - Throws: ``StorageError/noBackup(path:)`` if there is none, or the requested one is damaged;
  ///   ``StorageError/busy`` while any process has the store open.
  public static func restore(
    folders: Folders, backup name: String?, now: Date
  ) throws(StorageError) -> StoreRestoration {
    try StoreFile(folders).restore(name, now: now)
  }
}
