public import Domain
public import FoundationEssentials

/// When a message is tried again, for each way in which an attempt can end (CHN-2).
public struct DeliveryPolicy: Sendable {
  /// Passing faults.
  public var retry = RetryPolicy(
    maxRetries: .max, firstDelay: 0.5, factor: 2, jitter: 0.2, ceiling: 300)
  /// Limits of the day, greylisting and mail's 4xx.
  public var limited = RetryPolicy(
    maxRetries: .max, firstDelay: 0.5, factor: 2, jitter: 0.2, ceiling: 900)
  /// After the first, second and third attempt that may have delivered it. There is no fifth
  /// attempt, so that nobody gets more than four copies.
  public var ambiguous: [TimeSpan] = [.minutes(2), .minutes(10), .minutes(30)]
  /// After the first attempt whose recipient is unknown. There is no third.
  public var unknownRecipient: [TimeSpan] = [.hours(1)]
  /// Between two probes of a login, a token or a policy that was refused. The last pause repeats.
  public var accessRefused: [TimeSpan] = [
    .minutes(5), .minutes(10), .minutes(20), .minutes(40), .minutes(60),
  ]
  /// Between two attempts while our settings are wrong and nothing can be locked.
  public var misconfigured = TimeSpan.minutes(1)
  /// The most that is granted of the delay that a service asks for: somebody may wait for help.
  public var longestWish = TimeSpan.minutes(5)
  /// How long after it was planned a message is tried at this pace.
  public var lifetime = TimeSpan.hours(24)
  /// Between two attempts of a call for help after that, until its alert ends.
  public var afterLifetime = TimeSpan.hours(1)
  /// How long after it was planned a drill's call is given up: a drill reports in minutes. Those who
  /// got the call hear the end, however long that takes.
  public var drillLifetime = TimeSpan.minutes(2)

  public init() {}

  public static let standard = DeliveryPolicy()
}

extension DeliveryPolicy {
  /// Returns when to try a message again after an attempt.
  ///
  /// A refused login or token, wrong settings and a delay that a service asks for also hold up the
  /// other messages that go the same way; ``pause(after:refusals:)`` says for how long.
  /// - Returns: `nil` if there is nothing to try again, or no time left.
  public func nextAttempt(
    after outcome: DeliveryOutcome, of delivery: ClaimedDelivery, now: Date,
    random: inout some RandomNumberGenerator
  ) -> Date? {
    let attempts = delivery.earlier.adding(outcome)
    let pause: Double
    switch outcome {
    case .sent: return nil
    case .retry(_, let wish):
      pause = max(
        retry.delay(afterAttempt: delivery.attempt, random: &random), granted(wish))
    case .limited(_, let wish):
      pause = max(
        limited.delay(afterAttempt: delivery.attempt, random: &random), granted(wish))
    case .ambiguous:
      guard let step = ambiguous.step(attempts.ambiguous) else { return nil }
      pause = step
    case .permanent:
      guard let step = unknownRecipient.step(attempts.run) else { return nil }
      pause = step
    case .accessRefused(_, .message):
      pause = accessRefused.step(min(attempts.run, accessRefused.count)) ?? 0
    case .misconfigured, .accessRefused(_, .login): pause = Double(misconfigured.seconds)
    }
    let date = now.addingTimeInterval(pause)
    if delivery.alert?.kind == .drill, delivery.stage.isCall {
      return date <= delivery.plannedAt + drillLifetime ? date : nil
    }
    switch outcome {
    // The message never had a chance, so its time isn't up.
    case .misconfigured, .accessRefused: return date
    default: break
    }
    guard date > delivery.plannedAt + lifetime else { return date }
    guard delivery.stage.isCall, delivery.alert?.isActive == true else { return nil }
    return max(date, now + afterLifetime)
  }

  /// Returns how long all messages wait that go the same way as one whose attempt has ended.
  /// - Parameter refusals: How many probes in a row were refused, including this one.
  /// - Returns: `nil` if they don't wait.
  public func pause(after outcome: DeliveryOutcome, refusals: Int) -> TimeSpan? {
    switch outcome {
    case .accessRefused(_, .login):
      accessRefused[min(max(1, refusals), accessRefused.count) - 1]
    case .misconfigured: misconfigured
    case .retry(_, let wish?), .limited(_, let wish?): min(wish, longestWish)
    default: nil
    }
  }

  /// Returns the longest of those pauses after some refusals in a row.
  public func longestPause(refusals: Int) -> TimeSpan {
    max(longestWish, accessRefused[min(max(1, refusals), accessRefused.count) - 1])
  }

  private func granted(_ wish: TimeSpan?) -> Double {
    Double(min(wish ?? .zero, longestWish).seconds)
  }
}

extension [TimeSpan] {
  /// Returns the pause in seconds after the attempt of a number, counted from 1; `nil` after the
  /// last.
  fileprivate func step(_ number: Int) -> Double? {
    indices.contains(number - 1) ? Double(self[number - 1].seconds) : nil
  }
}
