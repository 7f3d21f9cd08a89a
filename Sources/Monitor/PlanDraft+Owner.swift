import Domain
import FoundationEssentials

/// Words to the person: reminders, and that the deadline passed.
extension PlanDraft {
  /// Cancels what is pending for a deadline that no longer runs, or to an address that is no longer
  /// the person's.
  mutating func cancelStaleWordsToOwner() {
    for delivery in account.deliveries {
      guard case .deadline = delivery.occasion else { continue }
      if delivery.occasion != running || delivery.address != user.profile.email {
        cancel(delivery)
      }
    }
  }

  /// REM-1: a reminder goes out when its time comes, and not when the deadline is over or its time
  /// had passed before the deadline began to run. Of several that are due only the latest tells
  /// anything; the others are cancelled.
  mutating func remindOwner() {
    guard let email = user.profile.email else { return }
    var due: [TimeSpan] = []
    for lead in user.reminders {
      let time = user.deadline.date - lead
      guard time > user.deadline.start else { continue }
      if time <= now { due.append(lead) } else { look(at: time) }
    }
    let current = now < user.deadline.date ? due.min() : nil
    for delivery in deliveries(of: running) where delivery.address == email {
      guard case .reminder(let lead) = delivery.stage, lead != current else { continue }
      cancel(delivery)
    }
    if let current { want(toOwner(.reminder(current), email)) }
  }

  /// CHK-7: before a pause ends the person is told, unless they checked in since that time: then they
  /// have seen it.
  mutating func tellOwnerThatPauseEnds() {
    guard let email = user.profile.email else { return }
    guard let pause = user.pause, now < pause.end, pause.reminderTime > user.lastCheckIn else {
      for delivery in deliveries(of: running) where delivery.stage == .pauseEnds {
        cancel(delivery)
      }
      return
    }
    guard now >= pause.reminderTime else { return look(at: pause.reminderTime) }
    look(at: pause.end)
    want(toOwner(.pauseEnds, email))
  }

  /// ESC-1: at the deadline the person is told, or when it is noticed (ESC-4).
  mutating func tellOwnerThatDeadlinePassed() {
    guard let email = user.profile.email else { return }
    guard now >= user.deadline.date else {
      for delivery in deliveries(of: running) where delivery.stage == .deadlinePassed {
        cancel(delivery)  // The interval was lengthened.
      }
      return look(at: user.deadline.date)
    }
    want(toOwner(deadlineStage, email))
  }

  private func toOwner(_ stage: Stage, _ email: String) -> PlannedDelivery {
    PlannedDelivery(
      occasion: running, stage: stage, recipient: .owner, recipientName: user.profile.name,
      channel: .email, address: email)
  }
}
