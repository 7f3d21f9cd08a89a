package import Domain
package import FoundationEssentials
import CSQLite
import Clients
import Glibc
import Store
import Synchronization

/// The last answers of a server, in a file that only its owner can read, for times when the server
/// is away.
///
/// It never fails: a damaged file is created again, and if that can't be done, nothing is kept.
package final class PageCache: Sendable {
  /// An answer as it was received.
  package struct Page: Equatable, Sendable {
    package var etag: String?
    package var body: Data
    /// When it was requested.
    package var date: Date

    package init(etag: String?, body: Data, date: Date) {
      self.etag = etag
      self.body = body
      self.date = date
    }
  }

  package struct Limits: Sendable {
    /// The largest size of a page, in bytes.
    package var page = 4 << 20
    /// The largest size of all pages together, in bytes.
    package var total = 16 << 20
    package var age = TimeSpan.days(30)
    package init() {}
  }

  /// `@unchecked Sendable`: it is only ever used inside the mutex below, which lets one thread at a
  /// time use the connection.
  private struct State: @unchecked Sendable {
    var database: Database?
    /// Whether the file can't be used, which is found out once.
    var isGivenUp = false
  }

  private let path: String
  private let limits: Limits
  private let now: @Sendable () -> Date
  private let state = Mutex(State())

  /// Creates a cache. The file is opened at the first use.
  package init(path: String, limits: Limits = Limits(), now: @escaping @Sendable () -> Date) {
    self.path = path
    self.limits = limits
    self.now = now
  }

  /// Returns what was kept under a name, unless it is too old. A clock that was set back hides
  /// nothing: the numbers to call are needed most on a machine that has just lost its time and its
  /// network.
  /// - Parameter owner: The account that it belongs to, the only one that gets it.
  package func page(_ name: String, of owner: String) -> Page? {
    let end = now()
    return with { database throws(StorageError) in
      try database.row(
        """
        SELECT etag, body, fetched_at FROM page
        WHERE owner = ?1 AND name = ?2 AND fetched_at >= ?3
        """, owner, name, end - limits.age
      ) { row throws(StorageError) in
        let etag: String? = try row.read()
        let body: String = try row.read()
        return Page(etag: etag, body: Data(body.utf8), date: try row.read())
      }
    } ?? nil
  }

  /// Keeps a page, unless a page that was requested later is kept. A time in the future doesn't
  /// count: the clock has been set back since.
  package func keep(_ page: Page, as name: String, of owner: String) {
    guard page.body.count <= limits.page, let body = String(validating: page.body, as: UTF8.self)
    else { return remove(name, of: owner) }
    _ = with { database throws(StorageError) in
      try database.run(
        """
        INSERT INTO page (owner, name, etag, body, size, fetched_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        ON CONFLICT (owner, name) DO UPDATE
        SET etag = excluded.etag, body = excluded.body, size = excluded.size,
          fetched_at = excluded.fetched_at
        WHERE page.fetched_at <= excluded.fetched_at OR page.fetched_at > ?7
        """, owner, name, page.etag, body, page.body.count, page.date,
        now())
      try makeRoom(in: database)
    }
  }

  /// Records that a page is still the server's answer. A page is written at most once a minute,
  /// because some are requested often.
  package func confirm(_ name: String, of owner: String, at date: Date) {
    _ = with { database throws(StorageError) in
      try database.run(
        """
        UPDATE page SET fetched_at = ?3
        WHERE owner = ?1 AND name = ?2 AND (fetched_at <= ?4 OR fetched_at > ?5)
        """, owner, name, date, date - .minutes(1), now())
    }
  }

  package func remove(_ name: String, of owner: String) {
    _ = with { database throws(StorageError) in
      try database.run("DELETE FROM page WHERE owner = ?1 AND name = ?2", owner, name)
    }
  }

  /// Deletes all pages of an account, and leaves nothing of them in the files.
  package func removeAll(of owner: String) {
    _ = with { database throws(StorageError) in
      try database.run("DELETE FROM page WHERE owner = ?1", owner)
      _ = try database.value(Int.self, "PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  /// Deletes the oldest pages until the rest fits.
  private func makeRoom(in database: Database) throws(StorageError) {
    while let total = try database.optionalValue(Int.self, "SELECT sum(size) FROM page"),
      total > limits.total
    {
      try database.run(
        "DELETE FROM page WHERE key = (SELECT key FROM page ORDER BY fetched_at, key LIMIT 1)")
    }
  }

  // MARK: The file

  private func with<Value: Sendable>(
    _ body: (Database) throws(StorageError) -> Value
  ) -> Value? {
    state.withLock { state in
      // A damaged file is replaced, once.
      for _ in 0..<2 where !state.isGivenUp {
        do throws(StorageError) {
          let database = if let open = state.database { open } else { try open() }
          state.database = database
          return try body(database)
        } catch {
          if error == .busy || error == .full { return nil }
          state.database = nil
          state.isGivenUp = !Self.removeFiles(of: path)
        }
      }
      state.isGivenUp = state.database == nil
      return nil
    }
  }

  private func open() throws(StorageError) -> Database {
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    try PrivateFiles.makeFolder(folder)
    if try PrivateFiles.entry(path) == .nothing { try PrivateFiles.makeFile(path) }
    let resolved = try PrivateFiles.resolved(folder) + path.dropFirst(folder.count)
    let database = try Database(path: resolved, access: .readWrite)
    // Deleted rows are overwritten. What a power cut takes is still on the server.
    try database.script(
      """
      PRAGMA busy_timeout = 250;
      PRAGMA trusted_schema = OFF;
      PRAGMA cell_size_check = ON;
      PRAGMA secure_delete = ON;
      PRAGMA synchronous = NORMAL;
      """)
    if try database.value(Int.self, "PRAGMA user_version") != Self.version {
      _ = try database.value(String.self, "PRAGMA journal_mode = WAL")
      try database.script("BEGIN IMMEDIATE")
      // Another program may have made it in the meantime.
      let isMade = try database.value(Int.self, "PRAGMA user_version") == Self.version
      try database.script(
        isMade
          ? "COMMIT"
          : """
          DROP TABLE IF EXISTS page;
          CREATE TABLE page (
            key INTEGER PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL, etag TEXT,
            body TEXT NOT NULL, size INTEGER NOT NULL, fetched_at INTEGER NOT NULL,
            UNIQUE (owner, name)) STRICT;
          PRAGMA user_version = \(Self.version);
          COMMIT;
          """)
    }
    try database.run("DELETE FROM page WHERE fetched_at < ?1", now() - limits.age)
    return database
  }

  private static let version = 1

  /// Removes the files of a cache.
  /// - Returns: Whether none is left.
  @discardableResult
  package static func removeFiles(of path: String) -> Bool {
    ["-wal", "-shm", ""].map { unlink(path + $0) == 0 || errno == ENOENT }.allSatisfy(\.self)
  }
}
