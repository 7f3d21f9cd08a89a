extension Effect {
  /// This effect after a time in which no other of the same id came; an earlier one that still waits
  /// is cancelled.
  ///
  /// - Parameters:
  ///   - id: The name of the effect; see `cancellable(id:cancelInFlight:)`.
  ///   - duration: How long it waits.
  ///   - clock: Measures the time; the dependency `continuousClock` if left out.
  public func debounce(
    id: some Hashable & Sendable, for duration: Duration, clock: (any Clock<Duration>)? = nil
  ) -> Self {
    guard operation != nil else { return .none }
    let clock = clock ?? DependencyValues.current.continuousClock
    return .concatenate(.run { _ in try await clock.sleep(for: duration) }, self)
      .cancellable(id: id, cancelInFlight: true)
  }
}
