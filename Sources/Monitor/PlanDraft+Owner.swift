import Domain
import FoundationEssentials

/// Messages to the person on their own channels: reminders, and that the deadline passed.
extension PlanDraft {
  /// Cancels pending messages that are about an earlier deadline, or on a channel that is no longer
  /// the person's or no longer receives such messages (CHN-3).
  mutating func cancelStaleMessagesToOwner() {
    for delivery in account.deliveries {
      guard case .deadline = delivery.occasion else { continue }
      let isTold = account.ownChannels(for: delivery.stage).contains(where: delivery.isOn)
      if delivery.occasion != running || !isTold { cancel(delivery) }
    }
  }

  /// Sends the reminder that is due (REM-1). Skips reminders whose time had passed before the
  /// deadline began to run, and all of them once the deadline is over. If several are due, only the
  /// latest is sent; the others are cancelled.
  mutating func remindOwner() {
    guard !account.ownChannels.isEmpty else { return }
    var due: [TimeSpan] = []
    for lead in user.reminders {
      guard let time = user.deadline.reminderTime(lead) else { continue }
      if time <= now { due.append(lead) } else { planAgain(at: time) }
    }
    let current = now < user.deadline.date ? due.min() : nil
    for delivery in deliveries(of: running) {
      guard case .reminder(let lead) = delivery.stage, lead != current else { continue }
      cancel(delivery)
    }
    if let current { notifyOwner(.reminder(current)) }
  }

  /// Notifies the person before a pause ends, unless they checked in after the reminder was due and
  /// so have seen it (CHK-7).
  mutating func notifyOwnerThatPauseEnds() {
    guard !account.ownChannels.isEmpty else { return }
    guard let pause = user.pause, now < pause.end, pause.reminderTime > user.lastCheckIn else {
      for delivery in deliveries(of: running) where delivery.stage == .pauseEnds {
        cancel(delivery)
      }
      return
    }
    guard now >= pause.reminderTime else { return planAgain(at: pause.reminderTime) }
    planAgain(at: pause.end)
    notifyOwner(.pauseEnds)
  }

  /// Notifies the person when the deadline passes (ESC-1), or when the monitor notices later
  /// (ESC-4).
  mutating func notifyOwnerThatDeadlinePassed() {
    guard !account.ownChannels.isEmpty else { return }
    guard now >= user.deadline.date else {
      // The clock was set back (ESC-5).
      for delivery in deliveries(of: running)
      where delivery.stage == .deadlinePassed || delivery.stage == .noticedLate {
        cancel(delivery)
      }
      return planAgain(at: user.deadline.date)
    }
    notifyOwner(deadlineStage)
  }

  /// Sends the person a message on each of their channels that receives that stage.
  /// - Parameter occasion: `nil` for the running deadline.
  mutating func notifyOwner(_ stage: Stage, about occasion: Occasion? = nil) {
    for channel in account.ownChannels(for: stage) {
      enqueue(
        PlannedDelivery(
          occasion: occasion ?? running, stage: stage, recipient: .owner,
          recipientName: user.profile.name,
          channel: channel.kind, address: channel.address))
    }
  }
}

extension DeliveryRecord {
  fileprivate func isOn(_ channel: Channel) -> Bool {
    self.channel == channel.kind && address == channel.address
  }
}
