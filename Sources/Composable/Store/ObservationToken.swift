import Synchronization

/// Keeps an observation alive. The observation ends when the token is cancelled or deallocated.
public final class ObservationToken: Sendable {
  private let observer: Observer
  private let flag: CancellationFlag

  init(observer: Observer, flag: CancellationFlag) {
    self.observer = observer
    self.flag = flag
  }

  /// Ends the observation.
  public func cancel() { flag.cancel() }

  deinit { flag.cancel() }
}

/// A flag that is set once, from any thread.
final class CancellationFlag: Sendable {
  private let value = Atomic(false)

  var isCancelled: Bool { value.load(ordering: .acquiring) }

  func cancel() { value.store(true, ordering: .releasing) }
}
