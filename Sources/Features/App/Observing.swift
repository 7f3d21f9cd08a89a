import Clients
import Composable
import Domain

extension Effect where Action: Sendable {
  /// Sends what a stream of a client says. One that fails is opened again after a while, later each
  /// time, and takes nothing else with it.
  ///
  /// - Parameters:
  ///   - resumed: What is sent before the first value after a failure.
  ///   - isFinal: Whether a failure is the stream's end.
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
  /// How long it takes until the store is asked again.
  static func pause(afterFailures failures: Int) -> Duration {
    var random = SystemRandomNumberGenerator()
    return .seconds(AppFeature.retryPolicy.delay(afterAttempt: failures, random: &random))
  }
}
