public import Clients
public import Composable
package import Domain
public import FoundationEssentials
import Glibc
package import Cryptography

/// Every client on one SQLite file in the person's own folders: the default.
///
/// Whoever can open the file is its person, so folders and files that others could open are refused.
/// A write returns when it is on disk. Any number of processes may use the file together; each sees
/// the others' changes within a quarter of a second.
public struct EmbeddedPlatform: Sendable {
  /// Gives the command for a secret, or says why one that is configured is not run.
  public typealias SecretCommandProvider =
    @Sendable (_ name: String) throws(KeychainError) -> SecretCommand?

  let store: SQLiteStore
  let hashing: PasswordHashing
  let errorLogPath: String
  let backups: BackupFolder
  let inspector: StoreInspector
  let secretCommand: SecretCommandProvider
  let keyring: Keyring?
  private let startMonitor: @Sendable (_ onlyIfNone: Bool) async throws(StorageError) -> Void

  /// Opens the store, or makes one where there never was any.
  ///
  /// It blocks, for up to five seconds when another process is making or migrating the store:
  /// call it before the screen is up.
  /// - Parameters:
  ///   - folders: Where the files are; made with mode 0700.
  ///   - now: The store's clock; it stamps check-ins.
  ///   - makeUUID: Makes the identities of what is stored.
  ///   - account: The address of the account to work for; `nil` for whoever signed in last.
  ///   - waits: Whether a store that can't be opened is tried again with each request, which fails
  ///     until then: an alert can be kept beside it meanwhile (ALT-7).
  ///   - secretCommand: The command that gives a secret, as `config.json5` says now.
  ///   - startMonitor: Starts a monitor, for ``WatchClient/start`` one that ends at once where
  ///     another is alive.
  /// - Throws: ``StorageError/missing(path:)``, ``StorageError/corrupt(detail:)`` and
  ///   ``StorageError/newerSchema(found:known:)`` for a store that cannot be used and was left as it
  ///   is; ``StorageError/permissionDenied(_:)`` with the mending command when others could use it.
  public init(
    folders: Folders,
    now: @escaping @Sendable () -> Date = { Date() },
    makeUUID: @escaping @Sendable () -> UUID = { UUID() },
    account: String? = nil, waits: Bool = false,
    secretCommand: @escaping SecretCommandProvider = { _ in nil },
    startMonitor: @escaping @Sendable (Bool) async throws(StorageError) -> Void = {
      (_: Bool) async throws(StorageError) in
    }
  ) throws(StorageError) {
    try self.init(
      file: StoreFile(folders), now: now, makeUUID: makeUUID, account: account, waits: waits,
      secretCommand: secretCommand,
      keyring: Keyring(store: folders.data, environment: ProcessInfo.processInfo.environment),
      startMonitor: startMonitor)
  }

  /// One whose passwords cost next to nothing, for tests.
  package init(
    folders: Folders, now: @escaping @Sendable () -> Date,
    makeUUID: @escaping @Sendable () -> UUID = { UUID() }, account: String? = nil,
    waits: Bool = false, hashing: PasswordHashing,
    startMonitor: @escaping @Sendable (Bool) async throws(StorageError) -> Void = {
      (_: Bool) async throws(StorageError) in
    }
  ) throws(StorageError) {
    try self.init(
      file: StoreFile(folders), now: now, makeUUID: makeUUID, account: account, waits: waits,
      hashing: hashing, startMonitor: startMonitor)
  }

  init(
    file: StoreFile,
    now: @escaping @Sendable () -> Date,
    makeUUID: @escaping @Sendable () -> UUID = { UUID() },
    account: String? = nil, waits: Bool = false, hashing: PasswordHashing = .moderate,
    credentials: String? = getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) },
    secretCommand: @escaping SecretCommandProvider = { _ in nil },
    keyring: Keyring? = nil,
    startMonitor: @escaping @Sendable (Bool) async throws(StorageError) -> Void = {
      (_: Bool) async throws(StorageError) in
    }
  ) throws(StorageError) {
    store = try SQLiteStore(
      file: file, secrets: SecretsFile(path: file.folders.secrets, credentials: credentials),
      seat: Seat(address: account, device: Self.hostName), waits: waits, now: now,
      makeUUID: makeUUID)
    self.hashing = hashing
    errorLogPath = file.folders.errorLog
    backups = BackupFolder(file.folders, schema: file.schema)
    inspector = StoreInspector(file)
    self.secretCommand = secretCommand
    self.keyring = keyring
    self.startMonitor = startMonitor
  }

  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "this machine" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Sets a damaged store aside, so that the next opening begins anew; for a person who chose that.
  /// - Returns: The path of the file that was set aside, or `nil` where nothing was left of it.
  /// - Throws: ``StorageError/busy`` while any process has the store open.
  public static func setAside(folders: Folders, now: Date) throws(StorageError) -> String? {
    try StoreFile(folders).setAside(now: now)
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
    values.errorLogger = errorLogger
    values.logOutboxClient = logOutboxClient
    values.dateClient.now = store.now
  }

  /// Opens one more account beside the signed-in one, for tests of a monitor that watches several.
  package func openFurtherAccount(_ new: NewAccount) async throws(AuthError) -> User {
    try await store.openFurtherAccount(new)
  }

  private var watchClient: WatchClient {
    WatchClient {
      $0.status = { [store] () async throws(StorageError) in try await store.watchStatus() }
      $0.observe = { [store] in store.observe { store in try store.watchStatus() } }
      $0.start = { [store, startMonitor] () async throws(StorageError) in
        // A store that can't be read needs somebody who notices as much as any other.
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
