public import Clients
public import struct Composable.DependencyValues
public import Domain
public import FoundationEssentials
import Glibc
package import Store
package import Cryptography

/// Every client on one SQLite file in the person's own folders: the default.
///
/// Anyone who can open the file counts as its person, so folders and files that others could open
/// are refused. A write returns when it is on disk. Any number of processes can use the file at
/// once; each sees the others' changes within a quarter of a second.
public struct EmbeddedPlatform: Sendable {
  /// Returns the command for a secret, or throws why a configured one isn't run.
  public typealias SecretCommandProvider =
    @Sendable (_ name: String) throws(KeychainError) -> SecretCommand?

  private let clients: StoreClients
  /// The storage of the sessions' tokens.
  let secretStore: any SecretStore
  /// Installs the clients that use the place of the store rather than the store.
  private let installPlace: @Sendable (Store, inout DependencyValues) -> Void

  /// Opens the store, or creates one if there never was any.
  ///
  /// It blocks, for up to five seconds when another process is creating or migrating the store:
  /// call it before the screen is up.
  /// - Parameters:
  ///   - folders: The folders of the files, created with mode 0700.
  ///   - now: The store's clock, which dates check-ins.
  ///   - uptime: How long the machine has been running, which judges that clock; `nil` if nothing
  ///     does.
  ///   - makeUUID: Makes the identifiers of what is stored.
  ///   - account: The address of the account to work for; `nil` for the one that signed in last.
  ///   - waits: Whether a store that can't be opened is tried again with each request, which fails
  ///     until then. In the meantime, an alert can be kept beside the store (ALT-7).
  ///   - secretCommand: The command that prints a secret, as currently configured in
  ///     `config.json5`.
  ///   - startMonitor: Starts a monitor; for ``WatchClient/start``, one that ends at once if
  ///     another is alive.
  /// - Throws: ``StorageError/missing(path:)``, ``StorageError/corrupt(detail:)`` or
  ///   ``StorageError/newerSchema(found:known:)`` for a store that can't be used and was left as it
  ///   is; ``StorageError/permissionDenied(_:)``, with the command that fixes it, if others could
  ///   use the store.
  public init(
    folders: Folders,
    now: @escaping @Sendable () -> Date = { Date() },
    uptime: @escaping @Sendable () -> Uptime? = { nil },
    makeUUID: @escaping @Sendable () -> UUID = { UUID() },
    account: String? = nil, waits: Bool = false,
    secretCommand: @escaping SecretCommandProvider = { _ in nil },
    startMonitor: @escaping @Sendable (Bool) async throws(StorageError) -> Void = {
      (_: Bool) async throws(StorageError) in
    }
  ) throws(StorageError) {
    try self.init(
      file: StoreFile(folders), now: now, uptime: uptime, makeUUID: makeUUID, account: account,
      waits: waits,
      secretCommand: secretCommand,
      keyring: Keyring(store: folders.data, environment: ProcessInfo.processInfo.environment),
      startMonitor: startMonitor)
  }

  /// Opens a store whose passwords cost next to nothing, for tests.
  /// - Parameter runsOnCallersThread: Whether the store runs on the caller's thread: for
  ///   simulations, which run on one thread each.
  package init(
    folders: Folders, now: @escaping @Sendable () -> Date,
    uptime: @escaping @Sendable () -> Uptime? = { nil },
    makeUUID: @escaping @Sendable () -> UUID = { UUID() }, account: String? = nil,
    waits: Bool = false, hashing: PasswordHashing, runsOnCallersThread: Bool = false,
    startMonitor: @escaping @Sendable (Bool) async throws(StorageError) -> Void = {
      (_: Bool) async throws(StorageError) in
    }
  ) throws(StorageError) {
    try self.init(
      file: StoreFile(folders), now: now, uptime: uptime, makeUUID: makeUUID, account: account,
      waits: waits, hashing: hashing, runsOnCallersThread: runsOnCallersThread,
      startMonitor: startMonitor)
  }

