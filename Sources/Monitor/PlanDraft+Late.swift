import Domain
import FoundationEssentials

/// Deadlines that passed while no monitor was running (ESC-4).
extension PlanDraft {
  /// Restarts the grace time if the deadline passed while no monitor was running, or zone data has
  /// brought it into the past (SCH-3), because the person could not be notified. Happens once per deadline, and not if they were notified in
  /// time.
  ///
  /// A grace time that starts far in the future was written by a wrong clock and doesn't count
  /// (ESC-5). One that starts slightly ahead was written by another monitor after this one read its
  /// clock.
  mutating func restartGraceIfUnwatched() {
    guard now >= user.deadline.date, graceFrom == nil, !isRaised, !wasNotifiedInTime,
      wasUnwatched(at: user.deadline.date) || account.hasEarlierSetTime
    else { return }
    restartGrace()
  }

  /// Whether an alert exists for the running deadline.
  ///
  /// Changing the interval begins another sequence without a check-in. If an earlier missed alert
  /// is still on, the person hasn't been heard from, and those who were notified need no second
  /// message.
  var isRaised: Bool {
    account.alerts.contains {
      $0.kind == .missed && ($0.isActive || $0.sequence == user.checkInSequence)
    }
  }

  /// Whether the grace time restarted.
  var hasRestartedGrace: Bool { graceFrom != nil }

  /// When the grace time restarted, or `nil` if it didn't.
  private var graceFrom: Date? {
    plan.graceFrom ?? user.graceFrom.flatMap { $0 <= now + WatchStatus.longestGap ? $0 : nil }
  }

  /// When the responders are notified.
  var graceEnd: Date { max(user.deadline.date, graceFrom ?? user.deadline.date) + user.grace }

  /// The message to the person once the deadline has passed.
  var deadlineStage: Stage { graceFrom == nil ? .deadlinePassed : .noticedLate }

  /// How much later than promised the responders are notified, because no monitor was running;
  /// `nil` if the delay is negligible.
  func lateness(after promised: Date, isRestarted: Bool) -> TimeSpan? {
    guard isRestarted || wasUnwatched(at: promised) else { return nil }
    let late = TimeSpan.minutes(Int(bounded: now.timeIntervalSince(promised)) / 60)
    return late > WatchStatus.longestGap ? late : nil
  }

  private var wasNotifiedInTime: Bool {
    account.shownStages.contains(.deadlinePassed)
      || deliveries(of: running).contains { $0.stage == .deadlinePassed && $0.state != .cancelled }
  }

  /// Returns whether no monitor was running at `date`, nor started soon after.
  func wasUnwatched(at date: Date) -> Bool {
    account.watchedSince.map { $0 > date + WatchStatus.longestGap } ?? false
  }
}
