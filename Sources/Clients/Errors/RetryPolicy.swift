public import Composable
public import Domain

/// The rule by which a failed operation is tried again: after a growing delay with some jitter, so
/// that operations that failed together are not retried together.
public struct RetryPolicy: Sendable {
  /// The number of retries after the first attempt.
  public var maxRetries: Int
  /// The first delay, in seconds.
  public var firstDelay: Double
  /// The ratio of each delay to the one before.
  public var factor: Double
  /// The most that a delay deviates, as a share of it.
  public var jitter: Double
  /// The longest delay, in seconds.
  public var ceiling: Double
  /// The errors that are retried, by default those with ``AppError/isRetryable``.
  public var retryableErrors: @Sendable (any AppError) -> Bool

  public init(
    maxRetries: Int, firstDelay: Double, factor: Double, jitter: Double, ceiling: Double = 300,
    retryableErrors: @escaping @Sendable (any AppError) -> Bool = \.isRetryable
  ) {
    self.maxRetries = maxRetries
    self.retryableErrors = retryableErrors
    self.firstDelay = firstDelay
    self.factor = factor
    self.jitter = jitter
    self.ceiling = ceiling
  }

  public static let `default` = Self(maxRetries: 3, firstDelay: 0.5, factor: 2, jitter: 0.2)
  /// For operations that a person is waiting for.
  public static let aggressive = Self(maxRetries: 5, firstDelay: 0.2, factor: 1.5, jitter: 0.1)
  /// For a program that nobody waits for, and that is alone.
  public static let simple = Self(maxRetries: 3, firstDelay: 1, factor: 2, jitter: 0)

  /// Returns the seconds between an attempt and the next; the first attempt counts as 1.
  /// - Complexity: O(steps until the ceiling).
  public func delay(
    afterAttempt attempt: Int, random: inout some RandomNumberGenerator
  ) -> Double {
    var delay = firstDelay
    var step = 1
    while step < attempt, delay < ceiling {
      delay *= factor
      step += 1
    }
    let share = Double.random(in: 1 - jitter...1 + jitter, using: &random)
    return min(min(delay, ceiling) * share, ceiling)
  }
}

/// Runs an operation, and again as long as the policy allows it for the error and has retries left.
///
/// A wait that the service asks for is respected, and a cancelled task is not retried.
/// - Parameters:
///   - limit: The time after the start within which the last attempt begins; `nil` for any.
///   - onRetry: Called before each pause, with the error, the attempt and the length of the pause.
public func withRetry<Value, Failure: AppError>(
  _ policy: RetryPolicy = .default, clock: some Clock<Duration>,
  random: WithRandomNumberGenerator, within limit: Duration? = nil,
  isolation: isolated (any Actor)? = #isolation,
  onRetry: (_ error: Failure, _ attempt: Int, _ pause: Duration) -> Void = { _, _, _ in },
  operation: () async throws(Failure) -> Value
) async throws(Failure) -> Value {
  let elapsed = stopwatch(of: clock)
  var attempt = 1
  while true {
    do throws(Failure) {
      return try await operation()
    } catch {
      guard attempt <= policy.maxRetries, policy.retryableErrors(error), !Task.isCancelled else {
        throw error
      }
      let delay = random { policy.delay(afterAttempt: attempt, random: &$0) }
      let wish = Duration.seconds(error.text.retryAfter?.seconds ?? 0)
      let pause = max(Duration.seconds(delay), wish)
      if let limit, elapsed() + pause >= limit { throw error }
      onRetry(error, attempt, pause)
      // If the task is cancelled, throw the last error.
      guard (try? await clock.sleep(for: pause)) != nil else { throw error }
      attempt += 1
    }
  }
}

/// Returns a function that returns the time since this call.
private func stopwatch<C: Clock<Duration>>(of clock: C) -> () -> Duration {
  let start = clock.now
  return { start.duration(to: clock.now) }
}
