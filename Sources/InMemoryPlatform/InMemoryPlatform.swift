public import Clients
public import Composable
import Domain
public import FoundationEssentials

/// Every client with nothing behind it but memory: what tests, pictures and `lifesignal demo` use.
///
/// It keeps the same promises as the embedded platform, proved by the same contract suite, save that
/// nothing outlives the process.
public struct InMemoryPlatform: Sendable {
  let store: InMemoryStore
  private let startMonitor: @Sendable (_ onlyIfNone: Bool) async throws(StorageError) -> Void

  /// An empty store.
  /// - Parameters:
  ///   - now: The store's clock; it stamps check-ins.
  ///   - makeUUID: Makes the identities of what is stored.
  ///   - clock: Tells when a monitor's lease has run out, for those who observe it.
  ///   - startMonitor: Starts a monitor, for ``WatchClient/start`` one that ends at once where
  ///     another is alive.
  public init(
    now: @escaping @Sendable () -> Date,
    makeUUID: @escaping @Sendable () -> UUID = { UUID() },
    clock: any Clock<Duration> = ContinuousClock(),
    startMonitor: @escaping @Sendable (Bool) async throws(StorageError) -> Void = {
      (_: Bool) async throws(StorageError) in
    }
  ) {
    store = InMemoryStore(now: now, makeUUID: makeUUID, clock: clock)
    self.startMonitor = startMonitor
  }

  /// Another program in front of the same store.
  /// - Parameter account: The address of the account to work for; `nil` for whoever signed in last.
  public func beside(account: String? = nil) -> InMemoryPlatform {
    InMemoryPlatform(
      store: InMemoryStore(beside: store, seat: Seat(address: account)), startMonitor: startMonitor)
  }

  private init(
    store: InMemoryStore,
    startMonitor: @escaping @Sendable (Bool) async throws(StorageError) -> Void
  ) {
    self.store = store
    self.startMonitor = startMonitor
  }

  /// Fills every client that reaches a store, and the clock.
  public func install(in values: inout DependencyValues) {
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
    values.upkeepClient = upkeepClient
    values.fallbackClient = fallbackClient
    values.storageClient = storageClient
    values.transferClient = transferClient
    values.keychainClient = keychainClient
    values.documentsClient = documentsClient
    values.fileStorageClient = fileStorageClient
    values.userProfileClient = userProfileClient
    values.errorLogger = store.errorLog.client
    values.logOutboxClient = store.errorLog.makeOutbox()
    values.dateClient.now = store.now
  }

  private var watchClient: WatchClient {
    WatchClient {
      $0.status = { [store] () async throws(StorageError) in
        store.read { $0.watchStatus(at: store.now()) }
      }
      $0.observe = { [store] in
        store.observe { [now = store.now] in $0.watchStatus(at: now()) }
      }
      $0.start = { [store, startMonitor] () async throws(StorageError) in
        guard store.read({ $0.watchStatus(at: store.now()) }).monitors == 0 else { return }
        try await startMonitor(true)
      }
      $0.startAnother = { [startMonitor] () async throws(StorageError) in
        try await startMonitor(false)
      }
    }
  }
}
