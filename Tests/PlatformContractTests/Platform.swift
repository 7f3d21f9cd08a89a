import Clients
import Composable
import ComposableTesting
import Cryptography
import Domain
import SQLite
import FoundationEssentials
import Glibc
import PostgreSQL
import PostgresTesting
import Server
import ServerTesting
import SharedPlatform
@testable import Store
import Synchronization
import TestSupport
import Testing

/// The platforms that fulfil the contract. Every test of this target runs once for each.
enum Platform: String, CaseIterable, CustomTestStringConvertible {
  case inMemory, embedded, postgres
  /// An app that uses a server over HTTP, with a SQLite or PostgreSQL store.
  case shared, sharedPostgres

  /// All platforms, or those in the comma-separated list LIFESIGNAL_PLATFORMS.
  static let everywhere: [Platform] = {
    let all: [Platform] =
      [.inMemory, .embedded, .shared]
      + (PostgresServer.absence == nil ? [.postgres, .sharedPostgres] : [])
    guard let chosen else { return all }
    return all.filter { chosen.split(separator: ",").contains($0.rawValue[...]) }
  }()

  private static let chosen = ProcessInfo.processInfo.environment["LIFESIGNAL_PLATFORMS"]

  /// All platforms but a server over PostgreSQL, whose two parts are among the others and which takes
  /// the most time. It is tested where the transactions of several programs meet, in what concerns
  /// only servers, and in everything by `make nightly` or if it is chosen.
  static let allCases = everywhere.filter { isNight || chosen != nil || $0 != .sharedPostgres }

  /// The reasons why a test doesn't apply to an app with a server. Each concerns a single machine.
  enum OneMachine {
    /// An account without a password is open to anyone who can read its file. Accounts on a server
    /// always have one.
    case passwordless
    /// Local sessions don't expire; a session on a server ends after 30 days without use.
    case sessionsLast
    /// If the store can't be written, an alert goes to a spool file for the same machine's monitor.
    case spool
    /// The app starts the monitor; a server's monitor is started by its administrator.
    case monitorStarted
    /// The gate protects this machine's monitor.
    case monitorsGate
    /// The test makes requests before there is an account; a server answers only signed-in clients.
    case beforeAccount
    /// An account can move from a machine to a server, but not back.
    case moving
    /// There are no invitations to a machine.
    case invitations
    /// An upload has progress steps; a file goes to a server in a single request.
    case uploadSteps
  }

  /// The error after the session was ended elsewhere. A server tells clients with an old token that
  /// it has expired.
  var endedSession: ClientError { isShared ? .sessionExpired : .notAuthenticated }

  /// The state before the first account. A server doesn't reveal that it has none.
  var stateWithoutAccounts: AuthState { isShared ? .signedOut : .newcomer }

  static func all(but reason: OneMachine) -> [Platform] { allCases.filter { !$0.isShared } }

  /// The platforms with a server.
  static var allShared: [Platform] { everywhere.filter(\.isShared) }

  /// Whether accounts are on a server. Then each has a password, and the app can't access the store
  /// directly.
  var isShared: Bool { self == .shared || self == .sharedPostgres }

  var testDescription: String { rawValue }
}

/// A platform's store, its clients, and a clock that only the test moves.
final class World: Sendable {
  static let start = Date(timeIntervalSince1970: 1_795_000_000)

  let platform: Platform
  private let values: DependencyValues
  private let date: TestDate
  private let clock = TestClock()
  private let folder: TemporaryFolder?
  private let database: PostgresDatabase?
  /// The server, if the platform has one.
  private let server: ServerWorld?
  private let openFurther: @Sendable (NewAccount) async throws -> User
  private let makeSecond: @Sendable (String?) throws -> DependencyValues
  private let makeDevice: @Sendable (String, _ invite: String?) throws -> DependencyValues

  /// Another process with the same store and clock.
  /// - Parameter account: The address of its account, or `nil` for the one that signed in last.
  func second(account: String? = nil) throws -> World { try World(beside: self, account) }

