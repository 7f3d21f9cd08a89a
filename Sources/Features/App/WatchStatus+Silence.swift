import Domain
import FoundationEssentials

extension WatchStatus {
  /// A monitor shows itself every 10 s. One that has missed its turn may be late, or may have been
  /// killed; its lease says so only after 30 s.
  static let silenceLimit = TimeSpan.seconds(12)

  /// How long nothing was heard of monitors that are said to be alive, where that is too long.
  func silence(at now: Date) -> TimeSpan? {
    guard monitors > 0, let lastSeen else { return nil }
    let silence = TimeSpan(seconds: Int(bounded: now.timeIntervalSince(lastSeen)))
    return silence >= Self.silenceLimit ? silence : nil
  }

  /// When ``silence(at:)`` is another one, unless somebody is heard of before.
  func nextVisibleChange(after now: Date) -> Date? {
    guard monitors > 0, let lastSeen else { return nil }
    let second = TimeSpan(seconds: Int(bounded: now.timeIntervalSince(lastSeen).rounded(.down)) + 1)
    return lastSeen + max(second, Self.silenceLimit)
  }
}
