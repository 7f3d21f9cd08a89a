import Clients
import Domain
import EmbeddedPlatform
import FoundationEssentials

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
        $0.logClientFailures()
      }
    },
    setAside: { (folders: Folders) throws(StorageError) in
      try EmbeddedPlatform.setAside(folders: folders, now: Date())
    },
    backups: { (folders: Folders) throws(StorageError) in
      try EmbeddedPlatform.backups(folders: folders)
    },
    restore: { (folders: Folders, backup: String?) throws(StorageError) in
      try EmbeddedPlatform.restore(folders: folders, backup: backup, now: Date())
    },
    examine: { (folders: Folders) throws(StorageError) in
      try EmbeddedPlatform.examine(folders: folders)
    })
}