  /// Another machine with the given name that has joined the same server and where nobody has
  /// signed in yet.
  /// - Parameter invite: The code of the invitation with which it joined.
  func device(_ name: String, invite: String? = nil) throws -> World {
    try World(beside: self, try makeDevice(name, invite))
  }

  private convenience init(beside other: World, _ account: String?) throws {
    try self.init(beside: other, try other.makeSecond(account))
  }

  private init(beside other: World, _ values: DependencyValues) throws {
    platform = other.platform
    self.values = values
    date = other.date
    folder = other.folder
    database = other.database
    server = other.server
    openFurther = other.openFurther
    makeSecond = other.makeSecond
    makeDevice = other.makeDevice
  }

  init(
    _ platform: Platform,
    startMonitor: @escaping @Sendable (Bool) async throws(StorageError) -> Void = {
      (_: Bool) async throws(StorageError) in
    }
  ) throws {
    let date = TestDate(Self.start)
    var values = DependencyValues()
    var shared: SharedApp?
    switch platform {
    case .inMemory:
      let memory = EmbeddedPlatform.inMemory(
        now: { date.now }, clock: clock, startMonitor: startMonitor)
      memory.install(in: &values)
      openFurther = { try await memory.openFurtherAccount($0) }
      makeSecond = { account in
        var values = DependencyValues()
        memory.with(account: account).install(in: &values)
        return values
      }
      (folder, database, server) = (nil, nil, nil)
    case .embedded:
      let folder = try TemporaryFolder()
      let embedded = try EmbeddedPlatform(
        folders: folder.folders, now: { date.now }, hashing: .minimal,
        startMonitor: startMonitor)
      embedded.install(in: &values)
      openFurther = { try await embedded.openFurtherAccount($0) }
      makeSecond = { account in
        var values = DependencyValues()
        try EmbeddedPlatform(
          folders: folder.folders, now: { date.now }, account: account, hashing: .minimal
        ).install(in: &values)
        return values
      }
      (self.folder, database, server) = (folder, nil, nil)
    case .postgres:
      let folder = try TemporaryFolder()
      let database = try PostgresServer.shared.get().makeDatabase()
      @Sendable func open(
        _ account: String?, as user: PostgresDatabase.User = .server
      ) throws -> EmbeddedPlatform {
        let postgres = PostgresPlatform(database.connection(as: user), now: { date.now })
        return try EmbeddedPlatform(
          place: postgres.makePlace(spools: EmbeddedPlatform.spools(folders: folder.folders)).place,
          folders: folder.folders, now: { date.now }, account: account, hashing: .minimal,
          keyring: false, startMonitor: startMonitor)
      }
      /// Installs the platform's clients, with the monitor's operations in the monitor role.
      @Sendable func install(_ platform: EmbeddedPlatform, in values: inout DependencyValues) throws
      {
        platform.install(in: &values)
        var monitor = DependencyValues()
        try open(nil, as: .monitor).install(in: &monitor)
        values.monitorClient = monitor.monitorClient
        values.fallbackClient = monitor.fallbackClient
      }
      let first = try open(nil)
      try install(first, in: &values)
      openFurther = { try await first.openFurtherAccount($0) }
      makeSecond = { account in
        var values = DependencyValues()
        try install(open(account), in: &values)
        return values
      }
      (self.folder, self.database, server) = (folder, database, nil)
    case .shared:
      let folder = try TemporaryFolder()
      let lane = try EmbeddedPlatform.openLane(folders: folder.folders, now: { date.now })
      let server = try ServerWorld(lanes: [lane], now: { date.now })
      // Its monitor is another process that opens the same file.
      let local = try EmbeddedPlatform(
        folders: folder.folders, now: { date.now }, hashing: .minimal)
      let app = SharedApp(server, in: folder, now: { date.now }) { values in
        local.install(in: &values)
      }
      shared = app
      try app.install(in: &values)
      openFurther = { try await local.openFurtherAccount($0) }
      makeSecond = { try app.values(account: $0) }
      (self.folder, database, self.server) = (folder, nil, server)
    case .sharedPostgres:
      let folder = try TemporaryFolder()
      let database = try PostgresServer.shared.get().makeDatabaseOfTomorrow()
      @Sendable func place(as user: PostgresDatabase.User) -> PostgresPlatform {
        PostgresPlatform(database.connection(as: user), now: { date.now })
      }
      let server = try ServerWorld(
        lanes: [place(as: .server).makeLane(), place(as: .server).makeLane()], now: { date.now })
      let monitor = try EmbeddedPlatform(
        place: place(as: .monitor).makePlace(spools: []).place, folders: folder.folders,
        now: { date.now }, hashing: .minimal, keyring: false)
      let app = SharedApp(server, in: folder, now: { date.now }) { values in
        monitor.install(in: &values)
      }
      shared = app
      try app.install(in: &values)
      openFurther = {
        try await EmbeddedPlatform(
          place: place(as: .server).makePlace(spools: []).place, folders: folder.folders,
          now: { date.now }, hashing: .minimal, keyring: false
        ).openFurtherAccount($0)
      }
      makeSecond = { try app.values(account: $0) }
      (self.folder, self.database, self.server) = (folder, database, server)
    }
    makeDevice = { [shared] name, invite in
      try #require(shared, "only a server has devices")
        .values(account: nil, device: name, invite: invite)
    }
    self.platform = platform
    self.values = values
    self.date = date
  }

