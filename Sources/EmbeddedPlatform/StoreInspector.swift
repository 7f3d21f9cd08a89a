import Clients
import Domain
import FoundationEssentials
import Glibc

/// Compares tables with their indexes, some rows at a time, and rebuilds indexes that differ.
///
/// SQLite believes an index: a single wrong bit in one hides a person from the monitor, and no error is
/// raised. It has a connection of its own, so that it reads what lies on the disk, and neither the watch
/// nor a check-in waits for it.
actor StoreInspector {
  /// How many rows are compared at once.
  static let pieceSize = 500

  private let file: StoreFile
  private let queue = StoreQueue()
  private var database: Database?
  /// What is left of this round.
  private var tables: [Table] = []
  /// Up to which key the first of them has been compared.
  private var last = Int.min
  /// The damage that the last look found and could not repair; it is not tried again.
  private var damage: String?
  private var isSuspicious = false

  /// A table with a key of its own, and for each of its indexes a query for a row that the index lacks.
  private struct Table {
    var name: String
    var queries: [(index: String, sql: String)]
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  init(_ file: StoreFile) { self.file = file }

  /// Compares the next rows.
  /// - Parameter isThorough: Whether all of the file is checked instead.
  func inspect(now: Date, isThorough: Bool) throws(StorageError) -> StoreInspection {
    let database = try connection()
    file.reserve.make()
    do {
      guard !isThorough, damage == nil, !isSuspicious else { return try repair(database, now: now) }
      guard try compare(database) else { return try repair(database, now: now) }
      if tables.isEmpty { try truncateLog(database) }
      return .whole(isLast: tables.isEmpty)
    } catch {
      let error = StorageError.wrapping(error)
      guard case .corrupt = error else { throw error }
      return try repair(database, now: now)
    }
  }

  /// Has all of the file checked at the next look: a backup, which reads every table, met damage.
  func suspect() { isSuspicious = true }

  private func connection() throws(StorageError) -> Database {
    if let database, !database.hasFailed, !database.hasMoved { return database }
    // Another file may have come in its place.
    if database?.hasMoved == true { damage = nil }
    (tables, last) = ([], Int.min)
    let new = try Database(
      path: try PrivateFiles.resolved(file.folders.data) + "/lifesignal.db", access: .readWrite)
    try new.script("PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF")
    database = new
    return new
  }

  // MARK: Comparing

  /// - Returns: Whether the next rows stand in every index.
  private func compare(_ database: Database) throws -> Bool {
    try database.read {
      if tables.isEmpty { tables = try Self.tables(of: database) }
      guard let table = tables.first else { return true }
      let end = try database.optionalValue(
        Int.self,
        """
        SELECT max(key) FROM (
          SELECT key FROM \(table.name) NOT INDEXED WHERE key > ?1 ORDER BY key
          LIMIT \(Self.pieceSize))
        """, last)
      guard let end else {
        (tables, last) = (Array(tables.dropFirst()), Int.min)
        return true
      }
      for query in table.queries
      where try database.value(Int.self, query.sql, last, end) != nil { return false }
      last = end
      return true
    }
  }

  /// Copies the log into the database and gives its space back, unless somebody is using it just now.
  private func truncateLog(_ database: Database) throws(StorageError) {
    try database.script("PRAGMA busy_timeout = 0")
    defer { try? database.script("PRAGMA busy_timeout = 5000") }
    do { _ = try database.value(Int.self, "PRAGMA wal_checkpoint(TRUNCATE)") } catch {
      // A disk that is full, say: the next round tries again.
      guard case .corrupt = error else { return }
      throw error
    }
  }

  private static func tables(of database: Database) throws(StorageError) -> [Table] {
    let names = try database.rows(
      """
      SELECT tables.name FROM sqlite_schema AS tables
        JOIN pragma_table_info(tables.name) AS columns
      WHERE tables.type = 'table' AND columns.name = 'key' AND columns.type = 'INTEGER'
        AND columns.pk = 1
      """
    ) { row throws(StorageError) in try row.read(String.self) }
    var tables: [Table] = []
    for name in names {
      let indexes = try database.rows(
        "SELECT name, coalesce(sql, '') FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?1",
        name
      ) { row throws(StorageError) -> (name: String, sql: String) in
        (try row.read(), try row.read())
      }
      var table = Table(name: name, queries: [])
      for index in indexes {
        guard let sql = try query(index.name, index.sql, of: name, database) else { continue }
        table.queries.append((index.name, sql))
      }
      tables.append(table)
    }
    return tables
  }

  /// A query for a key from ?1 to ?2 whose row an index lacks; `nil` for an index of expressions.
  private static func query(
    _ index: String, _ definition: String, of table: String, _ database: Database
  ) throws(StorageError) -> String? {
    let columns = try database.rows(
      "SELECT name, coll FROM pragma_index_xinfo(?1) WHERE key ORDER BY seqno", index
    ) { row throws(StorageError) -> (name: String?, collation: String) in
      (try row.read(), try row.read())
    }
    // The first by which it is found, the second by what it holds: letters of another case.
    var same: [String] = []
    for column in columns {
      guard let name = column.name else { return nil }
      same.append("held.\(name) IS listed.\(name) COLLATE \(column.collation)")
      if column.collation != "BINARY" {
        same.append("held.\(name) IS listed.\(name) COLLATE BINARY")
      }
    }
    let part = definition.ranges(of: " WHERE ").first.map { definition[$0.upperBound...] } ?? "true"
    return """
      SELECT listed.key FROM \(table) AS listed NOT INDEXED
      WHERE listed.key > ?1 AND listed.key <= ?2 AND (\(part)) AND NOT EXISTS (
        SELECT 1 FROM \(table) AS held INDEXED BY \(index)
        WHERE (\(part)) AND \(same.joined(separator: " AND ")) AND held.key = listed.key)
      LIMIT 1
      """
  }

  // MARK: Repairing

  /// Checks all of the file, and rebuilds its indexes where something is wrong. That is kept only where
  /// all of the file is in order afterwards.
  private func repair(_ database: Database, now: Date) throws(StorageError) -> StoreInspection {
    (tables, last) = ([], Int.min)
    var fault = "it cannot be read"
    do {
      fault = try database.integrityCheck()
      if let damage, damage == fault { return .damaged(fault: fault) }
      if fault != "ok" { try database.rebuildIndexes(file, at: now) }
      (damage, isSuspicious) = (nil, false)
      return fault == "ok" ? .whole(isLast: true) : .rebuilt(fault: fault)
    } catch {
      let error = StorageError.wrapping(error)
      if error == .busy { throw error }
      damage = fault
      return .damaged(fault: fault)
    }
  }
}

extension Database {
  /// Rebuilds every index from its table, after a copy of the file was laid beside it as it is, and has
  /// every account looked at again.
  ///
  /// An index holds nothing that its table does not hold. Where the file is not in order afterwards –
  /// the damage lies elsewhere, or what looked like a part of an index belongs to a table – nothing is
  /// changed.
  func rebuildIndexes(_ file: StoreFile, at now: Date) throws {
    let copy = file.folders.database + ".before-rebuild"
    unlink(copy)
    do {
      let pages = try value(Int.self, "PRAGMA page_count") ?? 0
      guard BackupFolder.freeSpace(file.folders.data) >= 2 * pages * 4_096 + BackupFolder.reserve
      else { throw StorageError.full }
      try PrivateFiles.makeFile(copy)
      try copyPages(to: try PrivateFiles.resolved(copy))
    } catch {
      // Who is not found by the index has more to lose than the copy is worth.
      unlink(copy)
    }
    do {
      try write {
        try script("REINDEX")
        let answer = try integrityCheck()
        guard answer == "ok" else { throw StorageError.corrupt(detail: answer) }
        // A store of an older schema does not know one of them.
        for change in ["swept = 0", "rebuilt_at = \(now.milliseconds)"] {
          _ = try? run("UPDATE watch SET \(change)")
        }
      }
    } catch {
      unlink(copy)
      throw error
    }
  }
}
