import Clients
import Composable
import Cryptography
import DeliveryTesting
import Domain
import Foundation
import PostgreSQL
import PostgresTesting
import SQLite
import TestSupport
import Testing

/// Monitors that watch all accounts of a PostgreSQL database.
@Suite(.timeLimit(.minutes(2))) struct DatabaseTests {
  @Test(
    "ESC-3: two monitors on one database send each message exactly once",
    .enabled(if: PostgresServer.absence == nil, "PostgreSQL is not installed"))
  func two() async throws {
    let database = try PostgresServer.shared.get().makeDatabase()
    let (home, other) = (try Home(), try Home())
    let server = try SMTPServer()
    let names = "ABCDEFGHIJKL".map { "Bo\($0)" }
    var clients = DependencyValues()
    let place = PostgresPlatform(database.connection(as: .server)).makePlace()
    try EmbeddedPlatform(
      place: place.place, folders: home.folders, now: place.now, hashing: .minimal, keyring: false
    ).install(in: &clients)
    _ = try await clients.authClient.createAccount(.named("Ada", responders: names))
    try await clients.notifyResponders(at: clients.dateClient.now())
    let folder = try TemporaryFolder()
    let file = try folder.write(
      database.connection(as: .monitor).fileText, to: "database", mode: 0o600)
    for home in [home, other] { try home.configure(server) }
    let monitors = try [home, other].map { try $0.start("--database-file", file) }
    for try await status in clients.watchClient.observe() where status.monitors == 2 { break }
    _ = try await clients.alertClient.raise("Stuck")
    await server.waitForMessages(12)
    _ = try await clients.alertClient.cancel()
    await server.waitForMessages(24)
    for monitor in monitors {
      monitor.send(SIGTERM)
      #expect(await monitor.exitCode() == 0)
      #expect(!monitor.output.contains("Ada") && !monitor.output.contains("Stuck"))
    }
    let counts = Dictionary(grouping: server.accepted.flatMap(\.recipients)) { $0 }
      .mapValues(\.count)
    #expect(counts.count == 12 && counts.values.allSatisfy { $0 == 2 }, "\(counts)")
    #expect(try await clients.watchClient.status().monitors == 0)
  }

  @Test("--database-file takes only a private file; a connection string as argument is refused")
  func secrets() async throws {
    let home = try Home()
    for word in ["postgres://u:hidden@h/d", "host=h password=hidden"] {
      for arguments in [[word], ["--database-file", word]] {
        let process = try MonitorProcess(arguments, environment: home.environment)
        #expect(await process.exitCode() == 2)
        #expect(process.output.contains("write it into a file that only you can read"))
        #expect(!process.output.contains("hidden"))
      }
    }
    let folder = try TemporaryFolder()
    let file = try folder.write("host=/nowhere password=hidden", to: "database", mode: 0o644)
    let (code, output) = try await home.run("--once", "--database-file", file)
    #expect(code == 1 && output.contains("chmod 600") && !output.contains("hidden"), "\(output)")
    chmod(file, 0o600)
    let closed = try await home.run("--once", "--database-file", file)
    #expect(closed.code == 1 && closed.output.contains("can't be reached"), "\(closed.output)")
    #expect(!closed.output.contains("hidden"))
    #expect(try await home.run("--database-file").code == 2)
    #expect(try await home.run("--once", "--database-file", folder.path + "/none").code == 1)
  }
}