  var auth: AuthClient { values.authClient }
  var user: UserClient { values.userClient }
  var checkIn: CheckInClient { values.checkInClient }
  var contacts: ContactsClient { values.contactsClient }
  var invitations: InvitationClient { values.invitationClient }
  var channels: ChannelsClient { values.channelsClient }
  var alerts: AlertClient { values.alertClient }
  var pings: PingClient { values.pingClient }
  var responses: ResponseClient { values.responseClient }
  var notifications: NotificationClient { values.notificationClient }
  var watch: WatchClient { values.watchClient }
  var standby: StandbyClient { values.standbyClient }
  var monitor: MonitorClient { values.monitorClient }
  var upkeep: UpkeepClient { values.upkeepClient }
  var fallback: FallbackClient { values.fallbackClient }
  var storage: StorageClient { values.storageClient }
  var keychain: KeychainClient { values.keychainClient }
  var logOutbox: LogOutboxClient { values.logOutboxClient }
  var errorLogger: ErrorLogger { values.errorLogger }
  var transfer: TransferClient { values.transferClient }
  var documents: DocumentsClient { values.documentsClient }
  var files: FileStorageClient { values.fileStorageClient }
  var profile: UserProfileClient { values.userProfileClient }
  var dateClient: DateClient { values.dateClient }

  var now: Date { date.now }

  /// The files in the embedded store's folder, including partial ones.
  var storedFiles: [String] {
    guard let folder else { return [] }
    let files = try? FileManager.default.contentsOfDirectory(atPath: folder.folders.files)
    return (files ?? []).sorted()
  }

  /// Whether the embedded store's file or its write-ahead log contains a text.
  func storeContains(_ text: String) throws -> Bool {
    guard let path = folder?.folders.database else { return false }
    return try [path, path + "-wal"].contains { path in
      guard FileManager.default.fileExists(atPath: path) else { return false }
      return try Data(contentsOf: URL(filePath: path)).firstRange(of: Data(text.utf8)) != nil
    }
  }

  /// The last event of storing a document.
  func outcome(of data: Data, _ metadata: StorageMetadata) async -> UploadEvent? {
    var last: UploadEvent?
    for await event in files.upload(data, metadata) { last = event }
    return last
  }

  /// Stores a document.
  @discardableResult
  func add(
    _ name: String, _ data: Data, _ access: EmergencyDocument.Access = .always
  ) async throws -> EmergencyDocument {
    let type = ContentType(of: data)
    let outcome = await outcome(
      of: data, StorageMetadata(name: name, contentType: type, access: access))
    guard case .completed(let document) = outcome else {
      throw ClientError.unimplemented("\(String(describing: outcome))")
    }
    return document
  }

  /// Moves the store's clock, forwards or backwards.
  func advance(_ span: TimeSpan) { date.move(by: span) }

