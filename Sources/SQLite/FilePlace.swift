import Clients
import FoundationEssentials
import Glibc
import Store

/// A store in files of this machine.
struct FilePlace: StorePlace {
  let file: StoreFile
  let files: FileFolder
  private let runsOnCallersThread: Bool

  init(_ file: StoreFile, runsOnCallersThread: Bool) {
    self.file = file
    self.runsOnCallersThread = runsOnCallersThread
    files = FileFolder(path: file.folders.files)
  }

  func makeExecutor() -> any StoreExecutor {
    runsOnCallersThread ? CallersThread() : StoreThread()
  }

  var blobs: any BlobStore { files }
  var spools: [any SpoolFolder] { EmbeddedPlatform.spools(folders: file.folders) }
  var isUnwatched: Bool { file.isUnwatched }

  func open(again: Bool, now: Date) throws(StorageError) -> OpenStore {
    let (database, lock) = try file.open(again: again, now: now)
    if !again { files.sweep(database) }
    return OpenStore(database, lock: lock)
  }

  func openForReading() throws(StorageError) -> OpenStore { OpenStore(try file.openForReading()) }

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
  /// Creates the spool of a store on this machine.
  init(_ folders: Folders) {
    self.init(folders: EmbeddedPlatform.spools(folders: folders), executor: StoreThread())
  }
}

/// A folder of the spool that only its owner can read.
struct PrivateFolder: SpoolFolder {
  let path: String
  var outlivesRestart = true

  var names: [String] {
    // Nobody else must be able to put an alert into a folder that all users share.
    guard (try? PrivateFiles.entry(path)) == .folder else { return [] }
    return (try? PrivateFiles.names(in: path)) ?? []
  }

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
