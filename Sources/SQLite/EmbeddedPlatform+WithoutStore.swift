public import Clients
import Domain
public import FoundationEssentials
import Store

extension EmbeddedPlatform {
  /// What belongs to this machine, where the accounts are elsewhere: secrets and the error log. Whatever would
  /// need a store fails.
  /// - Parameter fault: Why there is none.
  public static func withoutStore(
    folders: Folders, fault: StorageError, now: @escaping @Sendable () -> Date,
    secretCommand: @escaping SecretCommandProvider = { _ in nil }
  ) throws(StorageError) -> EmbeddedPlatform {
    try withoutStore(
      folders: folders, fault: fault, now: now, keyring: true, secretCommand: secretCommand)
  }

  /// - Parameter keyring: Whether the desktop's keyring is asked, too; tests leave it alone.
  package static func withoutStore(
    folders: Folders, fault: StorageError, now: @escaping @Sendable () -> Date, keyring: Bool,
    secretCommand: @escaping SecretCommandProvider = { _ in nil }
  ) throws(StorageError) -> EmbeddedPlatform {
    try EmbeddedPlatform(
      place: NoPlace(fault: fault), folders: folders, now: now, waits: true,
      secretCommand: secretCommand, keyring: keyring)
  }

  /// A secret that is kept in the file of this machine.
  public func keptSecret(_ name: String) throws(KeychainError) -> String? {
    try secretStore.get(name)
  }

  /// - Parameter secret: `nil` to delete it.
  public func keepSecret(_ name: String, _ secret: String?) throws(KeychainError) {
    try secretStore.set(name, secret)
  }

  /// The bytes of a file that nobody else can read; `nil` where there is none.
  public static func privateBytes(of path: String) throws(StorageError) -> [UInt8]? {
    try PrivateFiles.contents(of: path)
  }
}

/// The place of no store.
private struct NoPlace: StorePlace {
  let fault: StorageError

  let blobs: any BlobStore = MemoryPlace().blobs
  let spools: [any SpoolFolder] = []
  let isUnwatched = false

  func makeExecutor() -> any StoreExecutor { StoreQueue() }
  func open(again: Bool, now: Date) throws(StorageError) -> OpenStore { throw fault }
  func makingRoom<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value { try body() }
}
