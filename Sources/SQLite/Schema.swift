import Clients
import Store

/// The versions of the schema, and how a store comes from one to the next.
struct Schema {
  /// The scripts in their order; the first makes a store from nothing.
  let scripts: [[UInt8]]

  /// “LfSg”; says in the file's header whose it is.
  static let applicationID = 0x4C66_5367

  static let current = Schema(scripts: StoreSchema.scripts)

  /// The version that this program writes.
  var version: Int { scripts.count }

  /// Brings a store up to date, each step in a transaction of its own.
  ///
  /// - Parameter copy: Called before each step of a store that was there, with the version that it
  ///   comes to.
  func migrate(_ database: Database, copy: (Int) throws(StorageError) -> Void) throws(StorageError)
  {
    // A new column has SQLite check all the others in each row; an impossible one is that person's
    // fault alone (ESC-6).
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
        throw .unknown("\(error)")
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
