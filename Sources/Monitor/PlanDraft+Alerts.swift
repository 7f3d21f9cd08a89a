import Domain
import FoundationEssentials

/// Messages to the responders: that an alert is on, and that it is over.
extension PlanDraft {
  /// Returns the account's alerts, including new ones if the grace time of an outing (OUT-4) or of the
  /// running deadline is over (ESC-1). An outing's comes first: its message can tell of both.
  mutating func alerts(raisingMissedAs makeID: () -> UUID) -> [Alert] {
    if account.isWatchedElsewhere { return account.alerts }
    let outing = user.outing.flatMap { newAlert(about: $0) }
    let alerts = (outing.map { [$0] } ?? []) + deadlineAlerts(raisingMissedAs: makeID)
    return alerts.filter { $0.kind == .outing } + alerts.filter { $0.kind != .outing }
  }

  private mutating func deadlineAlerts(raisingMissedAs makeID: () -> UUID) -> [Alert] {
    if isRaised { return account.alerts }
    guard now >= graceEnd else {
      planAgain(at: graceEnd)
      return account.alerts
    }
    let alert = Alert(
      id: makeID(), kind: .missed, raisedAt: now, sequence: user.checkInSequence,
      noticedLateBy: lateness(
        after: user.deadline.date + user.grace, isRestarted: hasRestartedGrace))
    raise(alert)
    return account.alerts + [alert]
  }

  /// Notifies every responder on every channel (ESC-1, ALT-2), including those added since the
  /// alert began, and repeats this until one of them answers (ESC-2). Cancels messages to people
  /// who are no longer responders.
  mutating func notifyResponders(of alert: Alert, among alerts: [Alert]) {
    let due = respondersDue(for: alert)
    let calls = messages(alert.kind.onStage, to: due, about: alert).filter {
      !isToldByOuting($0, of: alert, among: alerts)
    }
    let places = Set(calls.map(\.place))
    for delivery in deliveries(of: .alert(alert.id)) where delivery.recipient != .owner {
      if delivery.stage.isEnd || !places.contains(delivery.place) { cancel(delivery) }
    }
    for call in calls { enqueue(call) }
    repeatCalls(
      of: alert, calls.filter { !isRepeatedByAnother($0, of: alert, among: alerts) })
    notifyOfAcknowledgements(of: alert)
  }

  /// Returns a message about an alert for every channel of every responder. For a silent alert,
  /// e-mail goes last, because it can leave a trace with the person, such as a copy in a mailbox
  /// (DUR-1).
  func toResponders(_ stage: Stage, of alert: Alert, detail: String = "") -> [PlannedDelivery] {
    messages(stage, to: responders(of: alert), about: alert, detail: detail)
  }

  private func messages(
    _ stage: Stage, to chosen: [Contact], about alert: Alert, detail: String = ""
  ) -> [PlannedDelivery] {
    let isHidden = alert.kind == .duress
    let responders =
      isHidden
      ? chosen.adding(account.respondersKeptUnderDuress).byName.withUniqueAddresses : chosen
    let messages = responders.flatMap { responder in
      responder.channels.map { channel in
        PlannedDelivery(
          occasion: .alert(alert.id), stage: stage, recipient: .contact(responder.id),
          recipientName: responder.name, channel: channel.kind, address: channel.address,
          detail: detail)
      }
    }
    guard isHidden else { return messages }
    return messages.filter { $0.channel != .email } + messages.filter { $0.channel == .email }
  }

  /// Ends an alert. Everyone who may have been notified gets one all-clear, however often they were
  /// notified (CHK-6, ALT-2); the others get nothing. While a silent alert is on, the store
  /// replaces the all-clear's text (CHK-3).
  ///
  /// A claim that ended without a record may have reached its recipient, so it counts as notified:
  /// the all-clear goes out, and the alert is not sent again. The all-clear waits while a message
  /// about the alert is being sent, so that it doesn't arrive first.
  mutating func sendAllClear(for alert: Alert) {
    if alert.kind == .drill { expireCalls(of: alert) }
    // One that is given up now may have arrived all the same: its attempt ended without a record.
    let deliveries = deliveries(of: .alert(alert.id)).filter {
      !plan.expired.contains($0.id) || $0.mayHaveArrived
    }
    let plannedBefore = plan.deliveries.count
    var isFinished = true
    for delivery in deliveries
    where delivery.state == .pending && !plan.expired.contains(delivery.id) {
      guard !delivery.stage.isEnd else {
        isFinished = false
        continue
      }
      cancel(delivery)
      if isBeingSent(delivery) { isFinished = false }
    }
    let calls = Dictionary(grouping: deliveries.filter(\.stage.isCall), by: \.place)
    for first in deliveries {
      guard let messages = calls[first.place], messages[0].id == first.id,
        !messages.contains(where: isBeingSent),
        let arrived = messages.first(where: \.mayHaveArrived),
        !isEndedWithOuting(first.place, of: alert)
      else { continue }
      enqueue(allClear(for: arrived, of: alert))
    }
    if isFinished, plan.deliveries.count == plannedBefore { settle(alert) }
  }

  /// Returns the all-clear that replies to a message, at the same address, even if the recipient is
  /// no longer a responder.
  private func allClear(for delivery: DeliveryRecord, of alert: Alert) -> PlannedDelivery {
    let contact = account.responders.first { .contact($0.id) == delivery.recipient }
    return PlannedDelivery(
      occasion: delivery.occasion, stage: alert.kind.offStage, recipient: delivery.recipient,
      recipientName: contact?.name ?? "", channel: delivery.channel, address: delivery.address,
      inReplyTo: delivery.messageID)
  }
}

extension Alert.Kind {
  /// The message to the responders when the alert begins.
  var onStage: Stage {
    switch self {
    case .manual, .duress, .drill: .alertOn
    case .missed, .outing: .nonResponsive
    }
  }

  /// Returns the *n*th repeat of that message (ESC-2).
  func againStage(_ count: Int) -> Stage {
    switch self {
    case .manual, .duress, .drill: .alertOnAgain(count)
    case .missed, .outing: .nonResponsiveAgain(count)
    }
  }

  /// The message at the end of the alert to those who were notified.
  var offStage: Stage {
    switch self {
    case .manual, .duress, .drill: .alertOff
    case .missed, .outing: .allClear
    }
  }
}
