import Clients
import struct Composable.DependencyValues
import Domain
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import SQLite
@testable import Store

/// A temporary folder for a store, deleted when released, and a clock that only the test moves.
final class Place: Sendable {
  static let start = Date(timeIntervalSince1970: 1_795_000_000)

  let root: String
  /// The folder, or `nil` if another process owns and deletes it.
  private let folder: TemporaryFolder?
  private let date = Mutex(Place.start)
  private let step = Mutex(TimeSpan.seconds(0))

  init() throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    root = folder.path
  }

  /// A place owned by another process, which deletes it.
  init(reopening root: String) {
    self.root = root
    folder = nil
  }

  var folders: Folders {
    Folders(
      data: root + "/data", config: root + "/config", state: root + "/state",
      runtime: root + "/runtime", memory: root + "/memory")
  }

  var now: Date {
    let step = step.withLock { exchange(&$0, with: .zero) }
    return date.withLock { date in
      defer { date = date + step }
      return date
    }
  }
  func advance(_ span: TimeSpan) { date.withLock { $0 = $0 + span } }
  /// Advances the clock after its next reading: what reads it takes that long.
  func advanceAfterNextReading(by span: TimeSpan) { step.withLock { $0 = span } }

  func open(
    schema: Schema = .current, credentials: String? = nil,
    secretCommand: @escaping EmbeddedPlatform.SecretCommandProvider = { _ in nil },
    keyring: Keyring? = nil, waits: Bool = false
  ) throws(StorageError) -> Opened {
    Opened(
      try EmbeddedPlatform(
        file: StoreFile(folders, schema: schema), now: { self.now }, waits: waits,
        credentials: credentials, secretCommand: secretCommand, keyring: keyring),
      place: self)
  }

  // MARK: Files

  /// Moves the database of another place to this one. No process may have it open.
  static func replaceDatabase(of place: Place, by other: Place) throws {
    for suffix in ["-wal", "-shm"] { unlink(place.folders.database + suffix) }
    try #require(rename(other.folders.database, place.folders.database) == 0)
  }

  func mode(_ path: String) -> mode_t? {
    var information = stat()
    return lstat(path, &information) == 0 ? information.st_mode & 0o7777 : nil
  }

  func exists(_ path: String) -> Bool { mode(path) != nil }

  func bytes(_ path: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path).map(Array.init)
  }

  func write(_ bytes: [UInt8], to path: String) throws {
    try Data(bytes).write(to: URL(filePath: path))
    chmod(path, 0o600)
  }
}

/// An open store with its clients. Keeps its place alive.
struct Opened {
  let platform: EmbeddedPlatform
  private let values: DependencyValues
  private let place: Place

  init(_ platform: EmbeddedPlatform, place: Place) {
    self.platform = platform
    self.place = place
    var values = DependencyValues()
    platform.install(in: &values)
    self.values = values
  }

  var auth: AuthClient { values.authClient }
  var user: UserClient { values.userClient }
  var notifications: NotificationClient { values.notificationClient }
  var channels: ChannelsClient { values.channelsClient }
  var checkIn: CheckInClient { values.checkInClient }
  var contacts: ContactsClient { values.contactsClient }
  var alerts: AlertClient { values.alertClient }
  var watch: WatchClient { values.watchClient }
  var monitor: MonitorClient { values.monitorClient }
  var fallback: FallbackClient { values.fallbackClient }
  var upkeep: UpkeepClient { values.upkeepClient }
  var storage: StorageClient { values.storageClient }
  var keychain: KeychainClient { values.keychainClient }
  var documents: DocumentsClient { values.documentsClient }
  var files: FileStorageClient { values.fileStorageClient }
  var profile: UserProfileClient { values.userProfileClient }

  @discardableResult
  func openAccount() async throws -> User {
    try await auth.createAccount(
      NewAccount(
        profile: Profile(name: "Ida", email: "ida@example.org"),
        responders: [ContactDraft(name: "Bo", email: "bo@example.org", roles: .responder)]))
  }

  /// Deletes all deliveries, such as messages that someone was named as a responder.
  func forgetDeliveries() async throws { try await sql("DELETE FROM delivery") }

  /// Runs SQL directly, as in a SQLite shell.
  func sql(_ text: String) async throws {
    try await platform.store.script("PRAGMA ignore_check_constraints = ON; " + text)
    try await platform.store.script("PRAGMA ignore_check_constraints = OFF")
  }

  func value<Value: SQLReadable & Sendable>(
    _ type: Value.Type, _ query: String
  ) async throws -> Value? {
    try await platform.store.value(type, query)
  }

  /// Returns the texts of a query's only column.
  func column(_ query: String) async throws -> [String] { try await platform.store.column(query) }
}

extension Store {
  /// The connection with its concrete type.
  var sqlite: Database { database as! Database }

  fileprivate func script(_ text: String) throws { try sqlite.script(text) }

  fileprivate func column(_ query: String) throws -> [String] {
    try database.rows(query) { row throws(StorageError) -> String in try row.read() }
  }

  fileprivate func value<Value: SQLReadable>(_ type: Value.Type, _ query: String) throws -> Value? {
    try database.value(type, query)
  }
}
