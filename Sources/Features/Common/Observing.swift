import Clients
import Composable
import Domain

extension Effect where Action: Sendable {
  /// Sends an action for each value of a client's stream. Reopens a stream that fails after a delay
  /// that grows with each failure, without disturbing other streams.
  ///
  /// - Parameters:
  ///   - resumed: An action sent before the first value after a failure.
  ///   - isFinal: Whether an error ends the stream for good.
  static func observing<Value: Sendable>(
    _ clock: any Clock<Duration>,
    _ stream: @escaping @Sendable () -> AsyncThrowingStream<Value, any Error>,
    changed: @escaping @Sendable (Value) -> Action,
    failed: @escaping @Sendable (any Error) -> Action,
    resumed: Action? = nil, isFinal: @escaping @Sendable (any Error) -> Bool = { _ in false }
  ) -> Self {
    .run { send in
      var failures = 0
      while true {
        do {
          for try await value in stream() {
            if failures > 0, let resumed { await send(resumed) }
            failures = 0
            await send(changed(value))
          }
          return
        } catch {
          failures += 1
          await send(failed(error))
          if isFinal(error) { return }
          try await clock.sleep(for: .pause(afterFailures: failures))
        }
      }
    }
  }
}

extension Duration {
  /// The delay before the next attempt.
  static func pause(afterFailures failures: Int) -> Duration {
    var random = SystemRandomNumberGenerator()
    return .seconds(readingPolicy.delay(afterAttempt: failures, random: &random))
  }

  /// The delays between attempts to read. Even permanent errors are retried, because another
  /// process can restore a store.
  private static let readingPolicy = RetryPolicy(
    maxRetries: .max, firstDelay: 0.5, factor: 2, jitter: 0, ceiling: 10)
}
