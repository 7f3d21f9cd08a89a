import Clients
import Domain
import EmbeddedPlatform
import FoundationEssentials

extension NameOrder {
  /// The order that the environment of this process asks for.
  static let local = NameOrder(
    environment: environmentVariables(["LC_ALL", "LC_COLLATE", "LANG"]))
}

extension StoreAccess {
  /// The store in the person's folders, with a monitor beside this program.
  static let embedded = StoreAccess(
    open: { (folders: Folders, account: String?) throws(StorageError) in
      let platform = try EmbeddedPlatform(
        folders: folders, account: account,
        startMonitor: { (onlyIfNone: Bool) async throws(StorageError) in
          try MonitorLauncher(log: folders.monitorLog).start(onlyIfNone: onlyIfNone)
        })
      return {
        platform.install(in: &$0)
        $0.listNames(by: .local)
        $0.logClientFailures()
      }
    },
    setAside: { (folders: Folders) throws(StorageError) in
      try EmbeddedPlatform.setAside(folders: folders, now: Date())
    })
}
