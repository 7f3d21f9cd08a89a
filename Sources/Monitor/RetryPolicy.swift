import Domain
import FoundationEssentials

/// When an attempt that did not succeed is made again (CHN-2): after 0.5 s, then twice as long each
/// time, ±20 %, at most 5 min, until 24 h after the message was planned.
enum RetryPolicy {
  static let firstDelay = 0.5
  static let ceiling = 300.0
  static let jitter = 0.2
  static let lifetime = TimeSpan.hours(24)
  /// Our own settings are wrong: trying often does not mend them, and they may be mended any time.
  static let slowDelay = 60.0

  /// - Returns: `nil` when there is nothing to try again, or no time left to do so.
  static func nextAttempt(
    after outcome: DeliveryOutcome, of delivery: ClaimedDelivery, now: Date,
    random: inout some RandomNumberGenerator
  ) -> Date? {
    switch outcome {
    case .sent, .permanent: return nil
    case .misconfigured:
      // The message never had a chance, so it does not grow old meanwhile.
      return now.addingTimeInterval(slowDelay)
    case .retry(_, let wish):
      let delay = delay(afterAttempt: delivery.attempt, random: &random)
      return date(now, max(delay, Double(wish?.seconds ?? 0)), delivery)
    case .ambiguous:
      return date(now, delay(afterAttempt: delivery.attempt, random: &random), delivery)
    }
  }

  /// In seconds; the first attempt counts as 1.
  static func delay(
    afterAttempt attempt: Int, random: inout some RandomNumberGenerator
  ) -> Double {
    var delay = firstDelay
    for _ in 1..<max(1, min(attempt, 20)) { delay = min(delay * 2, ceiling) }
    return min(delay * Double.random(in: 1 - jitter...1 + jitter, using: &random), ceiling)
  }

  private static func date(_ now: Date, _ delay: Double, _ delivery: ClaimedDelivery) -> Date? {
    let date = now.addingTimeInterval(delay)
    return date <= delivery.plannedAt + lifetime ? date : nil
  }
}
