extension Clock where Duration == Swift.Duration {
  /// Ticks in regular intervals, the first time after one interval.
  ///
  /// ```swift
  /// for await _ in clock.timer(interval: .seconds(1)) { await send(.ticked) }
  /// ```
  ///
  /// A tick that comes late does not delay the next. The sequence ends when its task is cancelled.
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

/// The ticks of a clock: see `Clock.timer(interval:)`.
public struct ClockTimer: AsyncSequence, Sendable {
  /// A tick has no value.
  public typealias Element = Void
  /// A timer ends; it never fails.
  public typealias Failure = Never

  let start: @Sendable () -> () async -> Bool

  /// Starts the timer.
  public func makeAsyncIterator() -> Iterator { Iterator(tick: start()) }

  /// A timer that runs.
  public struct Iterator: AsyncIteratorProtocol {
    let tick: () async -> Bool

    /// Waits for the next tick; `nil` after cancellation.
    public mutating func next() async -> Void? { await next(isolation: #isolation) }

    /// Waits for the next tick; `nil` after cancellation.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Void? {
      await tick() ? () : nil
    }
  }
}
