import Clients
import Composable
import Domain
import FoundationEssentials

extension DemoStory {
  /// Returns past alerts, whose messages had every possible outcome.
  func pastAlerts() -> [Event] { fall + drill + mistake }

  /// A fall weeks ago; one address was refused.
  private var fall: [Event] {
    let start = now - .days(16) - .minutes(133)
    return [
      Event(date: start) { [ida] in
        _ = try await ida.alertClient.raise("Fell on the coast path, ankle, at the red hut.")
        try await deliver(for: ida) { delivery in
          delivery.address == Self.slowMailbox
            ? .permanent(reason: "550 5.1.1 The mailbox is unknown.") : .sent
        }
      },
      Event(date: start + .minutes(6)) {
        let liv = platform.clients(of: Self.liv.email)
        let contacts = try await liv.contactsClient.contacts()
        for alert in contacts.compactMap(\.link?.dependentStatus?.alert) {
          _ = try await liv.alertClient.acknowledge(alert.id)
        }
      },
      Event(date: start + .minutes(62)) { [ida] in
        _ = try await ida.alertClient.cancel()
        try await deliver(for: ida)
      },
    ]
  }

  /// A drill, which ends by itself once everyone has been notified.
  private var drill: [Event] {
    let start = now - .hours(267) - .minutes(5)
    return [
      Event(date: start) { [ida] in
        _ = try await ida.alertClient.drill()
        try await deliver(for: ida)
      }
    ]
  }

  /// An alert raised by mistake this morning. One server was too busy to accept the alert before it
  /// was over, and one hasn't accepted the all-clear yet.
  private var mistake: [Event] {
    let busy = "451 4.7.1 Try again later."
    let now = now
    return [
      Event(date: now - .hours(4)) { [ida] in
        _ = try await ida.alertClient.raise("")
        try await deliver(for: ida) { delivery in
          delivery.address == "sakura@example.jp" ? .retry(reason: busy, after: .hours(1)) : .sent
        }
      },
      Event(date: now - .hours(4) + .minutes(2)) { [ida] in
        _ = try await ida.alertClient.cancel()
        try await deliver(for: ida) { delivery in
          delivery.address == Self.slowMailbox
            ? .retry(reason: busy, after: .minutes(242)) : .sent
        }
      },
    ]
  }
}
