import Clients
import Composable
import Cryptography
import Domain
import SQLite
import FoundationEssentials
import PostgreSQL
import PostgresTesting
import Synchronization

/// The real store of a simulation, as monitors and people use it: in memory, or in files or a
/// PostgreSQL database with one connection per program.
struct StoreUnderTest: Sendable {
  private let open: @Sendable (_ email: String?) throws -> EmbeddedPlatform
  private let first: EmbeddedPlatform
  private let hasRemoteRequests: Bool
  /// The client that all monitors share if they need no separate connections.
  private let monitor: MonitorClient?
  /// The amount of work that the store holds for monitors.
  let load: @Sendable () async throws(StorageError) -> WatchLoad

  init(_ world: World, folder: String) throws {
    let identities = Identities(seed: world.scenario.seed &+ 1)
    let makeUUID: @Sendable () -> UUID = { identities.next() }
    let now: @Sendable () -> Date = { world.wall }
    let folders = Folders(
      data: folder + "/data", config: folder + "/config", state: folder + "/state")
    switch world.scenario.store {
    case .memory:
      let platform = EmbeddedPlatform.inMemory(now: now, makeUUID: makeUUID, clock: NoClock())
      open = { platform.with(account: $0) }
    case .files:
      open = { email in
        try EmbeddedPlatform(
          folders: folders, now: now, makeUUID: makeUUID, account: email, hashing: .minimal,
          runsOnCallersThread: true)
      }
    case .postgres:
      let database = try PostgresServer.shared.get().makeDatabase()
      open = { email in
        let place = PostgresPlace(
          database.connection(as: .server), clock: nil,
          spools: EmbeddedPlatform.spools(folders: folders), runsOnCallersThread: true)
        return try EmbeddedPlatform(
          place: place, folders: folders, now: now, makeUUID: makeUUID, account: email,
          hashing: .minimal, keyring: false)
      }
    }
    first = try open(nil)
    hasRemoteRequests = world.scenario.store == .memory
    let values = DependencyValues(first.install)
    load = values.upkeepClient.load
    monitor = world.scenario.store == .memory ? values.monitorClient : nil
  }

  func openAccount(_ new: NewAccount) async throws -> User {
    try await first.openFurtherAccount(new)
  }

  /// Returns the clients of the account with this address.
  func clients(_ email: String) throws -> DependencyValues { try values(email) }

  /// Returns the clients for a request that was made earlier; `nil` if the store has none.
  func clients(_ email: String, made: RequestTime) throws -> DependencyValues? {
    guard hasRemoteRequests else { return nil }
    return DependencyValues { first.with(account: email, made: made).install(in: &$0) }
  }

  /// Returns the store for another monitor.
  func makeMonitor() throws -> MonitorClient { try monitor ?? values(nil).monitorClient }

  private func values(_ email: String?) throws -> DependencyValues {
    try DependencyValues { try open(email).install(in: &$0) }
  }
}

/// Identities that are the same in every run.
private final class Identities: Sendable {
  private let random: Mutex<SplitMix64>
  init(seed: UInt64) { random = Mutex(SplitMix64(seed: seed)) }
  func next() -> UUID { random.withLock { $0.uuid() } }
}
