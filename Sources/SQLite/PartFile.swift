import Clients
import FoundationEssentials
import Glibc
import Synchronization

/// A file that is being written. Until it has its name it goes with its last user.
///
/// Its lock says that somebody still writes it, and ends with the process however that ends.
final class PartFile: Sendable {
  static let suffix = ".part"

  private let path: String
  private let descriptor: Int32
  private let hasName = Mutex(false)

  /// - Parameter path: The name that the file gets when it is whole.
  init(path: String) throws(StorageError) {
    self.path = path
    let descriptor = open(
      path + Self.suffix, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw PrivateFiles.failure("a file could not be made") }
    self.descriptor = descriptor
    // A program that has just opened the store may have taken it for abandoned.
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

  /// Makes the bytes last.
  func synchronize() throws(StorageError) {
    guard fsync(descriptor) == 0 else { throw PrivateFiles.failure("a file could not be kept") }
  }

  /// Gives the file its name, within the transaction that makes its row. Should that transaction not
  /// come to its end, the file goes at the next opening: only then is it known that there is no row.
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
