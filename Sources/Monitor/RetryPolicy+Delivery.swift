import Clients
import Domain
import FoundationEssentials

extension RetryPolicy {
  /// CHN-2: after 0.5 s, then twice as long each time, ±20 %, at most 5 min, until 24 h after the
  /// message was planned.
  static let delivery = RetryPolicy(
    maxRetries: .max, firstDelay: 0.5, factor: 2, jitter: 0.2, ceiling: 300)
  static let lifetime = TimeSpan.hours(24)
  /// Our own settings are wrong: trying often does not fix them, and they may be fixed any time.
  static let slowDelay = 60.0

  /// When an attempt that did not succeed is made again.
  /// - Returns: `nil` when there is nothing to try again, or no time left to do so.
  func nextAttempt(
    after outcome: DeliveryOutcome, of delivery: ClaimedDelivery, now: Date,
    random: inout some RandomNumberGenerator
  ) -> Date? {
    let wish: TimeSpan?
    switch outcome {
    case .sent, .permanent: return nil
    case .misconfigured:
      // The message never had a chance, so it does not grow old in the meantime.
      return now.addingTimeInterval(Self.slowDelay)
    case .retry(_, let after): wish = after
    case .ambiguous: wish = nil
    }
    let delay = delay(afterAttempt: delivery.attempt, random: &random)
    let date = now.addingTimeInterval(max(delay, Double(wish?.seconds ?? 0)))
    return date <= delivery.plannedAt + Self.lifetime ? date : nil
  }
}
