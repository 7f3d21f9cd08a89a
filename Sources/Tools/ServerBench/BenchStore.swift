import Clients
import Domain
import FoundationEssentials
import Glibc
import PostgreSQL
import PostgresTesting
import SQLite
import Server
import Store

/// The store to measure: empty, in its own folder, and on disk as in production.
struct BenchStore {
  enum Engine: String { case sqlite, postgresql }

  let engine: Engine
  let folder = FileManager.default.temporaryDirectory.path + "/lifesignal-bench-\(getpid())"
  private let postgres: (server: PostgresServer, database: PostgresDatabase)?

  init(_ engine: Engine) throws {
    self.engine = engine
    guard engine == .postgresql else {
      postgres = nil
      return
    }
    let server = try PostgresServer(isDurable: true)
    postgres = (server, try server.makeDatabase())
  }

  /// Returns the lanes of another server: one for SQLite, which has one writer, and as many as in
  /// production for PostgreSQL.
  func serverLanes() throws -> [Lane] {
    guard let postgres else { return [try lane(.server)] }
    let platform = PostgresPlatform(postgres.database.connection(as: .server)).withHints
    return try (0..<ServerStore.connections).map { _ in try platform.makeLane() }
  }

  /// Returns a lane for another monitor process.
  func monitorLane() throws -> Lane { try lane(.monitor) }

  private func lane(_ user: PostgresDatabase.User) throws -> Lane {
    guard let postgres else {
      return try EmbeddedPlatform.openLane(folders: Folders(server: folder), now: { Date() })
    }
    return try PostgresPlatform(postgres.database.connection(as: user)).makeLane()
  }

  /// Returns the check-ins per second that PostgreSQL's own load generator achieves; `nil` if there
  /// is none.
  func pgbench(connections: Int, seconds: Int, accounts: ClosedRange<Int>) async throws -> Double? {
    guard let postgres, let programs = PostgresServer.programs else { return nil }
    return try await Floor.run(
      programs + "/pgbench", postgres.database.connection(as: .server).fileText,
      connections: connections, seconds: seconds, accounts: accounts)
  }

  func accountKeys() throws -> ClosedRange<Int> {
    guard let postgres else { return 0...0 }
    let connection = try PostgresConnection(postgres.database.connection(as: .server))
    let key = { (which: String) throws(StorageError) in
      try connection.value(Int.self, "SELECT \(which)(key) FROM lifesignal.account") ?? 0
    }
    return try key("min")...key("max")
  }

  func remove() { try? FileManager.default.removeItem(atPath: folder) }
}
