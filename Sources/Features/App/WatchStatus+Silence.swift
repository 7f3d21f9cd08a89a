import Domain
import FoundationEssentials

extension WatchStatus {
  /// The silence after which a monitor looks suspicious. A monitor reports every 10 s, and its
  /// lease expires only after 30 s.
  static let silenceLimit = TimeSpan.seconds(12)

  /// The time since the last report of monitors that should be running, or `nil` if it isn't too
  /// long.
  func silence(at now: Date) -> TimeSpan? {
    guard monitors > 0, let lastSeen else { return nil }
    let silence = TimeSpan(seconds: Int(bounded: now.timeIntervalSince(lastSeen)))
    return silence >= Self.silenceLimit ? silence : nil
  }

  /// The next time at which ``silence(at:)`` changes if no monitor reports before.
  func nextVisibleChange(after now: Date) -> Date? {
    guard monitors > 0, let lastSeen else { return nil }
    let second = TimeSpan(seconds: Int(bounded: now.timeIntervalSince(lastSeen).rounded(.down)) + 1)
    return lastSeen + max(second, Self.silenceLimit)
  }
}
