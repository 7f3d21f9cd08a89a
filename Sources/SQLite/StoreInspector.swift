import Clients
import Domain
import FoundationEssentials
import Glibc
import Store

/// Compares tables with their indexes, some rows at a time, and rebuilds indexes that differ.
///
/// SQLite trusts an index: a single wrong bit in one hides a person from the monitor, without any
/// error. The inspector has its own connection, so that it reads what is on the disk, and neither
/// the watch nor a check-in waits for it.
actor StoreInspector {
  /// The number of rows that are compared at once.
  static let pieceSize = 500

  private let file: StoreFile
  private let thread = StoreThread()
  private var database: Database?
  /// The tables that are left in this round.
  private var tables: [Table] = []
  /// The key up to which the first of them has been compared; empty at its beginning.
  private var last: [SQLValue] = []
  /// The damage that the last inspection found and could not repair; it isn't tried again.
  private var damage: String?
  private var isSuspicious = false
  /// Whether the indexes were rebuilt, and not all have been compared since.
  private var hasRebuilt = false

  /// A table with the indexes that repeat its contents.
  fileprivate struct Table {
    var name: String
    /// The columns that identify a row: its `rowid`, or its primary key.
    var key: [String]
    /// The clause that reads the table itself, whatever its indexes say.
    var scan: String
    var indexes: [Index] = []
  }

  fileprivate struct Index {
    var name: String
    /// The expressions that it is sorted by, with their collations.
    var parts: [(expression: String, collation: String)]
    /// The condition on the rows that it contains.
    var condition: String
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(_ file: StoreFile) { self.file = file }

  /// Compares the next rows.
  /// - Parameter isThorough: Whether the whole file is checked instead.
  func inspect(now: Date, isThorough: Bool) throws(StorageError) -> StoreInspection {
    let database = try connection()
    file.reserve.make()
    do {
      guard !isThorough, damage == nil, !isSuspicious else {
        return try repair(database, now: now, isCertain: isThorough || isSuspicious)
      }
      guard try compare(database) else {
        return try repair(database, now: now, isCertain: true)
      }
      if tables.isEmpty {
        hasRebuilt = false
        try truncateLog(database)
      }
      return .whole(isLast: tables.isEmpty)
    } catch {
      let error = StorageError.wrapping(error)
      guard case .corrupt = error else { throw error }
      return try repair(database, now: now, isCertain: true)
    }
  }

  /// Makes the next inspection check the whole file: a backup, which reads every table, met damage.
  func suspect() { isSuspicious = true }

  /// Closes its connection, until the next inspection.
  func close() { database = nil }

  private func connection() throws(StorageError) -> Database {
    if let database, !database.hasFailed, !database.hasMoved { return database }
    // Another file may have taken its place.
    if database?.hasMoved == true { damage = nil }
    (tables, last) = ([], [])
    let new = try Database(
      path: try PrivateFiles.resolved(file.folders.data) + "/lifesignal.db", access: .readWrite)
    try new.script("PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF")
    database = new
    return new
  }

  // MARK: Comparing

  /// Compares the next rows.
  /// - Returns: Whether they are in every index.
  private func compare(_ database: Database) throws -> Bool {
    try database.transaction(.read) {
      if tables.isEmpty { tables = try Self.tables(of: database) }
      guard let table = tables.first else { return true }
      var end: [SQLValue]?
      try database.visit(
        table.boundary(isFirst: last.isEmpty), values: last
      ) { row throws(StorageError) in
        // A key that isn't valid Unicode can't end a piece.
        end = try? table.key.map { _ throws(StorageError) in try row.read(SQLValue.self) }
        return end == nil
      }
      for index in table.indexes {
        let missing = try database.rows(
          table.missing(in: index, isFirst: last.isEmpty, isLast: end == nil),
          values: last + (end ?? [])
        ) { _ in true }
        guard missing.isEmpty else { return false }
      }
      if let end { last = end } else { (tables, last) = (Array(tables.dropFirst()), []) }
      return true
    }
  }

  /// Copies the log into the database and truncates it, unless anyone is using it now.
  private func truncateLog(_ database: Database) throws(StorageError) {
    try database.script("PRAGMA busy_timeout = 0")
    defer { try? database.script("PRAGMA busy_timeout = 5000") }
    do { _ = try database.value(Int.self, "PRAGMA wal_checkpoint(TRUNCATE)") } catch {
      // The disk may be full, for example: the next round tries again.
      guard case .corrupt = error else { return }
      throw error
    }
  }

  private static func tables(of database: Database) throws(StorageError) -> [Table] {
    let found = try database.rows(
      """
      SELECT name, wr FROM pragma_table_list
      WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name
      """
    ) { row throws(StorageError) -> (String, Bool) in (try row.read(), try row.read()) }
    var tables: [Table] = []
    for (name, hasNoRowID) in found {
      let indexes = try database.rows(
        """
        SELECT list.name, list.origin = 'pk', coalesce(sql, '')
        FROM pragma_index_list(?1) AS list LEFT JOIN sqlite_schema AS schema
          ON schema.type = 'index' AND schema.name = list.name
        """, name
      ) { row throws(StorageError) -> (name: String, isKey: Bool, sql: String) in
        (try row.read(), try row.read(), try row.read())
      }
      var table = Table(name: name, key: ["rowid"], scan: "NOT INDEXED")
      // The primary key of such a table is the table itself.
      if hasNoRowID, let key = indexes.first(where: \.isKey) {
        table.key = try database.rows(
          "SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk", name
        ) { row throws(StorageError) in try row.read(String.self).quoted }
        table.scan = "INDEXED BY \(key.name.quoted)"
      }
      for index in indexes where !(hasNoRowID && index.isKey) {
        table.indexes.append(try Self.index(index.name, index.sql, database))
      }
      if !table.indexes.isEmpty { tables.append(table) }
    }
    return tables
  }

  private static func index(
    _ name: String, _ definition: String, _ database: Database
  ) throws(StorageError) -> Index {
    let columns = try database.rows(
      "SELECT name, coll FROM pragma_index_xinfo(?1) WHERE key ORDER BY seqno", name
    ) { row throws(StorageError) -> (name: String?, collation: String) in
      (try row.read(), try row.read())
    }
    let expressions = listed(in: definition)
    return Index(
      name: name,
      parts: columns.enumerated().map { number, column in
        (column.name?.quoted ?? expressions[number], column.collation)
      },
      condition: definition.ranges(of: " WHERE ").first.map { String(definition[$0.upperBound...]) }
        ?? "true")
  }

  /// Returns the parts between the outer parentheses of an index's definition.
  private static func listed(in definition: String) -> [String] {
    var (parts, depth) = ([""], 0)
    for character in definition {
      if character == ")" { depth -= 1 }
      if depth == 0, character == ")" { break }
      switch character {
      case "," where depth == 1: parts.append("")
      default: if depth > 0 { parts[parts.count - 1].append(character) }
      }
      if character == "(" { depth += 1 }
    }
    return parts
  }

  // MARK: Repairing

  /// The fault when SQLite met damage and its check finds none.
  private static let overlooked = "SQLite met damage that its check overlooks"

  /// Checks the whole file, and rebuilds its indexes if something is wrong. The rebuild is kept
  /// only if the whole file is in order afterwards.
  /// - Parameter isCertain: Whether something is wrong even if the check finds nothing, such as an
  ///   entry that can't be read. If a rebuild doesn't fix that, the store is damaged.
  private func repair(
    _ database: Database, now: Date, isCertain: Bool
  ) throws(StorageError) -> StoreInspection {
    (tables, last) = ([], [])
    var fault = "it cannot be read"
    do {
      fault = try database.integrityCheck()
      if let damage, damage == fault { return .damaged(fault: fault) }
      if fault == "ok", isCertain {
        fault = Self.overlooked
        guard !hasRebuilt else {
          damage = fault
          return .damaged(fault: fault)
        }
      }
      if fault != "ok" {
        try database.rebuildIndexes(file, at: now)
        hasRebuilt = true
      }
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

extension StoreInspector.Table {
  private var keyList: String { key.joined(separator: ", ") }
  private var places: String { key.map { _ in "?" }.joined(separator: ", ") }

  /// Returns a query for the keys after a key, from the last row of a full piece on.
  func boundary(isFirst: Bool) -> String {
    """
    SELECT \(keyList) FROM \(name.quoted) \(scan) WHERE \(isFirst ? "true" : "(\(keyList)) > (\(places))")
    ORDER BY \(keyList) LIMIT -1 OFFSET \(StoreInspector.pieceSize - 1)
    """
  }

  /// Returns a query for a row after a key, up to another, that an index lacks. It reads the key
  /// from the index, because SQLite also finds entries that it can't read.
  func missing(in index: StoreInspector.Index, isFirst: Bool, isLast: Bool) -> String {
    let keys = key.enumerated()
    // The first collation finds the entry, the second compares its contents: letters may differ in
    // case.
    let same = index.parts.enumerated().flatMap { number, part in
      (part.collation == "BINARY" ? ["BINARY"] : [part.collation, "BINARY"]).map {
        "\(part.expression) IS listed.part\(number) COLLATE \($0)"
      }
    }
    return """
      SELECT 1 FROM (
        SELECT \(keys.map { "\($1) AS key\($0)" }.joined(separator: ", ")),
          \(index.parts.enumerated().map { "\($1.expression) AS part\($0)" }.joined(separator: ", "))
        FROM \(name.quoted) \(scan)
        WHERE \(isFirst ? "true" : "(\(keyList)) > (\(places))")
          AND \(isLast ? "true" : "(\(keyList)) <= (\(places))") AND (\(index.condition))
      ) AS listed WHERE (
        SELECT \(keyList) FROM \(name.quoted) INDEXED BY \(index.name.quoted)
        WHERE (\(index.condition)) AND \(same.joined(separator: " AND "))
          AND \(keys.map { "\($1) IS listed.key\($0)" }.joined(separator: " AND "))
      ) IS NOT (\(keys.map { number, _ in "listed.key\(number)" }.joined(separator: ", ")))
      LIMIT 1
      """
  }
}

extension String {
  /// The string as an SQL name.
  fileprivate var quoted: String { "\"\(self)\"" }
}

extension Database {
  /// Rebuilds every index from its table, after copying the file as it is, and makes monitors check
  /// every account again.
  ///
  /// An index contains nothing that its table doesn't. If the file isn't in order afterwards,
  /// because the damage is elsewhere or what looked like a part of an index belongs to a table,
  /// nothing is changed.
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
      // A person that the index hides has more to lose than the copy is worth.
      unlink(copy)
    }
    do {
      try transaction(.serializable) {
        try script("REINDEX")
        let answer = try integrityCheck()
        guard answer == "ok" else { throw StorageError.corrupt(detail: answer) }
        // A store of an older schema lacks one of the columns.
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
