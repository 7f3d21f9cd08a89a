import Glibc
import Synchronization

/// A right that one holder has at a time. The system takes it back when the holder's process ends.
package final class OwnerLock: Sendable {
  private let path: String
  private let descriptor = Mutex<Int32?>(nil)

  /// - Parameter path: A file, which is made if it doesn't exist, or a folder, which isn't.
  package init(path: String) { self.path = path }

  deinit { give() }

  /// Takes the right.
  /// - Parameter unknown: The answer if nobody can tell, because the file can't be opened.
  /// - Returns: Whether this holder has it now and didn't have it before.
  package func take(else unknown: Bool = false) -> Bool {
    descriptor.withLock { descriptor in
      guard descriptor == nil else { return false }
      var opened = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
      if opened < 0 { opened = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) }
      guard opened >= 0 else { return unknown }
      guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
        close(opened)
        return false
      }
      descriptor = opened
      return true
    }
  }

  package func give() {
    descriptor.withLock { descriptor in
      if let opened = descriptor { close(opened) }
      descriptor = nil
    }
  }
}
