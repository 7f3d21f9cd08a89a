import Clients
import Glibc
import Store

/// A lock that tells other processes, as long as it lives, that the store is in use.
///
/// It is on a separate file rather than on the database: closing any descriptor of a file drops all
/// locks that SQLite has on it in this process.
final class StoreLock {
  private let descriptor: Int32

  /// Whether nobody else had the store open when this lock was taken.
  private(set) var isExclusive: Bool

  /// Takes the lock exclusively if nobody else has it, or else shares it.
  init(path: String) throws(StorageError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw PrivateFiles.failure("\(path) could not be made") }
    isExclusive = flock(descriptor, LOCK_EX | LOCK_NB) == 0
    if !isExclusive { try share() }
  }

  /// Shares the lock with others.
  ///
  /// Waits up to five seconds for a program that is creating or migrating the store.
  /// - Throws: ``StorageError/busy`` after that.
  func share() throws(StorageError) {
    try PrivateFiles.lock(descriptor, LOCK_SH)
    isExclusive = false
  }

  deinit { close(descriptor) }
}
