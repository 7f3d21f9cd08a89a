import Domain
import FoundationEssentials

/// Words to the person on their own screen, whether they have an e-mail address or not (NOT-1).
extension PlanDraft {
  /// REM-1, ESC-1: of several reminders that are due only the latest tells anything, and none does
  /// once the deadline has passed. Each is sent once for a deadline.
  mutating func tellOwnerOnScreen() {
    let deadline = user.deadline
    let times = user.reminders.map { (lead: $0, time: deadline.date - $0) }
      .filter { $0.time > deadline.start }
    for (_, time) in times { look(at: time) }
    let current: Stage?
    if now >= deadline.date {
      current = deadlineStage
    } else {
      if !account.noticed.contains(.deadlinePassed) { look(at: deadline.date) }
      current = times.filter { $0.time <= now }.map(\.lead).min().map(Stage.reminder)
    }
    if let current, !account.noticed.contains(current) { notice(current) }
  }
}
