import Clients
import FoundationEssentials
import PostgresTesting
import Store
import Testing

@testable import PostgreSQL

@Suite("PostgreSQL schema", .needsPostgreSQL, .timeLimit(.minutes(1)))
struct SchemaTests {
  @Test("The command migrates a database once; connecting to an older or newer schema is refused")
  func migration() throws {
    let database = try Fixture().database
    let (administrator, known) = (database.connection(as: .postgres), PostgresSchema().version)
    let outcome = try PostgresPlatform.migrate(administrator)
    #expect(outcome == (known, known))
    let connection = try PostgresConnection(administrator)
    try connection.script("UPDATE lifesignal.lifesignal_meta SET schema = 99, oldest = 99")
    defer {
      try? connection.script(
        "UPDATE lifesignal.lifesignal_meta SET schema = \(known), oldest = \(known)")
    }
    let newer = StorageError.newerSchema(found: 99, known: known)
    #expect(throws: newer) { try Fixture.connect(database.connection(as: .server)) }
    #expect(throws: newer) { try PostgresPlatform.migrate(administrator) }
    try connection.script("UPDATE lifesignal.lifesignal_meta SET schema = \(known - 1)")
    #expect(throws: StorageError.self) { try Fixture.connect(database.connection(as: .server)) }
  }

  @Test("A database migrated by a newer version is used as long as its schema allows this version")
  func newerTables() throws {
    let database = try PostgresServer.shared.get().makeDatabaseOfTomorrow()
    let administrator = database.connection(as: .postgres)
    let connection = try PostgresConnection(administrator)
    let known = PostgresSchema().version
    for user in [PostgresDatabase.User.server, .monitor] {
      _ = try Fixture.connect(database.connection(as: user))
    }
    // A start that always migrates first leaves them, and what the newer program may do, alone.
    try connection.script("REVOKE DELETE ON lifesignal.tomorrow FROM ls_monitor")
    #expect(try PostgresPlatform.migrate(administrator) == (known + 1, known + 1))
    let mayDelete = try connection.value(
      Bool.self, "SELECT has_table_privilege('ls_monitor', 'lifesignal.tomorrow', 'DELETE')")
    #expect(mayDelete == false)

    // One whose change ends older programs.
    let meta = "UPDATE lifesignal.lifesignal_meta SET oldest"
    defer { try? connection.script("\(meta) = \(known)") }
    try connection.script("\(meta) = schema")
    let newer = StorageError.newerSchema(found: known + 1, known: known)
    #expect(throws: newer) { try Fixture.connect(database.connection(as: .server)) }
    #expect(throws: newer) { try PostgresPlatform.migrate(administrator) }
    // And one that says nothing of it.
    try connection.script("\(meta) = NULL")
    #expect(throws: newer) { try Fixture.connect(database.connection(as: .server)) }
  }

  @Test("The oldest version allowed to use the schema never falls, whatever later scripts allow")
  func oldest() {
    let known = PostgresSchema().version
    func oldest(_ further: String...) -> Int { PostgresSchema(further: further).oldest }
    // Older programs don't know outings, and would notify nobody of one (OUT-4).
    #expect(oldest() == 19)
    #expect(oldest("-- runs: \(known)\nCREATE TABLE a (b TEXT)") == known)
    #expect(oldest("DROP TABLE a") == known + 1)
    #expect(oldest("DROP TABLE a", "-- It adds.\n-- runs: \(known)") == known + 1)
  }

  @Test("Opening a database without tables fails and creates no tables")
  func missing() throws {
    let server = try PostgresServer.shared.get()
    let string = server.connection("postgres", "postgres")
    #expect(throws: StorageError.missing(path: "in the database")) { try Fixture.connect(string) }
    #expect(throws: StorageError.missing(path: "in the database")) { try Fixture.connect(string) }
  }

