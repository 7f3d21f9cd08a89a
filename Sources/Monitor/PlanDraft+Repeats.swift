import Domain
import FoundationEssentials

/// Repeated calls to the responders (ESC-2).
extension PlanDraft {
  /// Repeats the calls of an alert until a responder answers or 48 h have passed.
  ///
  /// Repeat *n* is due *n* intervals after the alert was raised. It is skipped for a recipient who
  /// has a message still pending, or one that got its result at or after that time. So one message
  /// makes up for everything missed in an outage, a responder who was added an hour ago doesn't get
  /// earlier repeats, and a restart changes nothing. A refused message is repeated like any other:
  /// a full mailbox may have been emptied.
  mutating func repeatCalls(of alert: Alert, _ calls: [PlannedDelivery]) {
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
      planAgain(at: next)
    }
    guard count > 0 else { return }
    let due = raisedAt + .seconds(count * interval.seconds)
    let sent = Dictionary(grouping: earlier.filter { $0.state != .cancelled }, by: \.place)
    for var call in calls {
      guard let messages = sent[call.place],
        let first = messages.first(where: { !$0.stage.isRepeat }),
        !messages.contains(where: { $0.state == .pending }),
        let last = messages.compactMap(\.finishedAt).map(past).max(), last < due
      else { continue }
      // If the interval changed, counting continues from the last repeat.
      call.stage = alert.kind.againStage(max(count, 1 + messages.map(\.stage.repetition).max()!))
      call.inReplyTo = first.messageID
      enqueue(call)
    }
  }

  /// Corrects a time far in the future, written by a clock that has since been set back: it was
  /// before the current watch began (ESC-5). A time slightly ahead was written by another monitor
  /// or task after this one read its clock.
  func past(_ date: Date) -> Date {
    date <= now + WatchStatus.longestGap ? min(date, now) : min(now, account.watchedSince ?? now)
  }
}
