import Clients
import Store

/// The tables of a store in a database, created from the same scripts as SQLite's.
struct PostgresSchema {
  /// The version that the first databases began with. The scripts up to it change existing rows in
  /// SQL that only SQLite understands.
  private static let firstVersion = 7

  private let scripts: [String]

  /// - Parameter further: Scripts of versions to come, for tests.
  init(further: [String] = []) {
    scripts = StoreSchema.scripts.map { String(decoding: $0, as: UTF8.self) } + further
  }

  /// The version that this program writes.
  var version: Int { scripts.count }

  /// The version of the oldest program that can work with these tables.
  ///
  /// A script that only adds tables, indexes and columns that may be null says so in a comment,
  /// `-- runs: 13`, and a program of that version runs beside newer ones. Every other script ends
  /// all older programs.
  var oldest: Int {
    scripts.enumerated().map { index, script in
      script.firstMatch(of: #/(?m)^-- runs: (\d+)$/#).flatMap { Int($0.1) } ?? index + 1
    }.max() ?? 0
  }

  /// Migrates a database, or creates its tables. The connection's role must be able to create
  /// roles.
  /// - Returns: The version before, 0 for none, and the present one.
  func migrate(
    _ connection: PostgresConnection
  ) throws(StorageError) -> (from: Int, to: Int) {
    do {
      return try connection.transaction(.queue) {
        // Keeps others from migrating at the same time; the lock ends with the transaction.
        try connection.script("SELECT pg_advisory_xact_lock(5022114920264785)")
        guard try connection.value(String.self, "SHOW server_encoding") == "UTF8" else {
          throw StorageError.unknown("the database's encoding isn't UTF8")
        }
        try connection.script(Self.text(PackageResources.roles_sql))
        try connection.script(Self.text(PackageResources.schemas_sql))
        try connection.script("SET LOCAL ROLE ls_owner; SET LOCAL search_path = lifesignal")
        let isThere = try connection.value(
          Bool.self, "SELECT to_regclass('lifesignal.lifesignal_meta') IS NOT NULL")
        let found = isThere == true ? try found(connection) : 0
        // Those of a newer program that this one can work with stay as they are.
        guard found <= version else { return (found, found) }
        if isThere != true { try connection.script(Self.text(PackageResources.before_sql)) }
        for (index, script) in scripts.enumerated().dropFirst(found) {
          for statement in SQLTranslation.schema(script, isNew: index < Self.firstVersion) {
            try connection.script(statement)
          }
        }
        if isThere != true { try connection.script(Self.text(PackageResources.after_sql)) }
        try connection.script(
          """
          ALTER TABLE lifesignal_meta ADD COLUMN IF NOT EXISTS oldest bigint CHECK (oldest > 0);
          UPDATE lifesignal_meta SET schema = \(version), oldest = \(oldest)
          """)
        try connection.script(Self.text(PackageResources.grants_sql))
        return (found, version)
      }
    } catch {
      throw .wrapping(error)
    }
  }

  /// Creates the roles where they are missing: they own what is in a dump.
  /// - Returns: `false` for a database that has a store already.
  static func prepareRestore(_ connection: PostgresConnection) throws(StorageError) -> Bool {
    do {
      return try connection.transaction(.queue) {
        let isThere = try connection.value(
          Bool.self, "SELECT to_regclass('lifesignal.lifesignal_meta') IS NOT NULL")
        guard isThere != true else { return false }
        try connection.script(text(PackageResources.roles_sql))
        return true
      }
    } catch { throw .wrapping(error) }
  }

  /// Checks the schema, and makes a connection find the tables that its role can use.
  /// - Throws: ``StorageError/missing(path:)`` if there are none,
  ///   ``StorageError/newerSchema(found:known:)``.
  func check(_ connection: PostgresConnection) throws(StorageError) {
    try connection.script("SET search_path = lifesignal")
    let found = try found(connection)
    guard found >= version else {
      throw .unknown(
        "the database has schema \(found), and this program needs \(version): migrate it first")
    }
    // A monitor's role has another `account`, in the schema lifesignal_watch.
    let isServer = try connection.value(
      Bool.self, "SELECT has_table_privilege('lifesignal.account', 'SELECT')")
    if isServer != true {
      try connection.script("SET search_path = lifesignal_watch, lifesignal")
    }
  }

  /// Returns the version of the tables.
  /// - Throws: ``StorageError/newerSchema(found:known:)`` if this program is too old.
  private func found(_ connection: PostgresConnection) throws(StorageError) -> Int {
    // Tables that were last migrated by a program that didn't know `oldest` lack it.
    let found = try connection.row(
      """
      SELECT schema, coalesce(CAST(to_jsonb(meta) ->> 'oldest' AS bigint), schema)
      FROM lifesignal_meta AS meta
      """
    ) { row throws(StorageError) -> (version: Int, oldest: Int) in
      (try row.read(), try row.read())
    }
    guard let found else { return 0 }
    guard found.oldest <= version else {
      throw .newerSchema(found: found.version, known: version)
    }
    return found.version
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
