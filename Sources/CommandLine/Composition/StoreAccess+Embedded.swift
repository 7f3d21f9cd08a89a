package import Clients
import Composable
package import Domain
package import SQLite
import System
package import FoundationEssentials

extension NameOrder {
  /// The order that this process's environment asks for.
  static let local = NameOrder(
    environment: environmentVariables(["LC_ALL", "LC_COLLATE", "LANG"]))
}

extension StoreAccess {
  /// The store in the user's folders, with a monitor beside this program.
  static let embedded = embedded(
    uptime: { .ofThisMachine }, clock: ContinuousClock(), monitor: MonitorLauncher()
  ) {
    (folders, account, waits, startMonitor) throws(StorageError) in
    try EmbeddedPlatform(
      folders: folders, uptime: { .ofThisMachine }, account: account, waits: waits,
      secretCommand: { (name: String) throws(KeychainError) in
        // If the file can't be read, there is no command.
        try (try? SettingsFile(path: folders.configuration).read())?.secretCommand(name)
      },
      startMonitor: startMonitor)
  }

  /// Opens a platform for the account with that address, or for the one that signed in last.
  package typealias PlatformOpener =
    @Sendable (
      _ folders: Folders, _ account: String?, _ waits: Bool,
      _ startMonitor: @escaping @Sendable (_ onlyIfNone: Bool) async throws(StorageError) -> Void
    ) throws(StorageError) -> EmbeddedPlatform

  /// Returns access to the store in the user's folders, or the server that this machine has joined.
  /// - Parameters:
  ///   - now: The wall clock.
  ///   - uptime: How long this machine has been running.
  ///   - clock: The clock that the app sleeps by.
  ///   - monitor: The launcher of monitors.
  ///   - isTracing: Whether each call of a client is logged.
  ///   - openPlatform: Opens the platform that provides the clients.
  package static func embedded(
    now: @escaping @Sendable () -> Date = { Date() },
    uptime: @escaping @Sendable () -> Uptime?, clock: any Clock<Duration>,
    monitor: MonitorLauncher,
    isTracing: Bool = environmentVariables(["LIFESIGNAL_LOG"])["LIFESIGNAL_LOG"] == "debug",
    openPlatform: @escaping PlatformOpener
  ) -> StoreAccess {
    var servers = ServerAccess.live(now: now, uptime: uptime)
    let own: @Sendable (Folders, String?, Bool) throws(StorageError) -> ClientProvider = {
      (folders, account, waits) throws(StorageError) in
      let platform = try openPlatform(folders, account, waits) {
        (onlyIfNone: Bool) async throws(StorageError) in
        try monitor.start(onlyIfNone: onlyIfNone, log: folders.monitorLog)
      }
      return {
        platform.install(in: &$0)
        $0.watchClient.endsWithProgram = { monitor.hasChild }
      }
    }
    servers.openHere = { (folders) throws(StorageError) in try own(folders, nil, false) }
    return StoreAccess(
      open: { [servers] (folders: Folders, account: String?, waits: Bool) throws(StorageError) in
        let install: ClientProvider
        if let server = try servers.joined(folders) {
          install = try servers.open(folders, server, nil, account)
        } else {
          install = try own(folders, account, waits)
        }
        return {
          install(&$0)
          $0.continuousClock = clock
          $0.servicesClient = ServicesClient { $0.catalog = { ServiceFiles(folders).read() } }
          $0.listNames(by: .local)
          $0.logClientCalls(isTracing: isTracing)
        }
      },
      setAside: { (folders: Folders) throws(StorageError) in
        try EmbeddedPlatform.setAside(folders: folders, now: now())
      },
      backups: { (folders: Folders) throws(StorageError) in
        try EmbeddedPlatform.backups(folders: folders, now: now())
      },
      restore: { (folders: Folders, backup: String?) throws(StorageError) in
        try EmbeddedPlatform.restore(folders: folders, backup: backup, now: now())
      },
      examine: { (folders: Folders) throws(StorageError) in
        try EmbeddedPlatform.examine(folders: folders)
      },
      servers: servers)
  }
}
