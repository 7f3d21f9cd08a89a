import Clients
import Store

/// The versions of the schema, and the migration from each to the next.
struct Schema {
  /// The scripts in order; the first creates a store from nothing.
  let scripts: [[UInt8]]

  /// “LfSg”, which marks the file as a LifeSignal store in its header.
  static let applicationID = 0x4C66_5367

  static let current = Schema(scripts: StoreSchema.scripts)

  /// The version that this program writes.
  var version: Int { scripts.count }

  /// Migrates a store to the present version, each step in a separate transaction.
  ///
  /// - Parameter copy: Called before each step of an existing store, with the version that the step
  ///   leads to.
  func migrate(_ database: Database, copy: (Int) throws(StorageError) -> Void) throws(StorageError)
  {
    // When a column is added, SQLite checks all the others in each row; an invalid value in one is
    // that account's fault alone (ESC-6).
    try database.script("PRAGMA ignore_check_constraints = ON")
    defer { try? database.script("PRAGMA ignore_check_constraints = OFF") }
    while true {
      let found = try Self.version(of: database)
      guard found < version else { return }
      if found > 0 { try copy(found + 1) }
      do {
        try database.transaction(.serializable) {
          // Another process may have been faster.
          guard try Self.version(of: database) == found else { return }
          try database.script(String(decoding: scripts[found], as: UTF8.self))
          try database.script("PRAGMA user_version = \(found + 1)")
          if found == 0 {
            try database.script("PRAGMA application_id = \(Self.applicationID)")
          }
        }
      } catch let error as StorageError {
        throw error
      } catch {
        throw .unknown(ErrorTransformer.summary(of: error))
      }
    }
  }

  static func version(of database: Database) throws(StorageError) -> Int {
    try database.value(Int.self, "PRAGMA user_version") ?? 0
  }

  static func applicationID(of database: Database) throws(StorageError) -> Int {
    try database.value(Int.self, "PRAGMA application_id") ?? 0
  }
}
