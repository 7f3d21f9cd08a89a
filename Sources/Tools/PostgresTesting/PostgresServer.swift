import FoundationEssentials
import Glibc
package import PostgreSQL
import Processes
import Store
import Synchronization

/// A private PostgreSQL server in a temporary folder, on a Unix socket. It disappears with this
/// process, however that ends.
///
/// It runs without `fsync` unless durability is measured, because its data need not survive the
/// machine. It uses Debian's programs, as another user if this process is root's, because they
/// refuse to run as root.
package final class PostgresServer: Sendable {
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  /// The server shared by everything in this process.
  package static let shared = Result { try PostgresServer() }

  /// The folder of the newest version's programs; `nil` if PostgreSQL is not installed.
  package static let programs: String? = {
    let versions =
      (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    return versions.compactMap(Int.init).sorted().last.map { "/usr/lib/postgresql/\($0)/bin" }
  }()

  /// Why tests can't use PostgreSQL; `nil` if they can, or if they must (`CI=true`).
  package static let absence: String? = {
    if programs != nil || getenv("CI").map({ String(cString: $0) }) == "true" { return nil }
    print("PostgreSQL is not installed (Debian's package postgresql): its tests are skipped.")
    return "PostgreSQL is not installed"
  }()

  /// The folder of its socket.
  package let folder: String
  private let programs: String
  private let isDurable: Bool
  private let user: (id: uid_t, group: gid_t)?
  private struct Contents {
    var guardian: (pid: pid_t, pipe: Int32)?
    var made = 0
    var free: [String] = []
    /// Those whose tables a newer program has migrated.
    var freeOfTomorrow: [String] = []
    /// The connections that empty databases, by database. A new connection costs more than
    /// emptying.
    var cleaners: [String: PostgresConnection] = [:]
  }
  private let contents = Mutex(Contents())

  private static let template = "lifesignal"

  /// - Parameter isDurable: Whether commits are on disk when acknowledged, as in production.
  package init(isDurable: Bool = false) throws {
    self.isDurable = isDurable
    guard let programs = Self.programs else {
      throw Failure(description: "PostgreSQL is not installed")
    }
    self.programs = programs
    // In memory if the tests' files are. What is measured is on a disk.
    let parent = isDurable ? "/tmp" : FileManager.default.temporaryDirectory.path
    var template = Array("\(parent)/lifesignal-pg-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Failure(description: "there is no folder") }
    folder = String(cString: made)
    user = getuid() == 0 ? try Self.otherUser() : nil
    if let user { chown(folder, user.id, user.group) }
    let status = Launch.wait(
      for: try spawn([
        programs + "/initdb", "-D", folder + "/data", "-U", "postgres", "-A", "trust", "-E", "UTF8",
        "--no-locale", "--no-sync",
      ]))
    guard status == 0 else { throw Failure(description: "initdb failed: see \(folder)/log") }
    try start()
    try PostgresConnection(administrator).script("CREATE DATABASE \(Self.template)")
    _ = try PostgresPlatform.migrate(connection("postgres", Self.template))
    try PostgresConnection(administrator).script(
      "CREATE ROLE server LOGIN IN ROLE ls_server; CREATE ROLE monitor LOGIN IN ROLE ls_monitor")
  }

  /// Returns Debian's user for PostgreSQL, or nobody.
  private static func otherUser() throws -> (uid_t, gid_t) {
    for name in ["postgres", "nobody"] {
      if let found = getpwnam(name) { return (found.pointee.pw_uid, found.pointee.pw_gid) }
    }
    throw Failure(description: "there is no other user to run PostgreSQL as")
  }

  // MARK: Running

  /// Starts the server, and waits until it answers.
  package func start() throws {
    let options = [
      "listen_addresses=", "unix_socket_directories=\(folder)",
      "fsync=\(isDurable ? "on" : "off")", "full_page_writes=\(isDurable ? "on" : "off")",
      "max_connections=400", "shared_buffers=64MB", "deadlock_timeout=100ms", "jit=off",
      "autovacuum=\(isDurable ? "on" : "off")", "wal_level=minimal", "max_wal_senders=0",
      "log_min_messages=fatal",
    ].flatMap { ["-c", $0] }
    // A line on the pipe kills the server at once. When this process ends the pipe closes, which
    // stops the server and deletes its folder.
    let script = """
      "$@" & server=$!
      if read -r _; then kill -9 $server; wait $server
      else kill -QUIT $server; wait $server; rm -rf "\(folder)"; fi
      """
    for _ in 0..<10 {
      guard let pipe = openPipe() else { throw Failure(description: "there is no pipe") }
      let pid = try spawn(
        ["/bin/sh", "-c", script, "guardian", programs + "/postgres", "-D", folder + "/data"]
          + options, input: pipe.reading)
      close(pipe.reading)
      for turn in 0..<500 {
        if (try? PostgresConnection(administrator)) != nil {
          contents.withLock { $0.guardian = (pid, pipe.writing) }
          return
        }
        usleep(20_000)
        // The server gives up if a killed predecessor is still there.
        if turn > 50, access(folder + "/data/postmaster.pid", F_OK) != 0 { break }
      }
      end((pid, pipe.writing))
    }
    throw Failure(description: "PostgreSQL does not start: see \(folder)/log")
  }

  /// Kills the server, as a power failure would.
  package func kill() {
    let running = contents.withLock { contents in
      contents.cleaners = [:]
      return contents.guardian.take()
    }
    guard let guardian = running else { return }
    end(guardian)
  }

  private func end(_ guardian: (pid: pid_t, pipe: Int32)) {
    write(guardian.pipe, "\n", 1)
    close(guardian.pipe)
    Launch.wait(for: guardian.pid)
  }

  /// Runs a program as the server's user.
  private func spawn(_ words: [String], input: Int32? = nil) throws -> pid_t {
    var words = words
    if let user {
      words =
        ["/usr/bin/setpriv", "--reuid=\(user.id)", "--regid=\(user.group)", "--clear-groups", "--"]
        + words
    }
    let launch = Launch(
      words[0], Array(words.dropFirst()),
      environment: ["PATH=/usr/bin:/bin", "LC_ALL=C", "TZ=UTC"],
      files: [
        STDIN_FILENO: input.map { .descriptor($0) } ?? .null,
        STDOUT_FILENO: .path(folder + "/log", O_WRONLY | O_CREAT | O_APPEND, mode: 0o644),
        STDERR_FILENO: .descriptor(STDOUT_FILENO),
      ],
      // Ctrl-C mustn't kill the shell that cleans up.
      group: .own)
    do { return try launch.start() } catch {
      throw Failure(description: "\(words[0]) does not run: \(error.reason)")
    }
  }

  // MARK: Databases

  package func connection(_ user: String, _ database: String) -> ConnectionString {
    ConnectionString("host=\(folder) user=\(user) dbname=\(database)")
  }

  private var administrator: ConnectionString { connection("postgres", "postgres") }

  /// Returns an empty store whose tables a program of tomorrow has migrated, beside which today's
  /// goes on.
  package func makeDatabaseOfTomorrow() throws -> PostgresDatabase {
    if let name = contents.withLock({ $0.freeOfTomorrow.popLast() }) {
      return PostgresDatabase(self, name: try emptied(name), isOfTomorrow: true)
    }
    let database = try makeDatabase()
    try database.migrateToTomorrow()
    return database
  }

  /// Returns an empty store in its own database, which is reused once the caller releases it.
  package func makeDatabase() throws -> PostgresDatabase {
    let used = contents.withLock { $0.free.isEmpty ? nil : $0.free.removeFirst() }
    if let used { return PostgresDatabase(self, name: try emptied(used)) }
    let name = contents.withLock { contents in
      contents.made += 1
      return "store\(contents.made)"
    }
    // PostgreSQL copies a template for only one database at a time.
    try Self.copying.withLock { _ in
      try PostgresConnection(administrator).script(
        "CREATE DATABASE \(name) TEMPLATE \(Self.template)")
    }
    // Rights on the database itself are not copied.
    try PostgresConnection(administrator).script(
      "GRANT CONNECT ON DATABASE \(name) TO ls_server, ls_monitor")
    return PostgresDatabase(self, name: name)
  }

  private func emptied(_ name: String) throws -> String {
    try contents.withLock { contents in
      if (try? contents.cleaners[name]?.script(Self.emptying)) == nil {
        let cleaner = try PostgresConnection(connection("postgres", name))
        try cleaner.script(Self.emptying)
        contents.cleaners[name] = cleaner
      }
      return name
    }
  }

  fileprivate func take(back name: String, isOfTomorrow: Bool) {
    contents.withLock {
      if isOfTomorrow { $0.freeOfTomorrow.append(name) } else { $0.free.append(name) }
    }
  }

  private static let copying = Mutex(())
  /// Ends all other connections, and deletes all rows.
  private static let emptying = """
    DO $$
    DECLARE name text; hasRows boolean;
    BEGIN
      WHILE (SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()) > 0 LOOP
        PERFORM pg_sleep(0.002);
        PERFORM pg_stat_clear_snapshot();
      END LOOP;
      FOR name IN SELECT tablename FROM pg_tables
        WHERE schemaname = 'lifesignal' AND tablename <> 'lifesignal_meta' LOOP
        EXECUTE format('SELECT EXISTS (SELECT 1 FROM lifesignal.%I)', name) INTO hasRows;
        IF hasRows THEN EXECUTE format('DELETE FROM lifesignal.%I', name); END IF;
      END LOOP;
    END $$
    """
}

/// A database with an empty store, reused when this object is released.
package final class PostgresDatabase: Sendable {
  private let home: PostgresServer
  private let name: String
  private let isOfTomorrow: Mutex<Bool>

  fileprivate init(_ home: PostgresServer, name: String, isOfTomorrow: Bool = false) {
    self.home = home
    self.name = name
    self.isOfTomorrow = Mutex(isOfTomorrow)
  }

  deinit { home.take(back: name, isOfTomorrow: isOfTomorrow.withLock { $0 }) }

  /// The role that tests connect as: a server, a monitor, or the superuser.
  package enum User: String { case server, monitor, postgres }

  package func connection(as user: User) -> ConnectionString {
    home.connection(user.rawValue, name)
  }

  /// Returns a connection through a local port that forwards to the socket.
  package func connection(as user: User, throughPort port: UInt16) -> ConnectionString {
    ConnectionString(
      "host=127.0.0.1 port=\(port) sslmode=disable user=\(user.rawValue) dbname=\(name)")
  }

  /// Migrates the tables as a program of tomorrow does beside which today's goes on.
  package func migrateToTomorrow() throws {
    isOfTomorrow.withLock { $0 = true }
    _ = try PostgresPlatform.migrate(connection(as: .postgres), further: [Self.tomorrow])
  }

  private static let tomorrow = """
    -- runs: \(StoreSchema.scripts.count)
    CREATE TABLE tomorrow (
      key INTEGER PRIMARY KEY,
      account INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE,
      what TEXT
    ) STRICT;
    ALTER TABLE account ADD COLUMN tomorrow TEXT;
    ALTER TABLE delivery ADD COLUMN tomorrow INTEGER;
    CREATE INDEX account_tomorrow ON account (tomorrow);
    """

  package var socket: String { home.folder + "/.s.PGSQL.5432" }
}
