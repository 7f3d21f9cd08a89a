import Clients
import Domain
import FoundationEssentials

extension RetryPolicy {
  /// Retries after 0.5 s, then twice as long each time, ±20 %, at most 5 min, until 24 h after the
  /// message was planned (CHN-2).
  static let delivery = RetryPolicy(
    maxRetries: .max, firstDelay: 0.5, factor: 2, jitter: 0.2, ceiling: 300)
  static let lifetime = TimeSpan.hours(24)
  /// The delay in seconds when our own settings are wrong: retrying often doesn't fix them, but
  /// they can be fixed at any time.
  static let slowDelay = 60.0

  /// Returns when to retry after an attempt that failed.
  /// - Returns: `nil` if there is nothing to retry, or no time left.
  func nextAttempt(
    after outcome: DeliveryOutcome, of delivery: ClaimedDelivery, now: Date,
    random: inout some RandomNumberGenerator
  ) -> Date? {
    let wish: TimeSpan?
    switch outcome {
    case .sent, .permanent: return nil
    case .misconfigured:
      // The message never had a chance, so the 24 hours don't apply.
      return now.addingTimeInterval(Self.slowDelay)
    case .retry(_, let after): wish = after
    case .ambiguous: wish = nil
    }
    let delay = delay(afterAttempt: delivery.attempt, random: &random)
    let date = now.addingTimeInterval(max(delay, Double(wish?.seconds ?? 0)))
    return date <= delivery.plannedAt + Self.lifetime ? date : nil
  }
}
