import Synchronization

extension Store {
  /// Calls a closure when a projection of the state has changed, at most once per turn.
  ///
  /// - Parameters:
  ///   - projection: The part of the state to observe.
  ///   - onChange: Called with the new value after each turn that changed the projection.
  /// - Returns: A token. The observation ends when the token is cancelled or deallocated.
  public func observe<Value: Equatable>(
    _ projection: @escaping @MainActor (State) -> Value,
    onChange: @escaping @MainActor (Value) -> Void
  ) -> ObservationToken {
    let core = core
    var last = core.read { projection(copy $0) }
    var sharedStamp = core.turns.sharedStamp
    return observeTurns {
      guard let value = core.read({ projection(copy $0) }) else { return }
      let newStamp = core.turns.sharedStamp
      let isSame =
        newStamp == sharedStamp
        ? value == last : SharedComparison.areEqual(value, last, unchangedSince: sharedStamp)
      sharedStamp = newStamp
      if isSame { return }
      last = value
      onChange(value)
    }
  }

  /// Calls a closure when the state has changed, at most once per turn.
  ///
  /// The observation keeps a copy of the last state for comparison, so the next change to a large
  /// collection copies its storage. Observe a projection of such a state instead.
  public func observe(_ onChange: @escaping @MainActor () -> Void) -> ObservationToken
  where State: Equatable {
    observe({ $0 }, onChange: { _ in onChange() })
  }

  /// Calls a closure after each turn, for a state that isn't `Equatable`.
  public func observe(_ onChange: @escaping @MainActor () -> Void) -> ObservationToken {
    observeTurns(onChange)
  }

  /// Returns a stream of a projection's values: the current one, then each that differs, at most
  /// one per turn.
  ///
  /// A slow reader gets the newest value; those in between are dropped.
  public func values<Value: Equatable & Sendable>(
    of projection: @escaping @MainActor (State) -> Value
  ) -> AsyncStream<Value> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      if let value = core.read({ projection(copy $0) }) { continuation.yield(value) }
      let token = observe(projection) { continuation.yield($0) }
      continuation.onTermination = { _ in token.cancel() }
    }
  }

  private func observeTurns(_ onTurn: @escaping @MainActor () -> Void) -> ObservationToken {
    let flag = CancellationFlag()
    let observer = Observer(flag: flag, onTurn: onTurn)
    core.turns.add(observer)
    return ObservationToken(observer: observer, flag: flag)
  }
}

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
