import Clients
import Glibc
import Store

/// Opening a store that can't be written.
extension StoreFile {
  /// Opens the store for reading: as it is; or else, where SQLite can't make the files that it needs
  /// beside it, as a copy in memory; or else without its log.
  ///
  /// Nothing notices what is written to a copy's original. A store that can be written is opened as
  /// usual, so this one is either still or lost.
  func openForReading() throws(StorageError) -> Database {
    guard try PrivateFiles.entry(folders.data) == .folder else {
      throw .missing(path: folders.database)
    }
    for suffix in ["-wal", "-shm"] { _ = try PrivateFiles.entry(folders.database + suffix) }
    guard case .file(let size) = try PrivateFiles.entry(folders.database), size > 0 else {
      throw .missing(path: folders.database)
    }
    let path = try PrivateFiles.resolved(folders.data) + "/lifesignal.db"
    do { return try checked(Database(path: path, access: .readWrite)) } catch {
      guard !error.isDamage else { throw error }
    }
    for folder in folders.volatileSpools {
      if let copy = try? openCopy(of: path, in: folder) { return copy }
    }
    return try checked(Database(path: path, access: .immutable))
  }

  /// Opens a copy of the store that has no name any more.
  func openCopy(of path: String, in folder: String) throws(StorageError) -> Database {
    try PrivateFiles.makeFolder(folder)
    let copy = try PrivateFiles.resolved(folder) + "/store-\(getpid()).db"
    defer { for suffix in ["", "-wal", "-shm"] { unlink(copy + suffix) } }
    try PrivateFiles.copy(path, to: copy)
    if try PrivateFiles.entry(path + "-wal") != .nothing {
      try PrivateFiles.copy(path + "-wal", to: copy + "-wal")
    }
    return try checked(Database(path: copy, access: .readWrite))
  }

  /// Makes sure that a database is our store, and lets nobody write it.
  private func checked(_ database: Database) throws(StorageError) -> Database {
    database.keepsLogOnClose = true
    try database.script("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF")
    guard try Schema.applicationID(of: database) == Schema.applicationID else {
      throw .corrupt(detail: "\(folders.database) isn't a LifeSignal store.")
    }
    let found = try Schema.version(of: database)
    guard found <= schema.version else {
      throw .newerSchema(found: found, known: schema.version)
    }
    // What an older program wrote can't be read before it is migrated.
    guard found == schema.version else {
      throw .unknown("the store is from an older version, and can't be updated")
    }
    return database
  }
}

extension StorageError {
  fileprivate var isDamage: Bool {
    switch self {
    case .corrupt, .missing, .newerSchema: true
    default: false
    }
  }
}
