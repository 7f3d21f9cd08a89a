extension Store {
  /// Tells when a projection of the state has changed: once per turn, with the last state.
  ///
  /// - Parameters:
  ///   - projection: The part that matters.
  ///   - onChange: Told after the turn in which the projection changed.
  /// - Returns: A token; the observation ends when it is cancelled or let go.
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

  /// Tells when the state has changed: once per turn.
  ///
  /// It keeps a copy of the last state to compare with, so a large list in the state is copied by
  /// its next change: for such a state observe a projection.
  public func observe(_ onChange: @escaping @MainActor () -> Void) -> ObservationToken
  where State: Equatable {
    observe({ $0 }, onChange: { _ in onChange() })
  }

  /// Tells when a turn is over, for a state that cannot be compared.
  public func observe(_ onChange: @escaping @MainActor () -> Void) -> ObservationToken {
    observeTurns(onChange)
  }

  /// The values of a projection: the current one, then each that differs, at most one per turn.
  ///
  /// A slow reader gets the newest value; what it missed in between is dropped.
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
