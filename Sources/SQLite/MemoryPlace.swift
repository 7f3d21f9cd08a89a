import Clients
import Domain
import FoundationEssentials
import Synchronization
import Store

/// A store in memory, which doesn't outlive the process.
final class MemoryPlace: StorePlace {
  let blobs: any BlobStore = MemoryBlobs()
  let secrets = MemorySecrets()
  let spools: [any SpoolFolder] = [MemoryFolder()]
  let errorLog = MemoryErrorLog()
  let isUnwatched = false

  func makeExecutor() -> any StoreExecutor { CallersThread() }

  func open(again: Bool, now: Date) throws(StorageError) -> OpenStore {
    let database = try Database(path: ":memory:", access: .readWrite)
    try database.load(Self.newStore.get())
    try database.script("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF")
    return OpenStore(database)
  }

  /// The bytes of an empty store: running the schema's scripts takes longer than most tests.
  private static let newStore = Result { () throws(StorageError) in
    let database = try Database(path: ":memory:", access: .readWrite)
    try Schema.current.migrate(database) { _ in }
    return try database.serialized()
  }

  func makingRoom<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try body()
  }
}

/// Secrets in memory.
final class MemorySecrets: SecretStore {
  private let secrets = Mutex<[String: String]>([:])

  func get(_ name: String) -> String? { secrets.withLock { $0[name] } }
  func set(_ name: String, _ secret: String?) { secrets.withLock { $0[name] = secret } }

  var keychain: KeychainClient {
    KeychainClient {
      $0.get = { [self] (name: String) async throws(KeychainError) in get(name) }
      $0.set = { [self] (name: String, secret: String) async throws(KeychainError) in
        set(name, secret)
      }
      $0.delete = { [self] (name: String) async throws(KeychainError) in set(name, nil) }
      $0.source = { [self] (name: String) async throws(KeychainError) in
        get(name).map { _ in .memory }
      }
      $0.keepInKeyring = { (_: String, _: String) async throws(KeychainError) in
        throw .unavailable("nothing here outlives the process")
      }
    }
  }
}

private final class MemoryBlobs: BlobStore {
  private let blobs = Mutex<[UUID: Data]>([:])

  func begin(_ id: UUID) -> any BlobWriter { Writer(id, in: self) }

  func read(_ id: UUID, size: Int, _ range: Range<Int>) throws(ClientError) -> Data {
    guard let data = blobs.withLock({ $0[id] }), data.count == size else { throw .fileDamaged }
    return Data(data.dropFirst(range.lowerBound).prefix(range.count))
  }

  func delete(_ ids: [UUID]) {
    blobs.withLock { blobs in for id in ids { blobs[id] = nil } }
  }

  private final class Writer: BlobWriter {
    private let id: UUID
    private let blobs: MemoryBlobs
    private let data = Mutex(Data())

    init(_ id: UUID, in blobs: MemoryBlobs) {
      self.id = id
      self.blobs = blobs
    }

    func append(_ part: Data) { data.withLock { $0.append(part) } }
    func synchronize() {}
    func takeName() {
      let data = data.withLock { $0 }
      blobs.blobs.withLock { $0[id] = data }
    }
  }
}

private final class MemoryFolder: SpoolFolder {
  let outlivesRestart = true
  private let contents = Mutex<(files: [String: [UInt8]], changes: Int)>(([:], 0))

  var names: [String] { contents.withLock { $0.files.keys.sorted() } }
  var signature: Int { contents.withLock { $0.changes } }
  func contents(of name: String) -> [UInt8]? { contents.withLock { $0.files[name] } }
  func replace(_ name: String, with bytes: [UInt8]) { set(name, bytes) }
  func remove(_ name: String) { set(name, nil) }

  private func set(_ name: String, _ bytes: [UInt8]?) {
    contents.withLock { contents in
      guard bytes != nil || contents.files[name] != nil else { return }
      contents.files[name] = bytes
      contents.changes += 1
    }
  }
}