  /// Moves the store's clock past the end of a lease, and the clock with which the platform waits
  /// for it.
  @MainActor func advancePastLease(_ span: TimeSpan) async {
    if platform == .inMemory { await clock.waitForSleeps() }
    await server?.checkMonitors()
    advance(span)
    await clock.advance(by: .seconds(span.seconds))
  }

  // MARK: Accounts and contacts

  /// Creates the account that most tests begin with: 24 h, reminder 30 min, grace 15 min.
  ///
  /// The message to responders that they were named has been sent.
  @discardableResult
  func openAccount(responders: [ContactDraft] = []) async throws -> User {
    let user = try await auth.createAccount(
      NewAccount(profile: Profile(name: "Ida", email: "ida@example.org"), responders: responders))
    if !responders.isEmpty { try await deliverAll() }
    return user
  }

  /// Sends all due messages, like a monitor that plans nothing.
  @discardableResult
  func deliverAll(_ outcome: DeliveryOutcome = .sent) async throws -> [ClaimedDelivery] {
    for account in try await monitor.due(now, 100) {
      _ = try await monitor.apply(Plan(), account.user.id, account.revision, now)
    }
    let claimed = try await monitor.claim(now, .seconds(60), ClaimRequest(limit: 100))
    for delivery in claimed {
      _ = try await monitor.record(delivery.id, delivery.token, outcome, nil, now)
    }
    return claimed
  }

  /// Creates another account with a password in the same store, with its own session.
  func openPeer(
    _ name: String = "Bo", phone: String? = nil, note: String = ""
  ) async throws -> World {
    let email = "\(name.lowercased())@example.org"
    let peer = try second(account: email)
    _ = try await peer.auth.createAccount(
      NewAccount(
        profile: Profile(name: name, phone: phone, note: note),
        credentials: Credentials(email: email, password: Secret("four random words"))))
    return peer
  }

  /// Makes two people contacts of each other.
  /// - Parameter roles: The peer's roles for this person.
  /// - Returns: The contact as each side sees it.
  @discardableResult
  func befriend(_ peer: World, _ roles: Roles) async throws -> (own: Contact, theirs: Contact) {
    let code = try await peer.user.currentUser().code
    let request = try await contacts.request(code, roles)
    let theirs = try await peer.contacts.accept(request.id)
    let own = try #require(try await contacts.contacts().first { $0.id == request.id })
    return (own, theirs)
  }

  /// The current contact with an identifier.
  func contact(_ id: Contact.ID) async throws -> Contact {
    try #require(try await contacts.contacts().first { $0.id == id })
  }

  /// Creates one more account in the same store.
  func openFurtherAccount(_ new: NewAccount) async throws -> User { try await openFurther(new) }

  /// Reads the account that is due, of which there must be exactly one.
  func dueAccount() async throws -> MonitoredAccount {
    let due = try await monitor.due(now, 10)
    return try #require(due.count == 1 ? due.first : nil, "\(due.count) accounts are due")
  }

  /// Applies a plan to the only account that is due.
  @discardableResult
  func apply(_ plan: Plan) async throws -> Bool {
    let account = try await dueAccount()
    return try await monitor.apply(plan, account.user.id, account.revision, now)
  }
}

/// A machine whose app has joined a server, and the monitor on the server's machine.
private struct SharedApp: Sendable {
  let server: ServerWorld
  let folder: TemporaryFolder
  let now: @Sendable () -> Date
  let installMonitor: @Sendable (inout DependencyValues) -> Void

  init(
    _ server: ServerWorld, in folder: TemporaryFolder, now: @escaping @Sendable () -> Date,
    installMonitor: @escaping @Sendable (inout DependencyValues) -> Void
  ) {
    self.server = server
    self.folder = folder
    self.now = now
    self.installMonitor = installMonitor
  }

  func values(
    account: String?, device: String? = nil, invite: String? = nil
  ) throws -> DependencyValues {
    var values = DependencyValues()
    try install(in: &values, account: account, device: device, invite: invite)
    return values
  }

