import Clients
import Domain
import FoundationEssentials

/// What the screens say of check-ins that the server hasn't received (OFF-2).
extension AccountSnapshot {
  /// Says that check-ins wait, and what the responders still see; `nil` if none waits.
  var queuedText: String? {
    guard let last = outbox.waiting.last else { return nil }
    let before = outbox.waiting.count - 1
    let others =
      before == 0 ? "" : before == 1 ? " (and once before)" : " (and \(before) times before)"
    let said = outbox.waiting.contains { $0.outing != nil } ? "Back" : "Checked in"
    let expected = user.outing.map { " and expect you back by \(clock($0.until))" } ?? ""
    return "\(said) at \(clock(last.madeAt)) on this device\(others) – not received yet. Your"
      + " responders still see a deadline of \(clock(user.deadline.date))\(expected)."
  }

  /// How much waits, such as `1 queued`; `nil` if nothing does.
  var queuedCountText: String? {
    outbox.hasWaiting ? "\(outbox.waiting.count + outbox.alerts.count) queued" : nil
  }

  /// Says that an alert isn't sent, or that nobody knows whether it was sent before it was stopped;
  /// `nil` if none waits.
  var unsentAlertText: String? {
    outbox.alerts.first.map {
      let alert = "your alert of \(clock($0.raisedAt))"
      return $0.isStopped
        ? "It isn't known yet whether \(alert) was sent before you stopped it. Call your responders."
        : $0.mayBeSent
          ? "Perhaps NOT SENT yet: \(alert). \(callText().capitalizedFirst)."
          : "NOT SENT yet: \(alert). \(callText().capitalizedFirst)."
    }
  }

  /// Says that the deadline has passed while a check-in waits; `nil` if none does.
  var overdueQueuedText: String? {
    outbox.waiting.last.map {
      "▲ Overdue as of \(clock(user.deadline.date)) · your check-in of \(clock($0.madeAt)) isn't"
        + " received"
    }
  }

  /// Says why a check-in was refused.
  func refusalText(_ checkIn: Outbox.CheckIn) -> String? {
    checkIn.refusal.map {
      "Your check-in of \(clock(checkIn.madeAt)) was NOT received: \($0.description) Check in again."
    }
  }
}
