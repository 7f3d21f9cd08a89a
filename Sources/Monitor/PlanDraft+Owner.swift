import Domain
import FoundationEssentials

/// Words to the person on every channel of their own: reminders, and that the deadline passed.
extension PlanDraft {
  /// Cancels what is pending for a deadline that no longer runs, or on a channel that is no longer
  /// the person's, or does not tell it any more (CHN-3).
  mutating func cancelStaleWordsToOwner() {
    for delivery in account.deliveries {
      guard case .deadline = delivery.occasion else { continue }
      let isTold = account.ownChannels(telling: delivery.stage).contains(where: delivery.isOn)
      if delivery.occasion != running || !isTold { cancel(delivery) }
    }
  }

  /// REM-1: a reminder goes out when its time comes, and not when the deadline is over or its time
  /// had passed before the deadline began to run. Of several that are due only the latest tells
  /// anything; the others are cancelled.
  mutating func remindOwner() {
    guard !account.ownChannels.isEmpty else { return }
    var due: [TimeSpan] = []
    for lead in user.reminders {
      let time = user.deadline.date - lead
      guard time > user.deadline.start else { continue }
      if time <= now { due.append(lead) } else { look(at: time) }
    }
    let current = now < user.deadline.date ? due.min() : nil
    for delivery in deliveries(of: running) {
      guard case .reminder(let lead) = delivery.stage, lead != current else { continue }
      cancel(delivery)
    }
    if let current { tellOwner(.reminder(current)) }
  }

  /// CHK-7: before a pause ends the person is notified, unless they checked in since that time: then they
  /// have seen it.
  mutating func tellOwnerThatPauseEnds() {
    guard !account.ownChannels.isEmpty else { return }
    guard let pause = user.pause, now < pause.end, pause.reminderTime > user.lastCheckIn else {
      for delivery in deliveries(of: running) where delivery.stage == .pauseEnds {
        cancel(delivery)
      }
      return
    }
    guard now >= pause.reminderTime else { return look(at: pause.reminderTime) }
    look(at: pause.end)
    tellOwner(.pauseEnds)
  }

  /// ESC-1: at the deadline the person is notified, or when it is noticed (ESC-4).
  mutating func tellOwnerThatDeadlinePassed() {
    guard !account.ownChannels.isEmpty else { return }
    guard now >= user.deadline.date else {
      // The clock was set back (ESC-5).
      for delivery in deliveries(of: running)
      where delivery.stage == .deadlinePassed || delivery.stage == .noticedLate {
        cancel(delivery)
      }
      return look(at: user.deadline.date)
    }
    tellOwner(deadlineStage)
  }

  /// Tells the person something about the running deadline on every channel of theirs that tells it.
  mutating func tellOwner(_ stage: Stage) {
    for channel in account.ownChannels(telling: stage) {
      want(
        PlannedDelivery(
          occasion: running, stage: stage, recipient: .owner, recipientName: user.profile.name,
          channel: channel.kind, address: channel.address))
    }
  }
}

extension DeliveryRecord {
  fileprivate func isOn(_ channel: Channel) -> Bool {
    self.channel == channel.kind && address == channel.address
  }
}
