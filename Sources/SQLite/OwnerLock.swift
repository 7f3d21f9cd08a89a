import Glibc
import Synchronization

/// The right to do something, which one holder has at a time; the system takes it back when the
/// holder's process ends.
final class OwnerLock: Sendable {
  private let path: String
  private let descriptor = Mutex<Int32?>(nil)

  init(path: String) { self.path = path }

  deinit { give() }

  /// - Returns: Whether this has it now and had not before.
  func take() -> Bool {
    descriptor.withLock { descriptor in
      guard descriptor == nil else { return false }
      let opened = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard opened >= 0 else { return false }
      guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
        close(opened)
        return false
      }
      descriptor = opened
      return true
    }
  }

  func give() {
    descriptor.withLock { descriptor in
      if let opened = descriptor { close(opened) }
      descriptor = nil
    }
  }
}
