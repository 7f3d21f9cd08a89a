import Clients
import Composable
import Delivery
import Domain
import FoundationEssentials
import Glibc
import Monitor
import SQLite
import System

/// Opening a person's own store, in whatever state it is.
extension MonitorTool {
  /// Opens the store. A monitor that watches goes on with one that can only be read. If the store is
  /// damaged, it waits until it is restored, and in the meantime notifies everyone the store still
  /// names. With `--wait` it also waits for a store that isn't there yet.
  /// - Parameter isAlone: Returns whether no other monitor runs here.
  /// - Returns: `nil` if another monitor waits already and this one isn't needed.
  func openWhenPossible(
    _ folders: Folders, _ file: ConfigurationFile, _ arguments: Arguments,
    ofServer isOfServer: Bool, isAlone: () -> Bool
  ) async throws(MonitorFailure) -> DependencyValues? {
    var notice: Task<Void, Never>?
    defer { notice?.cancel() }
    var said: String?
    let service = ServiceManager(environment: variables)
    let client = EmbeddedPlatform.damagedStoreClient(folders: folders)
    while true {
      let failure: MonitorFailure
      do { return try await open(folders, file) } catch { failure = error }
      guard case .watch(let options) = arguments else { throw failure }
      let waits = options.contains(.wait)
      var pause = Duration.seconds(5)
      switch failure.kind {
      case .other: throw failure
      case .unwritableStore:
        if let clients = try? await open(folders, file, waits: true) {
          StandardErrorLog.write("error \(failure.reason) Watching with what can be read.")
          return clients
        }
        guard waits else { throw failure }
      case .noAccount, .missingStore:
        guard waits else { throw failure }
      case .damagedStore:
        // Nothing can be read from a file that isn't a store. A backup may still name the people to
        // call for an alert that waits in a file.
        if notice == nil, !waits, await !client.hasReadablePeople(),
          await client.calls(now()).isEmpty
        {
          throw failure
        }
        pause = .seconds(30)
      }
      if options.contains(.ifNone), !isAlone() { return nil }
      if failure.kind == .damagedStore, notice == nil, client.claimCalls() {
        StandardErrorLog.write("error \(failure.reason) Nobody is being watched.")
        notice = task(client, file, folders, isOfServer: isOfServer) {
          async let calls: Void = $0.sendCalls()
          await $0.send()
          await calls
        }
      } else if failure.kind == .missingStore, notice == nil {
        // A backup may name the people to call.
        notice = task(client, file, folders, isOfServer: isOfServer) { await $0.sendCalls() }
      }
      if said != failure.reason, failure.kind != .damagedStore {
        StandardErrorLog.write("warning \(failure.reason) Waiting for the store.")
        said = failure.reason
      }
      service?.notify([.ready, .watchdog, .status("nobody is being watched: \(failure.reason)")])
      guard (try? await clock.sleep(for: pause)) != nil else { throw failure }
    }
  }

  /// Starts to notify people without an open store.
  private func task(
    _ client: DamagedStoreClient, _ file: ConfigurationFile, _ folders: Folders,
    isOfServer: Bool, _ body: @escaping @Sendable (DamageNotice<Time>) async -> Void
  ) -> Task<Void, Never> {
    var clients = DependencyValues()
    clients.dateClient.now = now
    let deliveryService = ChannelDeliveryService(
      file: file,
      secret: { (name: String) async throws(KeychainError) in
        try await EmbeddedPlatform.secret(name, folders: folders) {
          (name: String) throws(KeychainError) in
          try file.current().saved.secretCommand(name)
        }
      }, dateClient: clients.dateClient, password: password, services: ServiceFiles(folders),
      isOfServer: isOfServer
    ).deliveryService
    let notice = DamageNotice(
      client: client, deliveryService: deliveryService, now: now, clock: clock,
      random: clients.withRandomNumberGenerator, log: StandardErrorLog.monitorLog)
    return Task { await body(notice) }
  }

  /// Opens the store of a user who has an account. Only the app creates accounts.
  /// - Parameter waits: Whether a store that can't be written is opened for reading.
  private func open(
    _ folders: Folders, _ file: ConfigurationFile, waits: Bool = false
  ) async throws(MonitorFailure) -> DependencyValues {
    let noAccount = MonitorFailure(
      reason: "There is no account here yet.", recovery: "Run lifesignal to create one.",
      kind: .noAccount)
    let isThere = access(folders.database, F_OK) == 0 || access(folders.storeMarker, F_OK) == 0
    guard isThere else { throw noAccount }
    var clients = DependencyValues()
    do throws(StorageError) {
      try EmbeddedPlatform(
        folders: folders, now: now, uptime: uptime, waits: waits,
        secretCommand: { (name: String) throws(KeychainError) in
          try file.current().saved.secretCommand(name)
        }
      ).install(in: &clients)
    } catch {
      throw MonitorFailure(opening: error)
    }
    // A server's accounts belong to people elsewhere, and there may be none yet.
    if access(folders.data + "/server.json", F_OK) == 0 { return clients }
    do {
      if try await clients.authClient.currentUserID() != nil { return clients }
      // A damaged index may hide the account.
      let upkeep = clients.upkeepClient
      while case .whole(isLast: false) = try await upkeep.inspect(now()) {}
      if try await clients.authClient.currentUserID() != nil { return clients }
    } catch let error as ClientError {
      if case .storage(let error) = error { throw MonitorFailure(opening: error) }
      throw MonitorFailure(error)
    } catch {
      throw MonitorFailure(StorageError.unknown(ErrorTransformer.summary(of: error)))
    }
    throw noAccount
  }
}
