import Domain
import FoundationEssentials

/// The order in which responders are notified of a missed deadline or outing (ESC-8).
extension PlanDraft {
  /// Returns the responders who are to be notified of an alert by now, and looks again when the next
  /// are. Alerts raised by hand, silent ones and drills go to everyone at once.
  ///
  /// They wait in steps. A step is due when its time has come, or two minutes after the one before if
  /// no message of any step so far was accepted. A responder who is responding holds it back for an hour. If
  /// nobody is to be notified at once, the first step is.
  mutating func respondersDue(for alert: Alert) -> [Contact] {
    let responders = responders(of: alert)
    guard alert.kind.isMissedPromise, responders.contains(where: { $0.wait != nil }) else {
      return responders
    }
    let waits = responders.map { $0.wait?.span(inAlertRaisedAt: alert.raisedAt) ?? .zero }
    let raisedAt = past(alert.raisedAt)
    let calls = deliveries(of: .alert(alert.id)).filter {
      $0.stage.isCall && $0.state != .cancelled
    }
    // Those who may know of the alert already don't wait again.
    let notified = calls.map(\.recipient)
    let heldUntil = alert.acknowledgements.map(\.date).min().map {
      past($0) + ResponderWait.longestHold
    }
    var due: Set<Contact.ID> = []
    var start = raisedAt
    for (number, wait) in Set(waits).sorted().enumerated() {
      if number > 0 {
        let isHeard = calls.contains { $0.state == .sent && isCall($0, toOneOf: due) }
        let early = start + ResponderWait.silenceLimit
        start = isHeard ? raisedAt + wait : min(raisedAt + wait, early)
        if let heldUntil { start = max(start, heldUntil) }
      }
      let step = zip(responders, waits).filter { $0.1 == wait }.map(\.0)
      guard start <= now else {
        planAgain(at: start)
        due.formUnion(step.map(\.id).filter { notified.contains(.contact($0)) })
        break
      }
      due.formUnion(step.map(\.id))
    }
    return responders.filter { due.contains($0.id) || notified.contains(.contact($0.id)) }
  }

  private func isCall(_ delivery: DeliveryRecord, toOneOf responders: Set<Contact.ID>) -> Bool {
    if case .contact(let id) = delivery.recipient { responders.contains(id) } else { false }
  }
}
