import Domain
import FoundationEssentials

/// Notices on the person's own screen, whether or not they have an e-mail address (NOT-1).
extension PlanDraft {
  /// Shows the reminder that is due, or that the deadline passed (REM-1, ESC-1). If several
  /// reminders are due, only the latest is shown, and none once the deadline has passed. Each is
  /// shown once per deadline.
  mutating func notifyOwnerOnScreen() {
    let deadline = user.deadline
    let times = user.reminders.compactMap { lead in
      deadline.reminderTime(lead).map { (lead: lead, time: $0) }
    }
    for (_, time) in times { planAgain(at: time) }
    let current: Stage?
    if now >= deadline.date {
      current = deadlineStage
    } else {
      if !account.shownStages.contains(.deadlinePassed) { planAgain(at: deadline.date) }
      current = times.filter { $0.time <= now }.map(\.lead).min().map(Stage.reminder)
    }
    if let current, !account.shownStages.contains(current) { show(current) }
  }
}
