import CSQLite
import Clients
import Composable
import Domain
import SQLite
import FoundationEssentials

/// A store with many accounts, some of them overdue, filled in one transaction.
struct Population {
  let folders: Folders
  /// When all accounts were created, and the store's current time.
  let now: Date

  /// Creates the first account, with one responder, and copies it.
  /// - Parameter overdue: The number of people to plan and send messages for.
  init(people: Int, overdue: Int, folder: String) async throws {
    folders = Folders(
      data: folder + "/data", config: folder + "/config", state: folder + "/state")
    let now = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
    self.now = now
    let platform = try EmbeddedPlatform(folders: folders, now: { now })
    let clients = DependencyValues(platform.install)
    _ = try await clients.authClient.createAccount(
      NewAccount(
        profile: Profile(name: "Ada"),
        responders: [ContactDraft(name: "Bob", email: "bob@example.org", roles: .responder)]))
    // A monitor is already watching: a gap in the watch is not measured here.
    _ = try await clients.monitorClient.heartbeat(UUID(), now, .seconds(30), nil)
    let late = Int((now.timeIntervalSince1970 - 2 * 86_400) * 1_000)
    let early = Int(now.timeIntervalSince1970 * 1_000)
    let store = try RawStore(path: folders.database)
    try store.run("BEGIN IMMEDIATE")
    try store.run(
      """
      CREATE TEMP TABLE person AS
        WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n <= \(people))
        SELECT n FROM numbers
      """)
    let identity =
      "lower(hex(randomblob(4)) || '-0000-4000-8000-' || printf('%012x', person.n))"
    try store.copy(
      "account", from: "person",
      changes: [
        "key": "person.n", "id": identity, "code": identity, "is_local": "0", "email": "NULL",
        "grace": "0",
        "last_check_in": "iif(person.n <= \(overdue + 1), \(late), \(early) - person.n % 1000)",
        "attention_at":
          "iif(person.n <= \(overdue + 1), 0, \(early + 84_600_000) + person.n % 1000)",
      ])
    try store.copy(
      "contact", from: "person",
      changes: ["key": "person.n", "account": "person.n", "id": identity])
    try store.copy(
      "channel", from: "person",
      changes: [
        "key": "person.n", "account": "person.n", "contact": "person.n", "id": identity,
        "address": "'r' || person.n || '@d' || person.n % 97 || '.example.net'",
      ])
    try store.run("UPDATE account SET attention_at = \(early + 84_600_000) WHERE key = 1")
    try store.run("COMMIT")
    try store.run("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}

/// A connection that bypasses the platform's rules.
private final class RawStore {
  struct Failure: Error {
    var text: String
  }

  private let handle: OpaquePointer

  init(path: String) throws {
    var opened: OpaquePointer?
    guard sqlite3_open(path, &opened) == SQLITE_OK, let opened else { throw Failure(text: path) }
    handle = opened
  }

  deinit { sqlite3_close(handle) }

  func run(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw Failure(text: String(cString: sqlite3_errmsg(handle)))
    }
  }

  /// Copies a table's first row once for each row of another table, with changes.
  func copy(_ table: String, from source: String, changes: [String: String]) throws {
    var statement: OpaquePointer?
    sqlite3_prepare_v2(
      handle, "SELECT name FROM pragma_table_info('\(table)')", -1, &statement, nil)
    defer { sqlite3_finalize(statement) }
    var columns: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      columns.append(String(cString: sqlite3_column_text(statement, 0)))
    }
    let values = columns.map { changes[$0] ?? "first.\($0)" }
    try run(
      """
      INSERT INTO \(table) (\(columns.joined(separator: ", ")))
        SELECT \(values.joined(separator: ", "))
        FROM \(source), (SELECT * FROM \(table) ORDER BY key LIMIT 1) AS first
      """)
  }
}
