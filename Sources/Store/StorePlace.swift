package import Clients
import Domain
package import FoundationEssentials

/// Where a store is: in files of this machine, or in memory only.
package protocol StorePlace: Sendable {
  /// Makes something on which a store, or what stands beside it, runs.
  func makeExecutor() -> any StoreExecutor
  var blobs: any BlobStore { get }
  /// Where alerts wait for a store that can't be written (ALT-7).
  var spools: [any SpoolFolder] { get }
  /// Whether the store is damaged, and nobody is watched.
  var isUnwatched: Bool { get }
  /// By which other programs hear of a change sooner; `nil` where looking costs nothing.
  var hints: (any StoreHints)? { get }

  /// - Parameter again: Whether this process had it open: then none is made.
  func open(again: Bool, now: Date) throws(StorageError) -> OpenStore
  /// Does something, and once more with room made for it where there was too little.
  func makingRoom<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value
}

extension StorePlace {
  package var hints: (any StoreHints)? { nil }
}

/// Hints between the programs of a store that something was written. They carry no truth: one that is lost
/// is made good by the next look.
package protocol StoreHints: Sendable {
  /// Says that something was written and kept. It doesn't wait.
  func send()
  /// Has the body called, on any thread, when somebody may have written.
  func receive(_ body: @escaping @Sendable () -> Void)
}

/// A connection, and what says to other processes that the store is in use as long as it lives.
package struct OpenStore {
  var connection: any SQLConnection
  /// Says so until it is let go; `nil` where there are no others.
  var lock: AnyObject?

  package init(_ connection: any SQLConnection, lock: AnyObject? = nil) {
    self.connection = connection
    self.lock = lock
  }
}

/// The bytes of documents and pictures, each under its identity.
package protocol BlobStore: Sendable {
  /// Begins a file, under a name that is not its own yet.
  func begin(_ id: UUID) throws(StorageError) -> any BlobWriter
  /// Part of a file that was of some size when it was stored.
  func read(
    _ id: UUID, size: Int, offset: Int, count: Int
  ) throws(ClientError) -> Data
  func delete(_ ids: [UUID])
}

/// A file that is being written. Until it has its name it goes with its last user.
package protocol BlobWriter: AnyObject, Sendable {
  func append(_ data: Data) throws(StorageError)
  /// Makes the bytes last.
  func synchronize() throws(StorageError)
  /// Gives the file its name, within the transaction that makes its row.
  func takeName() throws(StorageError)
}

/// Where the tokens of sessions are kept.
package protocol SecretStore: Sendable {
  func get(_ name: String) throws(KeychainError) -> String?
  func set(_ name: String, _ secret: String?) throws(KeychainError)
}

/// A few small files beside the store.
package protocol SpoolFolder: Sendable {
  var names: [String] { get }
  func contents(of name: String) throws(StorageError) -> [UInt8]?
  func replace(_ name: String, with bytes: [UInt8]) throws(StorageError)
  func remove(_ name: String)
  /// Differs where files came, changed or went.
  var signature: Int { get }
}