  init(
    file: StoreFile,
    now: @escaping @Sendable () -> Date,
    uptime: @escaping @Sendable () -> Uptime? = { nil },
    makeUUID: @escaping @Sendable () -> UUID = { UUID() },
    account: String? = nil, waits: Bool = false, hashing: PasswordHashing = .standard,
    runsOnCallersThread: Bool = false,
    credentials: String? = Self.credentials,
    secretCommand: @escaping SecretCommandProvider = { _ in nil },
    keyring: Keyring? = nil,
    startMonitor: @escaping @Sendable (Bool) async throws(StorageError) -> Void = {
      (_: Bool) async throws(StorageError) in
    }
  ) throws(StorageError) {
    let backups = BackupFolder(file.folders, schema: file.schema)
    let inspector = StoreInspector(file)
    try self.init(
      place: FilePlace(file, runsOnCallersThread: runsOnCallersThread),
      folders: file.folders, now: now, uptime: uptime, makeUUID: makeUUID, account: account,
      waits: waits, hashing: hashing, credentials: credentials, secretCommand: secretCommand,
      keyring: keyring,
      upkeep: { .files($0, backups, inspector) }, startMonitor: startMonitor)
  }

  /// Creates every client over a store that is elsewhere. Secrets and the error log stay in the
  /// person's folders on this machine.
  package init(
    place: any StorePlace, folders: Folders, now: @escaping @Sendable () -> Date,
    makeUUID: @escaping @Sendable () -> UUID = { UUID() }, account: String? = nil,
    waits: Bool = false, hashing: PasswordHashing = .standard,
    secretCommand: @escaping SecretCommandProvider = { _ in nil }, keyring: Bool = true,
    startMonitor: @escaping @Sendable (Bool) async throws(StorageError) -> Void = {
      (_: Bool) async throws(StorageError) in
    }
  ) throws(StorageError) {
    try PrivateFiles.makeFolder(folders.data)
    try PrivateFiles.makeFolder(folders.state)
    try self.init(
      place: place, folders: folders, now: now, uptime: { nil }, makeUUID: makeUUID,
      account: account, waits: waits, hashing: hashing, credentials: Self.credentials,
      secretCommand: secretCommand,
      keyring: keyring
        ? Keyring(store: folders.data, environment: ProcessInfo.processInfo.environment) : nil,
      upkeep: { .loadOnly($0) }, startMonitor: startMonitor)
  }

  private init(
    place: any StorePlace, folders: Folders, now: @escaping @Sendable () -> Date,
    uptime: @escaping @Sendable () -> Uptime?,
    makeUUID: @escaping @Sendable () -> UUID, account: String?, waits: Bool,
    hashing: PasswordHashing, credentials: String?,
    secretCommand: @escaping SecretCommandProvider, keyring: Keyring?,
    upkeep: @escaping @Sendable (Store) -> UpkeepClient,
    startMonitor: @escaping @Sendable (Bool) async throws(StorageError) -> Void
  ) throws(StorageError) {
    let secretsFile = SecretsFile(path: folders.secrets, credentials: credentials)
    secretStore = secretsFile
    clients = StoreClients(
      try Lane(place, waits: waits, now: now, uptime: uptime),
      session: LocalSession(address: account, device: Self.hostName, secrets: secretsFile),
      makeUUID: makeUUID, hashing: hashing, startMonitor: startMonitor)
    let log = ErrorLogFile(path: folders.errorLog)
    let outbox = ErrorLogOutbox(log)
    installPlace = { store, values in
      values.upkeepClient = upkeep(store)
      values.keychainClient =
        SecretChain(store: store, file: secretsFile, command: secretCommand, keyring: keyring)
        .client
      values.errorLogger = .file(log, store)
      values.logOutboxClient = .file(outbox, store)
    }
  }