  @Test(
    "The server role can't change tables, schemas or roles or read the machine's files",
    arguments: [
      "CREATE TABLE lifesignal.x (y bigint)", "DROP TABLE lifesignal.account",
      "ALTER TABLE lifesignal.account ADD x bigint", "TRUNCATE lifesignal.change",
      "CREATE SCHEMA x", "CREATE TABLE public.x (y bigint)", "CREATE ROLE x",
      "SET ROLE ls_owner", "SET ROLE postgres", "UPDATE lifesignal.lifesignal_meta SET schema = 1",
      "GRANT ls_monitor TO server", "COPY lifesignal.account TO PROGRAM 'true'",
      "SELECT pg_read_file('/etc/passwd')", "CREATE FUNCTION x() RETURNS bigint RETURN 1",
    ])
  func server(_ attack: String) throws {
    let connection = try Fixture().connect(.server)
    #expect {
      try connection.script(attack)
    } throws: {
      if case StorageError.permissionDenied = $0 { true } else { false }
    }
  }

  @Test(
    "The monitor role can't read passwords, sessions or files or change tables",
    arguments: [
      "SELECT password FROM lifesignal.account", "SELECT gate FROM lifesignal.account",
      "SELECT * FROM lifesignal.account", "UPDATE lifesignal.account SET password = 'x'",
      "UPDATE account SET password = 'x'", "SELECT token FROM lifesignal.session",
      "DELETE FROM lifesignal.session", "SELECT * FROM lifesignal.wrong_tries",
      "SELECT code FROM lifesignal.reset_code", "SELECT bytes FROM lifesignal.blob_part",
      "SELECT roles FROM lifesignal.invite",
      "CREATE TABLE lifesignal.x (y bigint)", "DROP VIEW lifesignal_watch.account",
      "TRUNCATE lifesignal.change", "SET ROLE ls_owner", "SET ROLE ls_server",
      "CREATE OR REPLACE VIEW lifesignal_watch.account AS SELECT * FROM lifesignal.account",
      "INSERT INTO lifesignal.account SELECT * FROM lifesignal.account",
    ])
  func monitor(_ attack: String) throws {
    let connection = try Fixture().connect(.monitor)
    #expect(throws: StorageError.self) { try connection.script(attack) }
  }

  @Test("The monitor role sees only that a password is set, and can update other columns")
  func maskedAccount() throws {
    let fixture = try Fixture()
    let server = try fixture.connect(.server)
    try server.run(
      """
      INSERT INTO account (id, is_local, name, note, interval, grace, reminders, check_in_sequence,
        last_check_in, created_at, password, gate)
      VALUES (?1, 1, 'Ida', '', 86400, 900, '[]', 0, 0, 0, '$argon2id$secret', NULL)
      """, UUID())
    let monitor = try fixture.connect(.monitor)
    let seen = try monitor.row("SELECT password, gate, name FROM account") {
      row throws(StorageError) in
      [try row.read(String?.self), try row.read(String?.self), try row.read(String?.self)]
    }
    #expect(seen == ["*", nil, "Ida"])
    #expect(try monitor.rowsChanged(by: "UPDATE account SET attention_at = 5") == 1)
    #expect(try server.value(Int.self, "SELECT attention_at FROM account") == 5)
    #expect(try server.value(String.self, "SELECT password FROM account") == "$argon2id$secret")
  }

  @Test("A database login without a LifeSignal role can't read any table")
  func stranger() throws {
    let fixture = try Fixture()
    let administrator = try PostgresConnection(fixture.database.connection(as: .postgres))
    let isThere = try administrator.value(
      Int.self, "SELECT 1 FROM pg_roles WHERE rolname = 'stranger'")
    if isThere == nil { try administrator.script("CREATE ROLE stranger LOGIN") }
    try administrator.script("SET ROLE stranger")
    for table in ["account", "change", "lifesignal_meta"] {
      #expect(throws: StorageError.self) {
        try administrator.script("SELECT * FROM lifesignal.\(table)")
      }
    }
  }

  @Test(
    "SQLite statements are translated to PostgreSQL",
    arguments: [
      (
        "SELECT a FROM t INDEXED BY i CROSS JOIN u ON u.a = ?1",
        "SELECT a FROM t  JOIN u ON u.a = $1"
      ),
      ("x GLOB '*_a:*' AND y = '?1'", "x ~ '^.*_a[:].*$' AND y = '?1'"),
      (
        "FROM json_each(?2) AS listed",
        "FROM unnest(translate($2, '[]', '{}')::bigint[]) AS listed(value)"
      ),
    ])
  func words(_ sqlite: String, _ postgres: String) {
    // The second time, the translation is cached.
    for _ in 1...2 { #expect(SQLTranslation.statement(sqlite) == postgres) }
  }

  @Test("A SQLite schema script is translated to PostgreSQL tables")
  func script() {
    let script = """
      -- It's a table; of one's own.
      CREATE TABLE t (
        key INTEGER PRIMARY KEY, -- counted
        owner INTEGER PRIMARY KEY REFERENCES u (key),
        one INTEGER PRIMARY KEY CHECK (one = 1),
        mail TEXT COLLATE NOCASE CHECK (mail LIKE '%;_@_%'),
        list TEXT CHECK (list GLOB '[[]*]')
      ) STRICT, WITHOUT ROWID;
      UPDATE t SET key = 1;
      """
    let made = """
      CREATE TABLE t (
        key bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,\(" ")
        owner bigint PRIMARY KEY REFERENCES u (key),
        one bigint PRIMARY KEY CHECK (one = 1),
        mail TEXT COLLATE NOCASE CHECK (mail COLLATE "C" LIKE '%;_@_%'),
        list TEXT CHECK (list ~ '^[[].*[]]$')
      )
      """
    #expect(SQLTranslation.schema(script, isNew: true) == [made])
    #expect(SQLTranslation.schema(script, isNew: false).last == "UPDATE t SET key = 1")
  }

  @Test("Printing a connection string never shows its password")
  func description() {
    let string = ConnectionString(" postgres://u:hidden@h/d\n")
    #expect(string.text == "postgres://u:hidden@h/d")
    var dumped = ""
    dump(string, to: &dumped)
    #expect(!"\(string) \(String(reflecting: string)) \(dumped)".contains("hidden"))
  }
}
