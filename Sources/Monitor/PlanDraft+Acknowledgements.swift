import Domain
import FoundationEssentials

/// Messages about who is responding (ESC-2).
extension PlanDraft {
  /// Notifies the other responders who know of the alert, and the person, of who is responding to
  /// it. A response to several alerts is sent once. Drills need no response.
  ///
  /// The person hears nothing about a silent alert (CHK-3).
  mutating func notifyOfAcknowledgements(of alert: Alert) {
    guard alert.kind != .drill else { return }
    let isHidden = alert.kind == .duress
    if isHidden {
      for delivery in deliveries(of: .alert(alert.id)) where delivery.recipient == .owner {
        cancel(delivery)
      }
    }
    let identities = Set(alert.acknowledgements.map(\.identity))
    for delivery in deliveries(of: .alert(alert.id)) {
      // Cancel it if the response was withdrawn before it was sent (PAGE-1).
      if case .acknowledged(let identity) = delivery.stage, !identities.contains(identity) {
        cancel(delivery)
      }
    }
    for acknowledgement in alert.acknowledgements {
      let stage = Stage.acknowledged(acknowledgement.identity)
      for delivery in toResponders(stage, of: alert, detail: acknowledgement.name) {
        guard delivery.recipient != .contact(acknowledgement.responder),
          let call = firstCall(of: alert, to: delivery.place)
        else { continue }
        var delivery = delivery
        delivery.inReplyTo = call.messageID
        notify(delivery, acknowledgement)
      }
      guard !isHidden else { continue }
      for channel in account.ownChannels {
        notify(
          PlannedDelivery(
            occasion: .alert(alert.id), stage: stage, recipient: .owner,
            recipientName: user.profile.name, channel: channel.kind, address: channel.address,
            detail: acknowledgement.name),
          acknowledgement)
      }
    }
  }

  private func firstCall(of alert: Alert, to place: Place) -> DeliveryRecord? {
    deliveries(of: .alert(alert.id)).first {
      $0.stage.isCall && $0.place == place && $0.mayHaveArrived
    }
  }

  /// Enqueues a message about a response, unless the same response was already sent for another
  /// alert.
  private mutating func notify(_ delivery: PlannedDelivery, _ acknowledgement: Acknowledgement) {
    let others = account.alerts.filter {
      .alert($0.id) != delivery.occasion && $0.acknowledgements.contains(acknowledgement)
    }
    let isTold = others.contains { alert in
      let occasion = Occasion.alert(alert.id)
      // Pending messages are cancelled at the end of their alert, and so are those to the person
      // about a silent alert.
      let isKept = alert.isActive && !(delivery.recipient == .owner && alert.kind == .duress)
      return plan.deliveries.contains {
        $0.occasion == occasion && $0.stage == delivery.stage && $0.place == delivery.place
      }
        || account.deliveries.contains {
          $0.occasion == occasion && $0.stage == delivery.stage && $0.place == delivery.place
            && ($0.state == .sent || $0.state == .failed || ($0.state == .pending && isKept))
        }
    }
    if !isTold { enqueue(delivery) }
  }
}
