import Clients
import Composable
import Cryptography
import Domain
import EmbeddedPlatform
import FoundationEssentials
import InMemoryPlatform
import Synchronization

/// The real store that a simulation runs on, as monitors and as people use it.
struct StoreUnderTest: Sendable {
  var monitor: MonitorClient
  /// How much the store holds for monitors to do.
  var load: @Sendable () async throws(StorageError) -> WatchLoad
  var open: @Sendable (NewAccount) async throws -> User
  /// The clients of the person with this address.
  var clients: @Sendable (_ email: String) throws -> DependencyValues

  init(_ world: World, folder: String) throws {
    let identities = Mutex(SeededRandom(seed: world.scenario.seed &+ 1))
    let makeUUID: @Sendable () -> UUID = { [identities = Identities(identities)] in
      identities.next()
    }
    let now: @Sendable () -> Date = { world.wall }
    var values = DependencyValues()
    switch world.scenario.store {
    case .memory:
      let platform = InMemoryPlatform(now: now, makeUUID: makeUUID, clock: NoClock())
      platform.install(in: &values)
      open = { try platform.openFurtherAccount($0) }
      clients = { email in
        var values = DependencyValues()
        platform.beside(account: email).install(in: &values)
        return values
      }
    case .sqlite:
      let folders = Folders(
        data: folder + "/data", config: folder + "/config", state: folder + "/state")
      let platform = try EmbeddedPlatform(
        folders: folders, now: now, makeUUID: makeUUID, hashing: .minimal)
      platform.install(in: &values)
      open = { try await platform.openFurtherAccount($0) }
      clients = { email in
        var values = DependencyValues()
        try EmbeddedPlatform(
          folders: folders, now: now, makeUUID: makeUUID, account: email, hashing: .minimal
        ).install(in: &values)
        return values
      }
    }
    monitor = values.monitorClient
    load = values.upkeepClient.load
  }
}

/// Identities that are the same in every run. The SQLite store makes them on its own thread, while
/// the simulation's waits for it.
private final class Identities: Sendable {
  private let random: Mutex<SeededRandom>
  init(_ random: consuming Mutex<SeededRandom>) { self.random = random }
  func next() -> UUID { random.withLock { $0.uuid() } }
}
