package import Clients
package import Cryptography
package import Domain
package import FoundationEssentials
import PostgreSQL
import SQLite
package import Store
import Synchronization

/// The store of a server: the lanes on which its sessions run, whatever the engine.
package struct ServerStore: Sendable {
  /// The lanes, at least one. Requests are spread over them.
  package let lanes: [Lane]
  /// The clients without a session, on each lane.
  private let clients: [StoreClients]
  private let loads: LaneLoads

  package init(
    lanes: [Lane], hashing: PasswordHashing = .standard,
    makeUUID: @escaping @Sendable () -> UUID = ServerStore.randomUUID
  ) {
    precondition(!lanes.isEmpty)
    self.lanes = lanes
    clients = lanes.map { lane in
      StoreClients(
        lane, session: RemoteSession(token: nil, device: ""), makeUUID: makeUUID, hashing: hashing,
        startMonitor: { (_: Bool) async throws(StorageError) in
          throw .unknown("the server's administrator starts its monitor")
        })
    }
    loads = LaneLoads(lanes.count)
  }

  /// Makes an identifier that nobody can guess, without opening a file: in a process that has no
  /// file descriptors left, `UUID()` can't read random numbers any more, and repeats itself.
  package static let randomUUID: @Sendable () -> UUID = {
    var generator = SystemRandomNumberGenerator()
    let high = generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) {
      UUID(uuid: $0.loadUnaligned(as: uuid_t.self))
    }
  }

  /// Opens the SQLite file in a server's folder.
  package static func sqlite(
    in folder: String, now: @escaping @Sendable () -> Date = { Date() },
    uptime: @escaping @Sendable () -> Uptime? = { nil }
  ) throws(StorageError) -> ServerStore {
    ServerStore(lanes: [
      try EmbeddedPlatform.openLane(folders: Folders(server: folder), now: now, uptime: uptime)
    ])
  }

  /// Opens the store that a server was set up with.
  static func open(
    _ settings: ServerSettings, in folder: String, now: @escaping @Sendable () -> Date,
    uptime: @escaping @Sendable () -> Uptime?
  ) throws -> ServerStore {
    guard let file = settings.databaseFile else {
      return try sqlite(in: folder, now: now, uptime: uptime)
    }
    return try database(in: file, folder: folder)
  }

  /// Opens the database of a connection string in a file.
  static func database(in file: String, folder: String) throws -> ServerStore {
    let platform = PostgresPlatform(try connectionString(in: file)).withHints
    let spools = EmbeddedPlatform.spools(folders: Folders(server: folder))
    return ServerStore(
      lanes: try (0..<connections).map { _ throws(StorageError) in
        try platform.makeLane(spools: spools)
      })
  }

  /// The number of connections to a database. More would wait for its processors, not for each
  /// other.
  package static let connections = 8

  /// Migrates the store's tables. The connection's user must be able to create tables and roles.
  /// - Returns: The version before, 0 for none, and the present one; `nil` for SQLite, whose file
  ///   is migrated when it is opened.
  static func migrate(_ settings: ServerSettings) throws(StorageError) -> (from: Int, to: Int)? {
    try settings.databaseFile.map { (file) throws(StorageError) in
      try migrate(databaseFile: file)
    }
  }

  static func migrate(databaseFile file: String) throws(StorageError) -> (from: Int, to: Int) {
    try PostgresPlatform.migrate(connectionString(in: file))
  }

  /// Creates the roles that own what is in a dump.
  /// - Returns: `false` for a database that has a store already.
  static func prepareRestore(in file: String) throws(StorageError) -> Bool {
    try PostgresPlatform.prepareRestore(connectionString(in: file))
  }

  static func connectionString(in file: String) throws(StorageError) -> ConnectionString {
    ConnectionString(try EmbeddedPlatform.privateText(of: file))
  }

  /// Runs the body with the clients of the least busy lane, which have no session. All lanes see
  /// what any of them has written.
  func onFreeLane<Value>(_ body: (StoreClients) async -> Value) async -> Value {
    let number = loads.begin()
    defer { loads.end(number) }
    return await body(clients[number])
  }

  /// Returns the clients for a session, on a lane with little to do.
  func clients(for session: RemoteSession) -> StoreClients {
    clients[loads.least].with(session)
  }

  /// The store without a session, for the administrator.
  package var administration: Store {
    clients[loads.least].store
  }
}

/// The number of requests on each lane.
private final class LaneLoads: Sendable {
  private let counts: Mutex<[Int]>

  init(_ lanes: Int) { counts = Mutex(Array(repeating: 0, count: lanes)) }

  func begin() -> Int {
    counts.withLock { counts in
      let number = Self.least(counts)
      counts[number] += 1
      return number
    }
  }

  var least: Int { counts.withLock { Self.least($0) } }

  /// Returns the least busy lane, preferring the last: the first announces changes, too.
  private static func least(_ counts: [Int]) -> Int {
    counts.indices.reversed().min { counts[$0] < counts[$1] }!
  }

  func end(_ number: Int) { counts.withLock { $0[number] -= 1 } }
}
