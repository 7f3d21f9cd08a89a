import DeliveryTesting
import Clients
import Composable
import Domain
import SQLite
import Foundation
import Glibc
import TestSupport

/// A person's folders on this machine, with a store that a monitor program watches.
final class Home: Sendable {
  let folders: Folders
  private let folder: TemporaryFolder
  private var root: String { folder.path }

  init() throws {
    folder = try TemporaryFolder()
    let root = folder.path
    folders = Folders(
      data: root + "/data/lifesignal", config: root + "/config/lifesignal",
      state: root + "/state/lifesignal")
    try FileManager.default.createDirectory(
      atPath: folders.config, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
  }

  var environment: [String: String] {
    [
      "XDG_DATA_HOME": root + "/data", "XDG_CONFIG_HOME": root + "/config",
      "XDG_STATE_HOME": root + "/state",
    ]
  }

  /// Opens the store and returns its clients.
  func clients(now: @escaping @Sendable () -> Date = { Date() }) throws -> DependencyValues {
    var clients = DependencyValues()
    try EmbeddedPlatform(folders: folders, now: now).install(in: &clients)
    return clients
  }

  /// Creates Ada's account two days in the past, so that her deadline and grace time are over.
  func openOverdueAccount(responders: [String] = ["Bob", "Cyd"]) async throws {
    let clients = try clients(now: { Date() - 2 * 86_400 })
    _ = try await clients.authClient.createAccount(.named("Ada", responders: responders))
    try await clients.notifyResponders(at: clients.dateClient.now())
    // Pretend that a monitor has watched all along, so that nothing counts as noticed late (ESC-4).
    try change(
      """
      INSERT OR REPLACE INTO watch (key, since, last_seen)
      SELECT 1, last_check_in, \(Int(Date().timeIntervalSince1970 * 1_000)) FROM account LIMIT 1
      """)
  }

  func openAccount(responders: [String] = ["Bob", "Cyd"]) async throws {
    let clients = try clients()
    _ = try await clients.authClient.createAccount(.named("Ada", responders: responders))
    try await clients.notifyResponders(at: clients.dateClient.now())
  }

  func configure(_ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folders.configuration), options: .atomic)
  }

  func configure(_ server: SMTPServer) throws {
    try configure(
      """
      {smtp: {host: "127.0.0.1", port: \(server.port), security: "none", from: "a@example.org"}}
      """)
  }

  func start(_ arguments: String...) throws -> MonitorProcess {
    try MonitorProcess(arguments, environment: environment)
  }

  /// Starts the monitor with its log written to a descriptor.
  func start(logTo descriptor: Int32) throws -> MonitorProcess {
    try MonitorProcess([], environment: environment, log: descriptor)
  }

  /// Starts the monitor with additional environment variables.
  func start(adding variables: [String: String]) throws -> MonitorProcess {
    try MonitorProcess([], environment: environment.merging(variables) { $1 })
  }

  /// Runs the program and waits for its exit.
  func run(
    _ arguments: String..., variables: [String: String] = [:]
  ) async throws -> (code: Int32, output: String) {
    let process = try MonitorProcess(arguments, environment: environment.merging(variables) { $1 })
    return (await process.exitCode(), process.output)
  }

  /// Changes the store directly with SQL.
  func change(_ sql: String) throws {
    let python = Process()
    python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    python.arguments = [
      "python3", "-c",
      "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()",
      folders.database, sql,
    ]
    try python.run()
    python.waitUntilExit()
    guard python.terminationStatus == 0 else { throw POSIXError(.EIO) }
  }

  /// Expires the leases of a killed monitor without waiting.
  func endLeases() throws {
    try change(
      """
      UPDATE delivery SET not_before = not_before - 91000, leased_until = leased_until - 91000
      WHERE token IS NOT NULL AND state = 'pending'
      """)
    try change("UPDATE account SET attention_at = 0")
  }
}
