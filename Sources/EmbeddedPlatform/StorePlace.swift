import Clients
import Domain
import FoundationEssentials
import Glibc

/// Where a store is: in files of this machine, or in memory only.
protocol StorePlace: Sendable {
  /// Makes something on which a store, or what stands beside it, runs.
  func makeExecutor() -> any StoreExecutor
  var blobs: any BlobStore { get }
  /// Where alerts wait for a store that can't be written (ALT-7).
  var spools: [any SpoolFolder] { get }
  /// Whether the store is damaged, and nobody is watched.
  var isUnwatched: Bool { get }

  /// - Parameter again: Whether this process had it open: then none is made.
  func open(again: Bool, now: Date) throws(StorageError) -> OpenStore
  /// Does something, and once more with room made for it where there was too little.
  func makingRoom<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value
}

/// A connection, and what says to other processes that the store is in use as long as it lives.
struct OpenStore {
  var database: any SQLConnection
  var lock: StoreLock?
}

/// The bytes of documents and pictures, each under its identity.
protocol BlobStore: Sendable {
  /// Begins a file, under a name that is not its own yet.
  func begin(_ id: UUID) throws(StorageError) -> any BlobWriter
  /// Part of a file that was of some size when it was stored.
  func read(
    _ id: UUID, size: Int, offset: Int, count: Int
  ) throws(ClientError) -> Data
  func delete(_ ids: [UUID])
}

/// A file that is being written. Until it has its name it goes with its last user.
protocol BlobWriter: AnyObject, Sendable {
  func append(_ data: Data) throws(StorageError)
  /// Makes the bytes last.
  func synchronize() throws(StorageError)
  /// Gives the file its name, within the transaction that makes its row.
  func takeName() throws(StorageError)
}

/// Where the tokens of sessions are kept.
protocol SecretStore: Sendable {
  func get(_ name: String) throws(KeychainError) -> String?
  func set(_ name: String, _ secret: String?) throws(KeychainError)
}

/// A few small files beside the store.
protocol SpoolFolder: Sendable {
  var names: [String] { get }
  func contents(of name: String) throws(StorageError) -> [UInt8]?
  func replace(_ name: String, with bytes: [UInt8]) throws(StorageError)
  func remove(_ name: String)
  /// Differs where files came, changed or went.
  var signature: Int { get }
}

/// The place of a store in files of this machine.
struct FilePlace: StorePlace {
  let file: StoreFile
  let files: FileFolder
  let secretsFile: SecretsFile
  private let runsOnCallersThread: Bool

  init(_ file: StoreFile, credentials: String?, runsOnCallersThread: Bool) {
    self.file = file
    self.runsOnCallersThread = runsOnCallersThread
    files = FileFolder(path: file.folders.files)
    secretsFile = SecretsFile(path: file.folders.secrets, credentials: credentials)
  }

  func makeExecutor() -> any StoreExecutor {
    runsOnCallersThread ? CallersThread() : StoreQueue()
  }

  var blobs: any BlobStore { files }
  var spools: [any SpoolFolder] { file.folders.spools.map { PrivateFolder(path: $0) } }
  var isUnwatched: Bool { file.isUnwatched }

  func open(again: Bool, now: Date) throws(StorageError) -> OpenStore {
    let (database, lock) = try file.open(again: again, now: now)
    if !again { files.sweep(database) }
    return OpenStore(database: database, lock: lock)
  }

  func makingRoom<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try file.usingReserve(body)
  }
}

extension SecretsFile: SecretStore {}
extension FileFolder: BlobStore {}
extension PartFile: BlobWriter {}

extension AlertSpool {
  /// The spool in folders of this machine.
  init(folders: [String]) {
    self.init(folders: folders.map { PrivateFolder(path: $0) }, executor: StoreQueue())
  }
}

/// A folder of the spool that only its owner may read.
struct PrivateFolder: SpoolFolder {
  let path: String

  var names: [String] { (try? PrivateFiles.names(in: path)) ?? [] }

  func contents(of name: String) throws(StorageError) -> [UInt8]? {
    try PrivateFiles.contents(of: path + "/" + name)
  }

  func replace(_ name: String, with bytes: [UInt8]) throws(StorageError) {
    try PrivateFiles.makeFolder(path)
    try PrivateFiles.replace(path + "/" + name, with: bytes)
  }

  func remove(_ name: String) { unlink(path + "/" + name) }

  var signature: Int {
    var information = stat()
    guard stat(path, &information) == 0 else { return 0 }
    return information.st_mtim.tv_sec * 1_000_000_000 + information.st_mtim.tv_nsec
  }
}
