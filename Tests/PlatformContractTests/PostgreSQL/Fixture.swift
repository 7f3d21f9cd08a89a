import Clients
import FoundationEssentials
import PostgresTesting
import Testing

@testable import PostgreSQL
@testable import Store

extension Trait where Self == ConditionTrait {
  /// Skips the test if PostgreSQL isn't installed.
  static var needsPostgreSQL: Self {
    .enabled(if: PostgresServer.absence == nil, "PostgreSQL is not installed")
  }
}

/// An empty store and connections to it.
struct Fixture {
  let database: PostgresDatabase

  init() throws { database = try PostgresServer.shared.get().makeDatabase() }

  func connect(
    _ user: PostgresDatabase.User = .server, clock: DatabaseClock? = nil
  ) throws -> PostgresConnection {
    try Self.connect(database.connection(as: user), clock: clock)
  }

  static func connect(
    _ string: ConnectionString, clock: DatabaseClock? = nil, longestWait: Duration = .seconds(9)
  ) throws -> PostgresConnection {
    let connection = try PostgresConnection(string, clock: clock, longestWait: longestWait)
    try PostgresSchema().check(connection)
    return connection
  }
}

extension PostgresConnection {
  /// Adds a change for an account that doesn't exist, since the table has no foreign keys.
  func addChange(_ account: Int) throws(StorageError) {
    _ = try rowsChanged(by: "INSERT INTO change (account) VALUES (?1)", account)
  }

  func count(_ table: String) throws(StorageError) -> Int {
    try value(Int.self, "SELECT count(*) FROM \(table)") ?? -1
  }

  /// Reads a number in a document row and writes it back incremented.
  func countUp(_ id: String) throws(StorageError) {
    let old = try value(Int.self, "SELECT version FROM document WHERE id = ?1", id) ?? 0
    try run(
      """
      INSERT INTO document (account, collection, id, version, json) VALUES (0, 'c', ?1, ?2, '{}')
      ON CONFLICT (account, collection, id) DO UPDATE SET version = ?2
      """, id, old + 1)
  }

  func counted(_ id: String) throws(StorageError) -> Int? {
    try value(Int.self, "SELECT version FROM document WHERE id = ?1", id)
  }
}
