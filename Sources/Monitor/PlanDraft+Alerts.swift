import Domain
import FoundationEssentials

/// Words to the responders: that an alert is on, and that it is over.
extension PlanDraft {
  /// The account's alerts, with one for the running deadline when its grace time is over (ESC-1).
  mutating func alerts(raisingMissedAs makeID: () -> UUID) -> [Alert] {
    if isRaised || account.isWatchedElsewhere { return account.alerts }
    guard now >= graceEnd else {
      look(at: graceEnd)
      return account.alerts
    }
    let alert = Alert(
      id: makeID(), kind: .missed, raisedAt: now, sequence: user.checkInSequence,
      noticedLateBy: lateness)
    raise(alert)
    return account.alerts + [alert]
  }

  /// Tells every responder on every channel (ESC-1, ALT-2), those included who were added since the
  /// alert began, and again and again until one of them answers (ESC-2); a person who is no responder any
  /// more is not told.
  mutating func tellResponders(of alert: Alert) {
    let calls = toResponders(alert.kind.onStage, of: alert)
    let places = Set(calls.map(\.place))
    for delivery in deliveries(of: .alert(alert.id)) where delivery.recipient != .owner {
      if delivery.stage.isEnd || !places.contains(delivery.place) { cancel(delivery) }
    }
    for call in calls { want(call) }
    tellAgain(of: alert, calls)
    tellOfAcknowledgements(of: alert)
  }

  /// A message about an alert for every channel of every responder. About one that its person is not
  /// to see those go first that leave no trace with them, such as a copy in a mailbox (DUR-1).
  func toResponders(_ stage: Stage, of alert: Alert, detail: String = "") -> [PlannedDelivery] {
    let isHidden = alert.kind == .duress
    let responders =
      isHidden
      ? account.responders.adding(account.kept).byName.tellingEachPlaceOnce : account.responders
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

  /// Ends an alert: those who may have been notified hear that it is over (CHK-6, ALT-2), each once
  /// however often they were notified, and the others hear nothing at all. While a silent alert is on the
  /// store has something else said instead (CHK-3).
  ///
  /// A claim that ended without a record may have reached its recipient. It counts as told: the
  /// all-clear goes out, and the alert is not sent again. While a word is being sent the end waits,
  /// so that it does not come first.
  mutating func takeBack(_ alert: Alert) {
    let deliveries = deliveries(of: .alert(alert.id))
    let plannedBefore = plan.deliveries.count
    var isFinished = true
    for delivery in deliveries where delivery.state == .pending {
      guard !delivery.stage.isEnd else {
        isFinished = false
        continue
      }
      cancel(delivery)
      if isBeingSent(delivery) { isFinished = false }
    }
    let calls = Dictionary(grouping: deliveries.filter(\.stage.isCall), by: \.place)
    for first in deliveries {
      guard let words = calls[first.place], words[0].id == first.id,
        !words.contains(where: isBeingSent), let told = words.first(where: \.mayHaveArrived)
      else { continue }
      want(allClear(for: told, of: alert))
    }
    if isFinished, plan.deliveries.count == plannedBefore { settle(alert) }
  }

  /// A word that answers the one it takes back, to the same address, even if its recipient is no
  /// responder any more.
  private func allClear(for delivery: DeliveryRecord, of alert: Alert) -> PlannedDelivery {
    let contact = account.responders.first { .contact($0.id) == delivery.recipient }
    return PlannedDelivery(
      occasion: delivery.occasion, stage: alert.kind.offStage, recipient: delivery.recipient,
      recipientName: contact?.name ?? "", channel: delivery.channel, address: delivery.address,
      inReplyTo: delivery.messageID)
  }
}

extension Alert.Kind {
  /// What is sent to the responders when the alert begins.
  var onStage: Stage {
    switch self {
    case .manual, .duress, .drill: .alertOn
    case .missed: .nonResponsive
    }
  }

  /// What is sent to the responders again, for the *n*th time (ESC-2).
  func againStage(_ count: Int) -> Stage {
    switch self {
    case .manual, .duress, .drill: .alertOnAgain(count)
    case .missed: .nonResponsiveAgain(count)
    }
  }

  /// What is sent to those who were notified when it ends.
  var offStage: Stage {
    switch self {
    case .manual, .duress, .drill: .alertOff
    case .missed: .allClear
    }
  }
}
