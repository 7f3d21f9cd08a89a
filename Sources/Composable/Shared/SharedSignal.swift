import Synchronization

/// Tells the stores of a program, or of a test, that a shared value has changed.
package final class SharedSignal: Sendable {
  /// A store that wants to know; it hears as long as it holds this.
  package final class Listener: Sendable {
    private let isTold = Atomic(false)
    private let onChange: @MainActor @Sendable () -> Void

    fileprivate init(_ onChange: @escaping @MainActor @Sendable () -> Void) {
      self.onChange = onChange
    }

    /// Tells of all changes until the main actor is free, once.
    fileprivate func tell() {
      guard !isTold.exchange(true, ordering: .acquiringAndReleasing) else { return }
      DependencyValues.withoutOverrides {
        _ = Task { @MainActor [weak self] in
          self?.isTold.store(false, ordering: .releasing)
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

  /// The number of a change that is made now; `tell` follows when it is made.
  func nextStamp() -> UInt64 { lastStamp.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue }

  /// Tells that something has changed. Called on any thread.
  func tell() { for entry in listeners.withLock({ $0 }) { entry.listener?.tell() } }

  func listen(_ onChange: @escaping @MainActor @Sendable () -> Void) -> Listener {
    let listener = Listener(onChange)
    listeners.withLock { listeners in
      listeners.removeAll { $0.listener == nil }
      listeners.append(WeakListener(listener: listener))
    }
    return listener
  }
}

/// A comparison of two values that may hold the same shared value, which is then read alike on both
/// sides although it has changed.
final class SharedComparison: Sendable {
  @TaskLocal static var current: SharedComparison?

  private let stamp: UInt64
  private let hasChanged = Atomic(false)

  private init(since stamp: UInt64) { self.stamp = stamp }

  /// Notes that a shared value is compared.
  func note(_ stamp: UInt64) {
    if stamp > self.stamp { hasChanged.store(true, ordering: .relaxed) }
  }

  /// Whether two values are equal, and no shared value in them has changed since a stamp.
  static func areEqual<Value: Equatable>(
    _ first: Value?, _ second: Value?, unchangedSince stamp: UInt64
  ) -> Bool {
    let comparison = SharedComparison(since: stamp)
    return $current.withValue(comparison) { first == second }
      && !comparison.hasChanged.load(ordering: .relaxed)
  }
}
