public import Composable
public import Domain

/// When something that failed is tried again: after a while that grows, with some jitter, so that
/// many that failed together do not come back together.
public struct RetryPolicy: Sendable {
  /// How often it is tried again after the first time.
  public var maxRetries: Int
  /// In seconds.
  public var firstDelay: Double
  /// What each delay is of the one before.
  public var factor: Double
  /// How far a delay may lie beside its mark, as a share of it.
  public var jitter: Double
  /// No delay is longer, in seconds.
  public var ceiling: Double
  /// Which errors are tried again; those for which ``AppError/isRetryable`` is true, unless given.
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
  /// For what a person waits for.
  public static let aggressive = Self(maxRetries: 5, firstDelay: 0.2, factor: 1.5, jitter: 0.1)

  /// The seconds between an attempt and the next; the first attempt counts as 1.
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

/// Tries an operation again as long as the policy allows it for the error and has retries left.
///
/// A service's own wish to wait is honoured, and a cancelled task never tries again.
/// - Parameters:
///   - onRetry: Called before each pause, with what went wrong and how long it is.
public func withRetry<Value, Failure: AppError>(
  _ policy: RetryPolicy = .default, clock: some Clock<Duration>,
  random: WithRandomNumberGenerator,
  isolation: isolated (any Actor)? = #isolation,
  onRetry: (_ error: Failure, _ attempt: Int, _ pause: Duration) -> Void = { _, _, _ in },
  operation: () async throws(Failure) -> Value
) async throws(Failure) -> Value {
  var attempt = 1
  while true {
    do throws(Failure) {
      return try await operation()
    } catch {
      guard attempt <= policy.maxRetries, policy.retryableErrors(error), !Task.isCancelled else {
        throw error
      }
      let delay = random { policy.delay(afterAttempt: attempt, random: &$0) }
      let pause = max(.seconds(delay), (error as? NetworkError)?.wish ?? .zero)
      onRetry(error, attempt, pause)
      // Cancelling throws what went wrong last.
      guard (try? await clock.sleep(for: pause)) != nil else { throw error }
      attempt += 1
    }
  }
}

extension NetworkError {
  /// How long the service wants to be left alone.
  fileprivate var wish: Duration? {
    guard case .rateLimited(let span?) = self else { return nil }
    return .seconds(span.seconds)
  }
}
