package import Clients
import Domain
package import FoundationEssentials

/// The place of a store: files of this machine, a database, or memory.
package protocol StorePlace: Sendable {
  /// Makes an executor for a store, or for what runs beside it.
  func makeExecutor() -> any StoreExecutor
  var blobs: any BlobStore { get }
  /// The folders where alerts wait while the store can't be written (ALT-7).
  var spools: [any SpoolFolder] { get }
  /// Whether the store is damaged, and nobody is watched.
  var isUnwatched: Bool { get }
  /// The hints by which other programs notice a change sooner; `nil` where polling costs nothing.
  var hints: (any StoreHints)? { get }

  /// Opens the store.
  /// - Parameter again: Whether this process had it open before. If so, a missing store isn't
  ///   created.
  func open(again: Bool, now: Date) throws(StorageError) -> OpenStore
  /// Opens a store that can't be written, such as one on a full or read-only disk, for reading.
  func openForReading() throws(StorageError) -> OpenStore
  /// Runs the body, and once more with some room freed if the disk was full.
  func makingRoom<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value
}

extension StorePlace {
  package var hints: (any StoreHints)? { nil }
  package func openForReading() throws(StorageError) -> OpenStore {
    throw .unknown("a store like this can't be opened for reading alone")
  }
}

/// Hints between the programs of a store that something was written. Nothing relies on them: the
/// next poll makes up for a lost one.
package protocol StoreHints: Sendable {
  /// Announces that something was written and kept, without waiting.
  func send()
  /// Calls the body, on any thread, when another program may have written.
  func receive(_ body: @escaping @Sendable () -> Void)
}

/// A connection, with the lock that tells other processes that the store is in use.
package struct OpenStore {
  var connection: any SQLConnection
  /// The lock, which is released with its last reference; `nil` where there are no other processes.
  var lock: AnyObject?

  package init(_ connection: any SQLConnection, lock: AnyObject? = nil) {
    self.connection = connection
    self.lock = lock
  }
}

/// The bytes of documents and pictures, each under its identifier.
package protocol BlobStore: Sendable {
  /// Begins a file, under a temporary name.
  func begin(_ id: UUID) throws(StorageError) -> any BlobWriter
  /// Reads a part of a file.
  /// - Parameters:
  ///   - size: The size of the file when it was stored. One of another size is damaged.
  ///   - range: The bytes to read, all of them within that size.
  func read(_ id: UUID, size: Int, _ range: Range<Int>) throws(ClientError) -> Data
  func delete(_ ids: [UUID])
}

/// A file that is being written. Until it has its name, it is deleted with its last reference.
package protocol BlobWriter: AnyObject, Sendable {
  func append(_ data: Data) throws(StorageError)
  /// Makes the bytes survive a power cut.
  func synchronize() throws(StorageError)
  /// Gives the file its name, within the transaction that inserts its row.
  func takeName() throws(StorageError)
}

/// The storage of the sessions' tokens.
package protocol SecretStore: Sendable {
  func get(_ name: String) throws(KeychainError) -> String?
  func set(_ name: String, _ secret: String?) throws(KeychainError)
}

/// A few small files beside the store.
package protocol SpoolFolder: Sendable {
  /// Whether the files are still there after the machine has been restarted.
  var outlivesRestart: Bool { get }
  var names: [String] { get }
  func contents(of name: String) throws(StorageError) -> [UInt8]?
  func replace(_ name: String, with bytes: [UInt8]) throws(StorageError)
  func remove(_ name: String)
  /// A number that changes when files are added, changed or removed.
  var signature: Int { get }
}

/// Folders that hold files of one kind together. They are read from all.
extension Array where Element == any SpoolFolder {
  /// Writes a file to the first folder that accepts it and outlives a restart. If none does, it is
  /// written to all others, because not every program finds the same ones.
  package func replace(_ name: String, with bytes: [UInt8]) throws(StorageError) {
    var failure: StorageError?
    var isKept = false
    for folder in self {
      do throws(StorageError) {
        try folder.replace(name, with: bytes)
        isKept = true
        if folder.outlivesRestart { return }
      } catch {
        failure = failure ?? error
      }
    }
    if !isKept { throw failure ?? .unknown("there is no place beside the store") }
  }

  package func remove(_ name: String) {
    for folder in self { folder.remove(name) }
  }

  /// A value that changes when files are added, changed or removed.
  package var signature: [Int] { map(\.signature) }
}
