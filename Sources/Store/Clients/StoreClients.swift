package import Clients
package import Composable
package import Cryptography
package import Domain
package import FoundationEssentials

/// Every client over one store, for one session: what a person asks for, with the gate before
/// what weakens help, and hashes computed beside the store.
package struct StoreClients: Sendable {
  package let store: Store
  let session: any StoreSession
  let hashing: PasswordHashing
  private let startMonitor: @Sendable (_ onlyIfNone: Bool) async throws(StorageError) -> Void

  package init(
    _ lane: Lane, session: any StoreSession, makeUUID: @escaping @Sendable () -> UUID,
    hashing: PasswordHashing,
    startMonitor: @escaping @Sendable (Bool) async throws(StorageError) -> Void
  ) {
    self.init(
      Store(lane, session: session, makeUUID: makeUUID), session, hashing, startMonitor)
  }

  private init(
    _ store: Store, _ session: any StoreSession, _ hashing: PasswordHashing,
    _ startMonitor: @escaping @Sendable (Bool) async throws(StorageError) -> Void
  ) {
    self.store = store
    self.session = session
    self.hashing = hashing
    self.startMonitor = startMonitor
  }

  /// The clients of somebody else on the same store.
  package func beside(_ session: any StoreSession) -> StoreClients {
    StoreClients(store.beside(session), session, hashing, startMonitor)
  }

  /// Fills every client that reaches the store, and the clock.
  package func install(in values: inout DependencyValues) {
    values.authClient = authClient
    values.userClient = userClient
    values.checkInClient = checkInClient
    values.contactsClient = contactsClient
    values.channelsClient = channelsClient
    values.alertClient = alertClient
    values.responseClient = responseClient
    values.pingClient = pingClient
    values.notificationClient = notificationClient
    values.watchClient = watchClient
    values.standbyClient = standbyClient
    values.monitorClient = monitorClient
    values.fallbackClient = fallbackClient
    values.storageClient = storageClient
    values.transferClient = transferClient
    values.documentsClient = documentsClient
    values.fileStorageClient = fileStorageClient
    values.userProfileClient = userProfileClient
    values.dateClient.now = store.now
  }

  /// Opens one more account beside the signed-in one, for tests of a monitor that watches several.
  package func openFurtherAccount(_ new: NewAccount) async throws(ClientError) -> User {
    try await store.openFurtherAccount(new)
  }

  private var watchClient: WatchClient {
    WatchClient {
      $0.status = { [store] () async throws(StorageError) in try await store.watchStatus() }
      $0.observe = { [store] in store.observe { store in try store.watchStatus() } }
      $0.start = { [store, startMonitor] () async throws(StorageError) in
        // A store that can't be read needs to be noticed as much as any other.
        let status = try? await store.watchStatus()
        guard status.map({ $0.monitors == 0 }) ?? true else { return }
        try await startMonitor(true)
      }
      $0.startAnother = { [startMonitor] () async throws(StorageError) in
        try await startMonitor(false)
      }
    }
  }
}
