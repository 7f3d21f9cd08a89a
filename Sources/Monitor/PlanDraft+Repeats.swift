import Domain
import FoundationEssentials

/// Telling the responders again (ESC-2).
extension PlanDraft {
  /// Repeats the calls of an alert until a responder answers or 48 h have gone.
  ///
  /// Repetitions belong to instants: the *n*th to *n* intervals after the alert was raised. Nobody is
  /// sent again for an instant at which, or after which, a message to them got its result, or while one
  /// is still on its way. So what was missed in an outage is made up for by one word, a responder who
  /// was added an hour ago hears no repetition of what came before, and a restart changes nothing. A
  /// message that was refused is tried again like any other: a full mailbox may be emptied.
  mutating func tellAgain(of alert: Alert, _ calls: [PlannedDelivery]) {
    let earlier = deliveries(of: .alert(alert.id)).filter(\.stage.isCall)
    guard alert.kind != .drill, alert.acknowledgements.isEmpty else {
      for delivery in earlier where delivery.stage.isRepeat { cancel(delivery) }
      return
    }
    let interval = user.repeatInterval
    let raisedAt = past(alert.raisedAt)
    let end = raisedAt + EscalationRules.repeatsEnd
    guard end > now, interval > .zero, !calls.isEmpty else { return }
    let count = Int(bounded: now.timeIntervalSince(raisedAt)) / interval.seconds
    if let next = EscalationRules.nextRepeat(since: raisedAt, every: interval, after: now) {
      look(at: next)
    }
    guard count > 0 else { return }
    let due = raisedAt + .seconds(count * interval.seconds)
    let words = Dictionary(grouping: earlier.filter { $0.state != .cancelled }, by: \.place)
    for var call in calls {
      guard let told = words[call.place], let first = told.first(where: { !$0.stage.isRepeat }),
        !told.contains(where: { $0.state == .pending }),
        let last = told.compactMap(\.finishedAt).map(past).max(), last < due
      else { continue }
      // Another interval counts on from where the one before it came to.
      call.stage = alert.kind.againStage(max(count, 1 + told.map(\.stage.repetition).max()!))
      call.inReplyTo = first.messageID
      want(call)
    }
  }

  /// An instant that lies far in the future was written by a clock that has been set back since: it
  /// was before the present watch began (ESC-5). A little ahead is what another monitor, or another
  /// task of this one, wrote after this one had looked at the clock.
  private func past(_ date: Date) -> Date {
    date <= now + WatchStatus.longestGap ? min(date, now) : min(now, account.watchedSince ?? now)
  }
}
