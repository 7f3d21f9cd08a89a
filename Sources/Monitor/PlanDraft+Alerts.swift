import Domain
import FoundationEssentials

/// Words to the responders: that an alert is on, and that it is over.
extension PlanDraft {
  /// The account's alerts, with one for the running deadline when its grace time is over (ESC-1).
  mutating func alerts(raisingMissedAs makeID: () -> UUID) -> [Alert] {
    // A changed interval begins another sequence without a check-in. While an earlier missed alert
    // is on, nothing was heard of the person, and those who were told need no second word of it.
    let isRaised = account.alerts.contains {
      $0.kind == .missed && ($0.isActive || $0.sequence == user.checkInSequence)
    }
    if isRaised { return account.alerts }
    guard now >= user.deadline.graceEnd else {
      look(at: user.deadline.graceEnd)
      return account.alerts
    }
    let alert = Alert(
      id: makeID(), kind: .missed, raisedAt: now, sequence: user.checkInSequence)
    raise(alert)
    return account.alerts + [alert]
  }

  /// Tells every responder on every channel (ESC-1, ALT-2), those included who were added since the
  /// alert began; whoever is no responder any more is not told.
  mutating func tellResponders(of alert: Alert) {
    var wanted: [PlannedDelivery] = []
    for responder in account.responders {
      for channel in responder.channels {
        wanted.append(
          PlannedDelivery(
            occasion: .alert(alert.id), stage: alert.kind.onStage,
            recipient: .contact(responder.id), recipientName: responder.name,
            channel: channel.kind, address: channel.address))
      }
    }
    for delivery in deliveries(of: .alert(alert.id)) {
      if !wanted.contains(where: delivery.isFor) { cancel(delivery) }
    }
    for delivery in wanted { want(delivery) }
  }

  /// Whether a silent alert is on (CHK-3).
  var isUnderDuress: Bool { account.alerts.contains { $0.kind == .duress && $0.isActive } }

  /// Ends an alert. While a silent one is on nobody hears that anything is over: what ended, ended
  /// under duress (CHK-3).
  mutating func end(_ alert: Alert) {
    // A drill is no secret, and its end says nothing of anybody.
    guard isUnderDuress, alert.kind != .drill else { return takeBack(alert) }
    for delivery in deliveries(of: .alert(alert.id)) { cancel(delivery) }
  }

  /// Ends an alert: those who may have been told hear that it is over (CHK-6, ALT-2), the others
  /// hear nothing at all.
  ///
  /// A claim that ended without a record may have reached its recipient. It counts as told: the
  /// all-clear goes out, and the alert is not sent again.
  mutating func takeBack(_ alert: Alert) {
    let deliveries = deliveries(of: .alert(alert.id))
    let plannedBefore = plan.deliveries.count
    var isFinished = true
    for delivery in deliveries {
      if delivery.stage == alert.kind.onStage {
        let isBeingSent = delivery.state == .pending && (delivery.leasedUntil ?? now) > now
        cancel(delivery)
        if isBeingSent {
          isFinished = false
        } else if delivery.mayHaveArrived {
          want(allClear(for: delivery, of: alert))
        }
      } else if delivery.state == .pending {
        isFinished = false
      }
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
  /// What the responders are told when the alert begins.
  var onStage: Stage {
    switch self {
    case .manual, .duress, .drill: .alertOn
    case .missed: .nonResponsive
    }
  }

  /// What those who were told are told when it ends.
  var offStage: Stage {
    switch self {
    case .manual, .duress, .drill: .alertOff
    case .missed: .allClear
    }
  }
}
