import Synchronization

/// Notifies the stores of a program, or of a test, that a shared value has changed.
package final class SharedSignal: Sendable {
  /// A store's registration, which is active while the store retains it.
  package final class Listener: Sendable {
    private let isScheduled = Atomic(false)
    private let onChange: @MainActor @Sendable () -> Void

    fileprivate init(_ onChange: @escaping @MainActor @Sendable () -> Void) {
      self.onChange = onChange
    }

    /// Schedules one call on the main actor, which covers all changes made before it runs.
    fileprivate func notify() {
      guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
      DependencyValues.withoutOverrides {
        _ = Task { @MainActor [weak self] in
          self?.isScheduled.store(false, ordering: .releasing)
          self?.onChange()
        }
      }
    }
  }

  private struct WeakListener: Sendable { weak var listener: Listener? }

  private let lastStamp = Atomic<UInt64>(0)
  private let listeners = Mutex<[WeakListener]>([])

  /// The number of the last change.
  var stamp: UInt64 { lastStamp.load(ordering: .acquiring) }

  /// Returns the number of a new change. Call `notify` once the change is made.
  func nextStamp() -> UInt64 { lastStamp.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue }

  /// Notifies the listeners of a change. Can be called on any thread.
  func notify() { for entry in listeners.withLock({ $0 }) { entry.listener?.notify() } }

  func listen(_ onChange: @escaping @MainActor @Sendable () -> Void) -> Listener {
    let listener = Listener(onChange)
    listeners.withLock { listeners in
      listeners.removeAll { $0.listener == nil }
      listeners.append(WeakListener(listener: listener))
    }
    return listener
  }
}

/// Compares two values that can contain the same shared value. It reads the same on both sides, so
/// whether it has changed is tracked separately.
final class SharedComparison: Sendable {
  @TaskLocal static var current: SharedComparison?

  private let stamp: UInt64
  private let hasChanged = Atomic(false)

  private init(since stamp: UInt64) { self.stamp = stamp }

  /// Records that a shared value with the given stamp is being compared.
  func note(_ stamp: UInt64) {
    if stamp > self.stamp { hasChanged.store(true, ordering: .relaxed) }
  }

  /// Returns whether two values are equal and no shared value in them has changed since a stamp.
  static func areEqual<Value: Equatable>(
    _ first: Value?, _ second: Value?, unchangedSince stamp: UInt64
  ) -> Bool {
    let comparison = SharedComparison(since: stamp)
    return $current.withValue(comparison) { first == second }
      && !comparison.hasChanged.load(ordering: .relaxed)
  }
}
