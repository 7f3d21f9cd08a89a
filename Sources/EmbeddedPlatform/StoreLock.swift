import Clients
import Glibc

/// Says to other processes that the store is in use, as long as it lives.
///
/// A lock on a file of its own rather than on the database: closing any descriptor of a file drops
/// all locks that SQLite has on it in this process.
final class StoreLock {
  private let descriptor: Int32

  /// Whether nobody else had the store open when this lock was taken.
  private(set) var isExclusive: Bool

  /// Takes the lock for itself alone where nobody else has it, else beside the others.
  init(path: String) throws(StorageError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw PrivateFiles.failure("\(path) could not be made") }
    isExclusive = flock(descriptor, LOCK_EX | LOCK_NB) == 0
    if !isExclusive { try share() }
  }

  /// Lets others in.
  ///
  /// Waits while somebody who came first opens the store for itself alone, which takes no longer
  /// than a migration.
  func share() throws(StorageError) {
    while flock(descriptor, LOCK_SH) != 0 {
      guard errno == EINTR else { throw PrivateFiles.failure("The store could not be locked") }
    }
    isExclusive = false
  }

  deinit { close(descriptor) }
}
