import Clients
import Domain
import FoundationEssentials
import Glibc
import Store

/// The store's file, which is checked, opened, and moved aside when it is beyond use.
struct StoreFile {
  let folders: Folders
  let schema: Schema

  /// The number of pages in the log at which it is copied into the database: half a megabyte.
  static let logPages = 128

  init(_ folders: Folders, schema: Schema = .current) {
    self.folders = folders
    self.schema = schema
  }

  /// Opens the store, or creates one if there never was any.
  ///
  /// - Parameter again: Whether this process had it open before. If so, none is created.
  /// - Throws: ``StorageError/missing(path:)`` for a store that is gone or empty,
  ///   ``StorageError/corrupt(detail:)`` for one that is damaged or isn't ours,
  ///   ``StorageError/newerSchema(found:known:)``; each leaves the file as it is.
  ///   ``StorageError/permissionDenied(_:)`` if others could read or replace it.
  func open(again: Bool = false, now: Date) throws(StorageError) -> (Database, StoreLock) {
    let opened = try usingReserve { () throws(StorageError) in
      try openOnce(again: again, now: now)
    }
    reserve.make()
    return opened
  }

  private func openOnce(again: Bool, now: Date) throws(StorageError) -> (Database, StoreLock) {
    // Before the file is examined: the program that creates the store sets the marker last.
    let hasMarker = try PrivateFiles.entry(folders.storeMarker) != .nothing
    let wasThere = again || hasMarker
    // Where the disk of the store isn't mounted yet, nothing must be made.
    if wasThere, try PrivateFiles.entry(folders.data) == .nothing {
      throw .missing(path: folders.database)
    }
    try PrivateFiles.makeFolder(folders.data)
    try PrivateFiles.makeFolder(folders.state)
    let isNew = try judge(wasThere: wasThere)
    let lock = try StoreLock(path: folders.database + "-lock")
    if isNew { try PrivateFiles.makeFile(folders.database) }

    let wasClosedInOrder = try !isFilled(folders.database + "-wal")
    let path = try PrivateFiles.resolved(folders.data) + "/lifesignal.db"
    let database = try Database(path: path, access: .readWrite)
    database.keepsLogOnClose = true
    if !isNew { try judgeHeader(database, hasLog: !wasClosedInOrder) }
    try database.script(
      """
      PRAGMA synchronous = FULL;
      PRAGMA foreign_keys = ON;
      PRAGMA trusted_schema = OFF;
      PRAGMA cell_size_check = ON;
      PRAGMA wal_autocheckpoint = \(Self.logPages);
      PRAGMA journal_size_limit = \(Self.logPages * 4_096);
      """)
    let found = try Schema.version(of: database)
    guard found <= schema.version else {
      throw .newerSchema(found: found, known: schema.version)
    }
    if lock.isExclusive, !wasClosedInOrder { try check(database, now: now) }
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

  /// Moves a store that is beyond use aside, to a name with the time, so that the next opening
  /// starts from scratch.
  /// - Returns: The path of the file that was moved.
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

  /// Returns the store's lock.
  /// - Throws: ``StorageError/busy`` while another process has the store open.
  func lockForOneself() throws(StorageError) -> StoreLock {
    try PrivateFiles.makeFolder(folders.data)
    try PrivateFiles.makeFolder(folders.state)
    let lock = try StoreLock(path: folders.database + "-lock")
    guard lock.isExclusive else { throw .busy }
    return lock
  }

  /// Gives what exists of the store another name; needs the lock.
  /// - Returns: The new path, or `nil` if there was nothing.
  func moveAside(now: Date) throws(StorageError) -> String? {
    let stamp = String(now.rfc3339.filter { $0 != ":" && $0 != "-" })
    var aside = folders.database + ".set-aside-" + stamp
    var number = 1
    while try PrivateFiles.entry(aside) != .nothing {
      number += 1
      aside = folders.database + ".set-aside-\(stamp)-\(number)"
    }
    // The log first: a database without its log is still a database, but a log must never meet
    // another database.
    var isAnythingLeft = false
    for suffix in ["-wal", "-shm", ""] {
      if rename(folders.database + suffix, aside + suffix) == 0 {
        isAnythingLeft = true
      } else if errno != ENOENT {
        throw PrivateFiles.failure("\(folders.database)\(suffix) could not be moved")
      }
    }
    // These files belong to the rows of that database, and have no row in a new one.
    let stampedSuffix = aside.dropFirst(folders.database.count)
    if rename(folders.files, folders.files + stampedSuffix) != 0, errno != ENOENT {
      throw PrivateFiles.failure("\(folders.files) could not be moved")
    }
    try PrivateFiles.synchronize(folderOf: folders.database)
    return isAnythingLeft ? aside : nil
  }

  // MARK: Checks

  /// Returns whether the store must be created.
  private func judge(wasThere: Bool) throws(StorageError) -> Bool {
    for suffix in ["", "-wal", "-shm", "-lock"] {
      _ = try PrivateFiles.entry(folders.database + suffix)
      try PrivateFiles.requireWritable(folders.database + suffix)
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

  /// Throws if the file isn't our store, or is a newer one.
  ///
  /// If there is a log, only SQLite can tell what the file means: a checkpoint may have copied the
  /// first page but not the others (fault 26). If there is none, SQLite would create one, so the
  /// first bytes are examined before SQLite reads anything.
  private func judgeHeader(_ database: Database, hasLog: Bool) throws(StorageError) {
    let isOurs: Bool
    let found: Int
    let noDatabase = StorageError.corrupt(
      detail: "\(folders.database) isn't a database, or is damaged.")
    if hasLog {
      do throws(StorageError) {
        isOurs = try Schema.applicationID(of: database) == Schema.applicationID
        found = try Schema.version(of: database)
      } catch {
        guard case .corrupt = error else { throw error }
        throw noDatabase
      }
    } else {
      let header = try database.header()
      guard header.starts(with: Array("SQLite format 3\0".utf8)) else { throw noDatabase }
      func number(at index: Int) -> Int {
        header[index..<index + 4].reduce(0) { $0 << 8 | Int($1) }
      }
      isOurs = number(at: 68) == Schema.applicationID
      found = number(at: 60)
    }
    guard isOurs else { throw .corrupt(detail: "\(folders.database) isn't a LifeSignal store.") }
    guard found <= schema.version else {
      throw .newerSchema(found: found, known: schema.version)
    }
  }

  /// Checks the store after a crash, before anything is built on it: the log is still there, and
  /// nobody uses it.
  private func check(_ database: Database, now: Date) throws(StorageError) {
    let answer = try database.quickCheck()
    guard answer != "ok" else { return }
    do { try database.rebuildIndexes(self, at: now) } catch {
      let error = StorageError.wrapping(error)
      guard error != .full, error != .busy else { throw error }
      throw .corrupt(detail: "\(folders.database) did not pass the check: \(answer).")
    }
  }

  private func copy(_ database: Database, to path: String) throws(StorageError) {
    // An older copy of the same step is from an attempt that didn't finish.
    unlink(path)
    try PrivateFiles.makeFile(path)
    try database.run("VACUUM INTO ?1", path)
  }
}

extension Database {
  /// Switches to write-ahead logging, so that readers and a writer don't wait for each other. The
  /// switch needs the file exclusively, and SQLite doesn't always wait for that by itself.
  ///
  /// Waits up to three seconds. A backup that was copied over the store while a program uses it is
  /// refused for as long as that program runs.
  fileprivate func useWriteAheadLog() throws(StorageError) {
    try script("PRAGMA busy_timeout = 0")
    defer { try? script("PRAGMA busy_timeout = 5000") }
    for _ in 0..<150 {
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
