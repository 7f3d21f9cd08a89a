import Domain
import FoundationEssentials

/// What a gap in the watch does to a deadline that fell into it (ESC-4).
extension PlanDraft {
  /// Gives the person the grace time again when their deadline passed while nobody watched: they could
  /// not be notified. Once for a deadline, and not where they were notified in time.
  ///
  /// A beginning far in the future is one that a wrong clock wrote, and does not count (ESC-5); a
  /// little ahead is what another monitor wrote after this one had looked at the clock.
  mutating func beginGraceAnew() {
    guard now >= user.deadline.date, graceFrom == nil, !isRaised, !wasToldInTime,
      wasUnwatched(at: user.deadline.date)
    else { return }
    restartGrace()
  }

  /// Whether an alert stands for the running deadline.
  ///
  /// A changed interval begins another sequence without a check-in. While an earlier missed alert is
  /// on, nothing was heard of the person, and those who were notified need no second message.
  var isRaised: Bool {
    account.alerts.contains {
      $0.kind == .missed && ($0.isActive || $0.sequence == user.checkInSequence)
    }
  }

  /// When the grace time began again, or `nil` where it did not.
  private var graceFrom: Date? {
    plan.graceFrom ?? user.graceFrom.flatMap { $0 <= now + WatchStatus.longestGap ? $0 : nil }
  }

  /// When the responders are notified.
  var graceEnd: Date { max(user.deadline.date, graceFrom ?? user.deadline.date) + user.grace }

  /// What is sent to the person once the deadline has passed.
  var deadlineStage: Stage { graceFrom == nil ? .deadlinePassed : .noticedLate }

  /// How much later than promised the responders are notified, because nobody watched; `nil` for next to
  /// nothing.
  var lateness: TimeSpan? {
    let promised = user.deadline.date + user.grace
    guard graceFrom != nil || wasUnwatched(at: promised) else { return nil }
    let late = TimeSpan.minutes(Int(bounded: now.timeIntervalSince(promised)) / 60)
    return late > WatchStatus.longestGap ? late : nil
  }

  private var wasToldInTime: Bool {
    account.noticed.contains(.deadlinePassed)
      || deliveries(of: running).contains { $0.stage == .deadlinePassed && $0.state != .cancelled }
  }

  /// Whether nobody watched at an instant, nor began to soon after it.
  private func wasUnwatched(at date: Date) -> Bool {
    account.watchedSince.map { $0 > date + WatchStatus.longestGap } ?? false
  }
}
