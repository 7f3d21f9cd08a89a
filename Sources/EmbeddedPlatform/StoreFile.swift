import Clients
import Domain
import FoundationEssentials
import Glibc

/// The store's file: found, judged, opened, and set aside when it is beyond use.
struct StoreFile {
  let folders: Folders
  let schema: Schema

  init(_ folders: Folders, schema: Schema = .current) {
    self.folders = folders
    self.schema = schema
  }

  /// Opens the store, or makes one where there never was any.
  ///
  /// - Throws: ``StorageError/missing(path:)`` for a store that is gone or empty,
  ///   ``StorageError/corrupt(detail:)`` for one that is damaged or somebody else's,
  ///   ``StorageError/newerSchema(found:known:)``; each leaves the file as it is.
  ///   ``StorageError/permissionDenied(_:)`` when others could read or replace it.
  /// - Parameter again: Whether this process had it open: then none is made.
  func open(again: Bool = false) throws(StorageError) -> (Database, StoreLock) {
    try PrivateFiles.makeFolder(folders.data)
    try PrivateFiles.makeFolder(folders.state)
    // Before the file is looked at: whoever is making the store just now sets the marker last.
    let hasMarker = try PrivateFiles.entry(folders.storeMarker) != .nothing
    let wasThere = again || hasMarker
    let isNew = try judge(wasThere: wasThere)
    let lock = try StoreLock(path: folders.database + "-lock")
    if isNew { try PrivateFiles.makeFile(folders.database) }

    let wasClosedInOrder = try !isFilled(folders.database + "-wal")
    let path = try PrivateFiles.resolved(folders.data) + "/lifesignal.db"
    if !isNew { try judgeHeader(path) }
    let database = try Database(path: path, access: .readWrite)
    database.keepsLogOnClose = true
    try database.script(
      """
      PRAGMA synchronous = FULL;
      PRAGMA foreign_keys = ON;
      PRAGMA trusted_schema = OFF;
      PRAGMA cell_size_check = ON;
      """)
    let found = try Schema.version(of: database)
    guard found <= schema.version else {
      throw .newerSchema(found: found, known: schema.version)
    }
    if lock.isExclusive, !wasClosedInOrder { try check(database) }
    try schema.migrate(database) { version throws(StorageError) in
      if !isNew { try copy(database, to: path + ".before-schema\(version)") }
    }
    try database.useWriteAheadLog()
    database.keepsLogOnClose = false
    if !hasMarker {
      try PrivateFiles.makeFile(folders.storeMarker)
    }
    if lock.isExclusive { try lock.share() }
    return (database, lock)
  }

  /// Sets a store that is beyond use aside, under a name with the time, so that the next opening
  /// begins anew.
  /// - Returns: The path of the file that was set aside.
  func setAside(now: Date) throws(StorageError) -> String? {
    let lock = try lockForOneself()
    defer { withExtendedLifetime(lock) {} }
    let aside = try moveAside(now: now)
    guard unlink(folders.storeMarker) == 0 || errno == ENOENT else {
      throw PrivateFiles.failure("\(folders.storeMarker) could not be deleted")
    }
    try PrivateFiles.synchronize(folderOf: folders.storeMarker)
    return aside
  }

  /// The store's lock, while no other process has the store open.
  func lockForOneself() throws(StorageError) -> StoreLock {
    try PrivateFiles.makeFolder(folders.data)
    try PrivateFiles.makeFolder(folders.state)
    let lock = try StoreLock(path: folders.database + "-lock")
    guard lock.isExclusive else { throw .busy }
    return lock
  }

  /// Gives what there is of the store another name; for whoever has the lock.
  /// - Returns: its path, or `nil` when there was nothing.
  func moveAside(now: Date) throws(StorageError) -> String? {
    let stamp = String(now.rfc3339.filter { $0 != ":" && $0 != "-" })
    var aside = folders.database + ".set-aside-" + stamp
    var number = 1
    while try PrivateFiles.entry(aside) != .nothing {
      number += 1
      aside = folders.database + ".set-aside-\(stamp)-\(number)"
    }
    // The log first: a database without its log is still one, a log must never meet another
    // database.
    var isAnythingLeft = false
    for suffix in ["-wal", "-shm", ""] {
      if rename(folders.database + suffix, aside + suffix) == 0 {
        isAnythingLeft = true
      } else if errno != ENOENT {
        throw PrivateFiles.failure("\(folders.database)\(suffix) could not be moved")
      }
    }
    // What lies there belongs to the rows of that database, and has no row in a new one.
    let stampedSuffix = aside.dropFirst(folders.database.count)
    if rename(folders.files, folders.files + stampedSuffix) != 0, errno != ENOENT {
      throw PrivateFiles.failure("\(folders.files) could not be moved")
    }
    try PrivateFiles.synchronize(folderOf: folders.database)
    return isAnythingLeft ? aside : nil
  }

  // MARK: Judging

  /// Whether the store is still to be made.
  private func judge(wasThere: Bool) throws(StorageError) -> Bool {
    for suffix in ["-wal", "-shm", "-lock"] {
      _ = try PrivateFiles.entry(folders.database + suffix)
    }
    switch try PrivateFiles.entry(folders.database) {
    case .folder: throw .corrupt(detail: "\(folders.database) is a folder.")
    case .file(let size) where size > 0: return false
    case .nothing, .file:
      guard !wasThere else { throw .missing(path: folders.database) }
      return true
    }
  }

  private func isFilled(_ path: String) throws(StorageError) -> Bool {
    if case .file(let size) = try PrivateFiles.entry(path) { return size > 0 }
    return false
  }

  /// Refuses what is not our store, or a newer one, by the file's header alone.
  private func judgeHeader(_ path: String) throws(StorageError) {
    let header = try Database(path: path, access: .immutable)
    let isOurs: Bool
    let found: Int
    do throws(StorageError) {
      isOurs = try Schema.applicationID(of: header) == Schema.applicationID
      found = try Schema.version(of: header)
    } catch {
      guard case .corrupt = error else { throw error }
      throw .corrupt(detail: "\(folders.database) is no database, or a damaged one.")
    }
    guard isOurs else { throw .corrupt(detail: "\(folders.database) is no store of lifesignal.") }
    guard found <= schema.version else {
      throw .newerSchema(found: found, known: schema.version)
    }
  }

  /// After an end that was none – the log is still there and nobody uses it –, before anything is
  /// built on it.
  private func check(_ database: Database) throws(StorageError) {
    let answer = try database.quickCheck()
    guard answer == "ok" else {
      throw .corrupt(detail: "\(folders.database) did not pass the check: \(answer).")
    }
  }

  private func copy(_ database: Database, to path: String) throws(StorageError) {
    // An older copy of the same step is from an attempt that did not come to its end.
    unlink(path)
    try PrivateFiles.makeFile(path)
    try database.run("VACUUM INTO ?1", path)
  }
}

extension Database {
  /// Write-ahead logging, so that readers and a writer do not wait for each other. The switch needs
  /// the file for itself alone, and SQLite does not wait for that by itself.
  fileprivate func useWriteAheadLog() throws(StorageError) {
    for _ in 0..<250 {
      do throws(StorageError) {
        let mode = try value(String.self, "PRAGMA journal_mode = WAL")
        if mode == "wal" { return }
        throw .unknown("the file system cannot share memory between programs")
      } catch {
        guard error == .busy else { throw error }
        usleep(20_000)
      }
    }
    throw .busy
  }
}
