extension Clock where Duration == Swift.Duration {
  /// Returns a sequence that ticks at regular intervals, first after one interval.
  ///
  /// ```swift
  /// for await _ in clock.timer(interval: .seconds(1)) { await send(.ticked) }
  /// ```
  ///
  /// A late tick doesn't delay the next one. The sequence ends when its task is cancelled.
  public func timer(
    interval: Duration, tolerance: Duration? = nil
  ) -> ClockTimer {
    ClockTimer(start: {
      var next = self.now
      return {
        next = next.advanced(by: interval)
        do {
          try await self.sleep(until: next, tolerance: tolerance)
          return true
        } catch {
          return false
        }
      }
    })
  }
}

/// A sequence of a clock's ticks; see `Clock.timer(interval:tolerance:)`.
public struct ClockTimer: AsyncSequence, Sendable {
  /// A tick has no value.
  public typealias Element = Void
  /// A timer never throws.
  public typealias Failure = Never

  let start: @Sendable () -> () async -> Bool

  /// Starts a timer.
  public func makeAsyncIterator() -> Iterator { Iterator(tick: start()) }

  /// A running timer.
  public struct Iterator: AsyncIteratorProtocol {
    let tick: () async -> Bool

    /// Waits for the next tick. Returns `nil` after cancellation.
    public mutating func next() async -> Void? { await next(isolation: #isolation) }

    /// Waits for the next tick. Returns `nil` after cancellation.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Void? {
      await tick() ? () : nil
    }
  }
}
