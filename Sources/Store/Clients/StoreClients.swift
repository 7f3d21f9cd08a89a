package import Clients
package import Composable
package import Cryptography
package import Domain
package import FoundationEssentials

/// The clients of a store for one session: everything a person asks for, with the gate in front of
/// what weakens help. Hashes are computed outside the store.
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

  /// Returns the clients of another session on the same store.
  package func with(_ session: any StoreSession) -> StoreClients {
    StoreClients(store.with(session), session, hashing, startMonitor)
  }

  /// Installs every client that uses the store, and the clock.
  package func install(in values: inout DependencyValues) {
    for install in Self.installs.values { install(self, &values) }
    values.dateClient.now = store.now
    values.dateClient.judgement = { [clock = store.lane.storeClock] in clock.judgement }
  }

  /// Installs only the client with a name, for a caller that needs no other.
  package func install(_ client: String, in values: inout DependencyValues) {
    Self.installs[client]?(self, &values)
  }

  private static let installs: [String: @Sendable (StoreClients, inout DependencyValues) -> Void] =
    [
      "AuthClient": { $1.authClient = $0.authClient },
      "UserClient": { $1.userClient = $0.userClient },
      "CheckInClient": { $1.checkInClient = $0.checkInClient },
      "ContactsClient": { $1.contactsClient = $0.contactsClient },
      "InvitationClient": { $1.invitationClient = $0.invitationClient },
      "ChannelsClient": { $1.channelsClient = $0.channelsClient },
      "AlertClient": { $1.alertClient = $0.alertClient },
      "ResponseClient": { $1.responseClient = $0.responseClient },
      "PingClient": { $1.pingClient = $0.pingClient },
      "NotificationClient": { $1.notificationClient = $0.notificationClient },
      "WatchClient": { $1.watchClient = $0.watchClient },
      "StandbyClient": { $1.standbyClient = $0.standbyClient },
      "MonitorClient": { $1.monitorClient = $0.monitorClient },
      "FallbackClient": { $1.fallbackClient = $0.fallbackClient },
      "StorageClient": { $1.storageClient = $0.storageClient },
      "TransferClient": { $1.transferClient = $0.transferClient },
      "DocumentsClient": { $1.documentsClient = $0.documentsClient },
      "FileStorageClient": { $1.fileStorageClient = $0.fileStorageClient },
      "UserProfileClient": { $1.userProfileClient = $0.userProfileClient },
    ]

  /// Creates another account beside the signed-in one, for tests of a monitor that watches several.
  package func openFurtherAccount(_ new: NewAccount) async throws(ClientError) -> User {
    try await store.openFurtherAccount(new)
  }

  private var watchClient: WatchClient {
    WatchClient {
      $0.status = { () async throws(StorageError) in try await store.watchStatus() }
      $0.observe = { store.observe { try $0.watchStatus() } }
      $0.readiness = { () async throws(StorageError) in try await store.watchReadiness() }
      $0.start = { () async throws(StorageError) in
        // A store that can't be read needs a monitor as much as any other.
        let status = try? await store.watchStatus()
        guard status.map({ $0.monitors == 0 }) ?? true else { return }
        try await startMonitor(true)
      }
      $0.startAnother = { () async throws(StorageError) in try await startMonitor(false) }
      $0.retryMail = { () async throws(StorageError) in try await store.retryMail() }
    }
  }
}
