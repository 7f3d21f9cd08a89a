import Clients
import FoundationEssentials
@testable import PostgreSQL
import PostgresTesting
import Store
import Testing

@Suite("Faults of the connection to PostgreSQL", .needsPostgreSQL, .timeLimit(.minutes(2)))
struct FaultTests {
  @Test(
    "If the answer to a COMMIT is lost, trying again stores the row exactly once")
  func lostAnswers() throws {
    let fixture = try Fixture()
    let proxy = try FaultyProxy(to: fixture.database.socket)
    defer { proxy.close() }
    let way = fixture.database.connection(as: .server, throughPort: proxy.port)
    let eye = try fixture.connect()
    var connection = try Fixture.connect(way)
    var (acknowledged, unknown) = (0, 0)
    func store(_ number: Int) throws {
      try connection.transaction(.serializable) {
        try connection.run(
          """
          INSERT INTO document (account, collection, id, version, json)
          VALUES (?1, 'c', 'x', 1, '{}') ON CONFLICT DO NOTHING
          """, number)
        return
      }
    }
    for number in 0..<200 {
      proxy.set(number % 2 == 0 ? .cutAfterCommit : .cutBeforeCommit)
      do {
        try store(number)
        acknowledged += 1
      } catch {
        #expect(error as? StorageError == .unknownOutcome)
        unknown += 1
        let stored = try eye.value(
          Int.self, "SELECT count(*) FROM document WHERE account = ?1", number)
        #expect(stored == (number % 2 == 0 ? 1 : 0))
      }
      #expect(connection.hasFailed)
      proxy.set(nil)
      connection = try Fixture.connect(way)
      try store(number)
    }
    #expect(acknowledged == 0 && unknown == 200)
    #expect(try eye.count("document") == 200)
  }

  @Test("A transaction whose connection is cut stores nothing and marks the connection as failed")
  func cut() throws {
    let fixture = try Fixture()
    let proxy = try FaultyProxy(to: fixture.database.socket)
    defer { proxy.close() }
    let connection = try Fixture.connect(
      fixture.database.connection(as: .server, throughPort: proxy.port))
    let administrator = try PostgresConnection(fixture.database.connection(as: .postgres))
    #expect(throws: StorageError.self) {
      try connection.transaction(.serializable) {
        try connection.addChange(1)
        try administrator.script(
          """
          SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity
          WHERE datname = current_database() AND usename = 'server' AND state LIKE 'idle in%'
          """)
        try connection.addChange(2)
      }
    }
    #expect(connection.hasFailed)
    #expect(try fixture.connect().count("change") == 0)
  }

  @Test("Statements and connecting time out if the server doesn't answer")
  func blackHole() throws {
    let fixture = try Fixture()
    let proxy = try FaultyProxy(to: fixture.database.socket)
    defer { proxy.close() }
    let way = fixture.database.connection(as: .server, throughPort: proxy.port)
    // Long enough to connect on a busy machine.
    let connection = try Fixture.connect(way, longestWait: .seconds(2))
    proxy.set(.blackHole)
    let start = ContinuousClock.now
    #expect(throws: StorageError.self) { try connection.count("change") }
    #expect(connection.hasFailed)
    // The connection sends nothing more, and a new one times out.
    #expect(throws: StorageError.self) { try connection.count("change") }
    #expect(throws: StorageError.self) {
      try Fixture.connect(way, longestWait: .milliseconds(400))
    }
    #expect(ContinuousClock.now - start < .seconds(10))
  }

  @Test("A killed server restarts with every acknowledged transaction; new connections work again")
  func killed() async throws {
    let server = try PostgresServer()
    let database = try server.makeDatabase()
    var connection = try Fixture.connect(database.connection(as: .server))
    var acknowledged = 0
    for round in 0..<3 {
      for number in 0..<20 {
        try connection.transaction(.serializable) { try connection.addChange(round * 20 + number) }
        acknowledged += 1
      }
      server.kill()
      // The server process behind the connection takes a moment to exit.
      #expect(throws: StorageError.self) {
        for _ in 0..<100_000 { _ = try connection.count("change") }
      }
      #expect(connection.hasFailed)
      #expect(throws: StorageError.self) { try Fixture.connect(database.connection(as: .server)) }
      try server.start()
      connection = try Fixture.connect(database.connection(as: .server))
      #expect(try connection.count("change") == acknowledged)
    }
  }
}
