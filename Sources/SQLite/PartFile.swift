import Clients
import FoundationEssentials
import Glibc
import Synchronization

/// A file that is being written. Until it has its name, it is deleted with its last reference.
///
/// Its lock shows that it is still being written, and ends with the process, however that ends.
final class PartFile: Sendable {
  static let suffix = ".part"

  private let path: String
  private let descriptor: Int32
  private let hasName = Mutex(false)

  /// - Parameter path: The name that the file gets when it is complete.
  init(path: String) throws(StorageError) {
    self.path = path
    let descriptor = open(
      path + Self.suffix, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw PrivateFiles.failure("a file could not be made") }
    self.descriptor = descriptor
    // A program that has just opened the store may have considered it abandoned.
    var information = stat()
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &information) == 0,
      information.st_nlink == 1
    else { throw .busy }
  }

  deinit {
    if !hasName.withLock({ $0 }) { unlink(path + Self.suffix) }
    close(descriptor)
  }

  func append(_ data: Data) throws(StorageError) {
    try PrivateFiles.write(data, to: descriptor, "a file")
  }

  /// Makes the bytes survive a power cut.
  func synchronize() throws(StorageError) {
    guard fsync(descriptor) == 0 else { throw PrivateFiles.failure("a file could not be kept") }
  }

  /// Gives the file its name, within the transaction that inserts its row. If that transaction
  /// doesn't end, the file is deleted when the store is next opened: only then is it certain that
  /// there is no row.
  func takeName() throws(StorageError) {
    guard rename(path + Self.suffix, path) == 0 else {
      throw PrivateFiles.failure("a file could not be named")
    }
    hasName.withLock { $0 = true }
    try PrivateFiles.synchronize(folderOf: path)
  }

  /// Deletes a part whose writer is gone.
  static func removeIfAbandoned(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
  }
}
