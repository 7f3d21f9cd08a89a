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
