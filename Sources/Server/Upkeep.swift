import FoundationEssentials
import Synchronization

/// A task that runs a body every second until it is released.
final class Upkeep: Sendable {
  private let task = Mutex<Task<Void, Never>?>(nil)
  private let last = Mutex(Date.distantPast)

  func start(_ body: @escaping @Sendable () async -> Void) {
    task.withLock {
      $0 = Task {
        while (try? await Task.sleep(for: .seconds(1))) != nil { await body() }
      }
    }
  }

  /// Returns whether an hour has passed since this last returned `true`.
  func isHourly(_ now: Date) -> Bool {
    last.withLock { last in
      guard last > now || now.timeIntervalSince(last) >= 3_600 else { return false }
      last = now
      return true
    }
  }

  deinit { task.withLock { $0?.cancel() } }
}
