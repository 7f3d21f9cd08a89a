import Clients
import Domain
import FoundationEssentials

extension InMemoryPlatform {
  /// Nothing here outlives the process, so that there is nothing to back up.
  var upkeepClient: UpkeepClient {
    UpkeepClient {
      $0.load = { [store] () async throws(StorageError) in store.read(\.load) }
      $0.backUp = { (_: Date) async throws(StorageError) in .notNeeded }
    }
  }
}

extension InMemoryStore.Contents {
  fileprivate var load: WatchLoad {
    WatchLoad(
      accounts: accounts.values.count { $0.user.deletedAt == nil },
      waiting: accounts.values.reduce(0) { sum, account in
        let alerts = account.alerts.map(\.alert).filter { $0.kind != .drill }
        let told = Set(alerts.map { Occasion.alert($0.id) })
        return sum
          + account.deliveries.count {
            $0.state == .pending && !told.contains($0.planned.occasion)
          }
      })
  }
}
