import Glibc
import Synchronization

/// A right that one holder has at a time. The system takes it back when the holder's process ends.
final class OwnerLock: Sendable {
  private let path: String
  private let descriptor = Mutex<Int32?>(nil)

  init(path: String) { self.path = path }

  deinit { give() }

  /// Takes the right.
  /// - Returns: Whether this holder has it now and didn't have it before.
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