  /// Returns the text of a file that may hold a password, such as the address of a database, and
  /// that nobody else can read.
  /// - Throws: ``StorageError/permissionDenied(_:)`` if others can read it, with the command that
  ///   closes it.
  public static func privateText(of path: String) throws(StorageError) -> String {
    guard let bytes = try PrivateFiles.contents(of: path) else {
      throw .permissionDenied("\(path) doesn't exist")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the folders where alerts of this machine wait while the store can't be written
  /// (ALT-7).
  package static func spools(folders: Folders) -> [any SpoolFolder] {
    folders.spools.map { PrivateFolder(path: $0) }
      + folders.volatileSpools.map { PrivateFolder(path: $0, outlivesRestart: false) }
  }

  /// Returns a folder whose files only their owner can read.
  /// - Parameter outlivesRestart: Whether its files are still there after a restart of the machine.
  package static func privateFolder(
    _ path: String, outlivesRestart: Bool = true
  ) -> any SpoolFolder {
    PrivateFolder(path: path, outlivesRestart: outlivesRestart)
  }

  /// Returns a platform with a store in memory: for tests, simulations, pictures and `lifesignal
  /// demo`. Its passwords cost next to nothing.
  ///
  /// It never waits, and every observer sees every change in order.
  /// - Parameters:
  ///   - now: The store's clock, which dates check-ins.
  ///   - uptime: How long the machine has been running, which judges that clock; `nil` if nothing
  ///     does.
  ///   - makeUUID: Makes the identifiers of what is stored.
  ///   - clock: The clock by which observers notice that a monitor's lease has run out.
  ///   - startMonitor: Starts a monitor; for ``WatchClient/start``, one that ends at once if
  ///     another is alive.
  public static func inMemory(
    now: @escaping @Sendable () -> Date,
    uptime: @escaping @Sendable () -> Uptime? = { nil },
    makeUUID: @escaping @Sendable () -> UUID = { UUID() },
    clock: any Clock<Duration> = ContinuousClock(),
    startMonitor: @escaping @Sendable (Bool) async throws(StorageError) -> Void = {
      (_: Bool) async throws(StorageError) in
    }
  ) -> EmbeddedPlatform {
    let place = MemoryPlace()
    let lane: Lane
    do throws(StorageError) {
      lane = try Lane(place, waits: false, now: now, uptime: uptime, clock: clock)
    } catch {
      fatalError("SQLite has no memory for a store: \(error)")
    }
    let clients = StoreClients(
      lane, session: LocalSession(address: nil, device: "memory", secrets: place.secrets),
      makeUUID: makeUUID, hashing: .minimal, startMonitor: startMonitor)
    return EmbeddedPlatform(clients: clients, secrets: place.secrets) { store, values in
      values.upkeepClient = .loadOnly(store)
      values.keychainClient = place.secrets.keychain
      values.errorLogger = place.errorLog.client
      values.logOutboxClient = place.errorLog.makeOutbox()
    }
  }

  /// Returns the platform of another program on the same store in memory.
  /// - Parameter account: The address of the account to work for; `nil` for the one that signed in last.
  public func with(account: String? = nil) -> EmbeddedPlatform {
    with(account: account, made: nil)
  }

  /// The same, for requests that were made on another device at another time.
  package func with(account: String?, made: RequestTime?) -> EmbeddedPlatform {
    EmbeddedPlatform(
      clients: clients.with(
        LocalSession(
          address: account, device: Self.hostName, secrets: secretStore, made: made)),
      secrets: secretStore, installPlace: installPlace)
  }

  private init(
    clients: StoreClients, secrets: any SecretStore,
    installPlace: @escaping @Sendable (Store, inout DependencyValues) -> Void
  ) {
    self.clients = clients
    secretStore = secrets
    self.installPlace = installPlace
  }

  var store: Store { clients.store }

  static var credentials: String? { getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) } }

  public static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "this machine" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Opens the lane of a store for a server, which has many sessions.
  /// - Throws: The same errors as opening the platform.
  package static func openLane(
    folders: Folders, now: @escaping @Sendable () -> Date,
    uptime: @escaping @Sendable () -> Uptime? = { nil }
  ) throws(StorageError) -> Lane {
    try Lane(
      FilePlace(StoreFile(folders), runsOnCallersThread: false), waits: true, now: now,
      uptime: uptime)
  }

  /// Copies a store that may be in use into a new file, as of one instant.
  package static func copyStore(
    folders: Folders, to path: String, now: Date
  ) throws(StorageError) {
    let (database, lock) = try StoreFile(folders).open(again: true, now: now)
    defer { withExtendedLifetime(lock) {} }
    try PrivateFiles.makeFile(path)
    try database.run("VACUUM INTO ?1", path)
  }

  /// Opens a lane in memory, for tests of a server.
  package static func openLaneInMemory(
    now: @escaping @Sendable () -> Date
  ) throws(StorageError) -> Lane {
    try Lane(MemoryPlace(), waits: false, now: now)
  }

  /// Moves a damaged store aside, so that the next opening starts from scratch; for a person who
  /// chose that.
  /// - Returns: The path of the file that was moved, or `nil` if nothing was left of it.
  /// - Throws: ``StorageError/busy`` while any process has the store open.
  public static func setAside(folders: Folders, now: Date) throws(StorageError) -> String? {
    try StoreFile(folders).setAside(now: now)
  }

  /// Installs every client that uses a store, and the clock.
  public func install(in values: inout DependencyValues) {
    clients.install(in: &values)
    installPlace(store, &values)
  }

  /// Creates another account beside the signed-in one, for tests of a monitor that watches several.
  package func openFurtherAccount(_ new: NewAccount) async throws(ClientError) -> User {
    try await clients.openFurtherAccount(new)
  }
}