  /// - Parameter device: The name of another machine, or `nil` for the first app's.
  func install(
    in values: inout DependencyValues, account: String? = nil, device: String? = nil,
    invite: String? = nil
  ) throws {
    let path = folder.path + "/" + (device ?? "app")
    let folders = Folders(data: path + "/data", config: path + "/config", state: path + "/state")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let machine = try EmbeddedPlatform.withoutStore(
      folders: folders, fault: .ofServer("the test"), now: now, keyring: false)
    machine.install(in: &values)
    let token = account.map(KeychainClient.sessionToken(of:)) ?? KeychainClient.sessionToken
    let connection = try ServerConnection(
      to: JoinedServer(url: "http://127.0.0.1:\(server.port)"),
      device: device ?? EmbeddedPlatform.hostName, invite: invite,
      tokens: .init(
        load: { () throws(KeychainError) in try machine.keptSecret(token) },
        keep: { (kept: String?) throws(KeychainError) in try machine.keepSecret(token, kept) }),
      now: now)
    SharedPlatform(connection, address: account).install(in: &values)
    let createAccount = values.authClient.createAccount
    let lane = server.store.lanes[0]
    values.authClient.createAccount = { (new: NewAccount) async throws(ClientError) in
      if new.credentials != nil { return try await createAccount(new) }
      // The account without a password that most tests begin with is created on the server's
      // machine, and the app gets a session for it.
      let clients = StoreClients(
        lane, session: FirstSession(), makeUUID: { UUID() }, hashing: .minimal,
        startMonitor: { (_: Bool) async throws(StorageError) in })
      var values = DependencyValues()
      clients.install(in: &values)
      let user = try await values.authClient.createAccount(new)
      let token = try await clients.store.atomically { store throws(ClientError) in
        guard let account = try store.read({ try store.currentKey() }) else { throw .accountExists }
        return try store.beginSession(account)
      }
      do throws(StorageError) { try await connection.keep(Secret(token.text)) } catch {
        throw .storage(error)
      }
      return user
    }
    var monitor = DependencyValues()
    installMonitor(&monitor)
    values.monitorClient = monitor.monitorClient
    values.fallbackClient = monitor.fallbackClient
    values.upkeepClient = monitor.upkeepClient
    values.standbyClient.duties = monitor.standbyClient.duties
    values.standbyClient.record = monitor.standbyClient.record
    values.standbyClient.recordAnswer = monitor.standbyClient.recordAnswer
  }
}

/// The session that creates the account on the server's machine.
private struct FirstSession: StoreSession {
  var address: String? { nil }
  var device: String { EmbeddedPlatform.hostName }
  var isRemote: Bool { false }
  var network: String? { nil }
  var signUpPolicy: SignUpPolicy { .open(code: nil) }
  var request: KeyedRequest? { nil }
  var made: RequestTime? { nil }
  func token() -> SessionToken { .missing }
  func keep(_ token: SecureToken) {}
  func forget(isSignedOut: Bool) {}
  func needsNoToken() {}
}

extension World {
  /// A world in which documents can be stored. A server needs an account for that; other platforms
  /// don't.
  static func withDocuments(_ platform: Platform) async throws -> World {
    let world = try World(platform)
    if platform.isShared { try await world.openAccount() }
    return world
  }
}

/// A clock that only moves when told to.
final class TestDate: Sendable {
  private let date: Mutex<Date>
  init(_ date: Date) { self.date = Mutex(date) }
  var now: Date { date.withLock { $0 } }
  func move(by span: TimeSpan) { date.withLock { $0 = $0 + span } }
}

extension TemporaryFolder {
  var folders: Folders {
    Folders(data: path + "/data", config: path + "/config", state: path + "/state")
  }
}

extension StorageMetadata {
  static let note = StorageMetadata(name: "note.txt", contentType: .text, access: .always)
}

extension Data {
  /// Data with the signature of a PNG file.
  static let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1])
  static let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0, 2])
}

extension ContactDraft {
  static let bo = ContactDraft(name: "Bo", email: "bo@example.org", roles: .responder)
  static let cem = ContactDraft(name: "Cem", email: "cem@example.org", roles: .responder)
}
