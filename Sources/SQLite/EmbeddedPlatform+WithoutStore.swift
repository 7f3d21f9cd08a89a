public import Clients
import Domain
public import FoundationEssentials
import Store

extension EmbeddedPlatform {
  /// Returns a platform with only what belongs to this machine, such as secrets and the error log,
  /// because the accounts are elsewhere. Everything that needs a store fails.
  /// - Parameter fault: The error that it fails with.
  public static func withoutStore(
    folders: Folders, fault: StorageError, now: @escaping @Sendable () -> Date,
    secretCommand: @escaping SecretCommandProvider = { _ in nil }
  ) throws(StorageError) -> EmbeddedPlatform {
    try withoutStore(
      folders: folders, fault: fault, now: now, keyring: true, secretCommand: secretCommand)
  }

  /// Returns the same, with or without the desktop's keyring.
  /// - Parameter keyring: Whether the desktop's keyring is used; tests leave it alone.
  package static func withoutStore(
    folders: Folders, fault: StorageError, now: @escaping @Sendable () -> Date, keyring: Bool,
    secretCommand: @escaping SecretCommandProvider = { _ in nil }
  ) throws(StorageError) -> EmbeddedPlatform {
    try EmbeddedPlatform(
      place: NoPlace(fault: fault), folders: folders, now: now, waits: true,
      secretCommand: secretCommand, keyring: keyring)
  }

  /// Returns a secret from this machine's file of secrets.
  public func keptSecret(_ name: String) throws(KeychainError) -> String? {
    try secretStore.get(name)
  }

  /// Writes a secret to this machine's file of secrets.
  /// - Parameter secret: The secret, or `nil` to delete it.
  public func keepSecret(_ name: String, _ secret: String?) throws(KeychainError) {
    try secretStore.set(name, secret)
  }

  /// Returns the bytes of a file that nobody else can read; `nil` if there is none.
  public static func privateBytes(of path: String) throws(StorageError) -> [UInt8]? {
    try PrivateFiles.contents(of: path)
  }

  /// Replaces a file that nobody else can read, in a folder that is made if it is missing.
  public static func keepPrivate(
    _ bytes: [UInt8], as name: String, in folder: String
  ) throws(StorageError) {
    try PrivateFiles.makeFolder(folder)
    try PrivateFiles.replace(folder + "/" + name, with: bytes)
  }
}

/// A place without a store.
private struct NoPlace: StorePlace {
  let fault: StorageError

  let blobs: any BlobStore = MemoryPlace().blobs
  let spools: [any SpoolFolder] = []
  let isUnwatched = false

  func makeExecutor() -> any StoreExecutor { StoreThread() }
  func open(again: Bool, now: Date) throws(StorageError) -> OpenStore { throw fault }
  func makingRoom<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value { try body() }
}
