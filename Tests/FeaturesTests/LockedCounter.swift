import Synchronization

/// Counts calls from any task.
final class LockedCounter: Sendable {
  private let count = Mutex(0)
  @discardableResult func increment() -> Int {
    count.withLock {
      $0 += 1
      return $0
    }
  }
  var value: Int { count.withLock { $0 } }
}
