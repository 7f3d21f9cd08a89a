public import Domain
import FoundationEssentials

extension Outbox.CheckIn {
  /// Says that it waits: `NOT received yet: your check-in of 14:02 on this device.`
  public func waitingText(_ dateClient: DateClient) -> String {
    "NOT received yet: your check-in of \(dateClient.text(of: madeAt)) on this device."
  }

  /// Says why it was refused; `nil` for one that wasn't.
  public func refusalText(_ dateClient: DateClient) -> String? {
    refusal.map {
      "Your check-in of \(dateClient.text(of: madeAt)) was NOT received: \($0.description)"
        + " Check in again."
    }
  }
}

extension Outbox {
  /// Says what waits, a line for each: alerts first.
  public func waitingTexts(_ dateClient: DateClient) -> [String] {
    alerts.map { $0.waitingText(dateClient) } + waiting.map { $0.waitingText(dateClient) }
  }
}

extension Outbox.Alert {
  /// Says that it waits: `NOT SENT yet: your alert of 14:02 on this device.`
  public func waitingText(_ dateClient: DateClient) -> String {
    let alert = "your alert of \(dateClient.text(of: raisedAt)) on this device."
    guard !isStopped else {
      return "NOT known yet whether it was sent before you stopped it: \(alert)"
    }
    return (mayBeSent ? "Perhaps NOT SENT yet: " : "NOT SENT yet: ") + alert
  }
}

extension OfflineClient.AlertDelivery {
  /// Says what happened to it; `nil` while it waits.
  public func text(_ dateClient: DateClient) -> String? {
    let alert = "your alert of \(dateClient.text(of: alert.raisedAt))"
    return switch result {
    case .sent: "Sent: \(alert). It is on. lifesignal alert off cancels it."
    case .stopped: "Stopped: \(alert). Nobody was notified."
    case .isOn:
      "It was sent before you stopped it: \(alert). It is on. lifesignal alert off cancels it."
    case .waits: nil
    }
  }
}

extension OfflineClient.Delivery {
  /// Says that it was received, and from when it counts (OFF-3).
  public func text(_ dateClient: DateClient, _ connectionClient: ConnectionClient) -> String {
    let start = "Received: your check-in of \(dateClient.text(of: checkIn.madeAt))"
    guard let counted = user?.lastCheckIn else { return start + "." }
    let ahead = counted.timeIntervalSince(checkIn.madeAt + connectionClient.clockLead())
    return switch ahead {
    case (-60)...60: start + " counts."
    case ..<0:
      start + " counts from \(dateClient.text(of: counted)), because it isn't known when"
        + " exactly it was made. Check in again."
    default: start + "; a later check-in counts already."
    }
  }
}

extension DateClient {
  fileprivate func text(of date: Date) -> String { calendar.describe(date, now: now()) }
}
