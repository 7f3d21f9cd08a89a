import Clients
import Composable
import Domain
import FoundationEssentials

extension DemoStory {
  /// Fills the history with notifications of every kind (NOT-1); the most recent are unread.
  func addNotifications() async throws {
    let alerts = try await ida.alertClient.history(100)
    var entries: [Entry] = alerts.flatMap { self.entries(about: $0.alert) }
    entries += alerts.flatMap(\.deliveries).compactMap(refusal)
    entries += try await ida.checkInClient.history(1_000).flatMap(self.entries(aboutLate:))
    entries += Self.entries
    let items = entries.map { entry in
      NotificationItem(
        id: makeUUID(), kind: entry.kind, date: now - entry.age,
        isRead: entry.age > .hours(6) || entry.kind == .pingSent, subject: entry.subject,
        detail: entry.detail)
    }
    .filter { $0.date > now - NotificationItem.lifetime }
    .sorted { $0.date < $1.date }
    try await ida.notificationClient.clearAll()
    _ = try await ida.transferClient.importAccount(
      AccountExport(
        user: ida.userClient.currentUser(), contacts: [], checkIns: [], alerts: [],
        notifications: items, documents: []))
  }

  /// A notification and its age.
  private typealias Entry = (
    age: TimeSpan, kind: NotificationItem.Kind, subject: String, detail: String
  )

  /// Notifications about other people and the program. Their ages match the alerts beside them.
  private static let entries: [Entry] = [
    (.minutes(5), .dependentAlert, "Tove Berg", "Fell on the stairs, cannot get up."),
    (.minutes(12), .pingSent, "Sven Åkerman", ""),
    (.minutes(20), .pingReceived, "Liv Solberg", ""),
    (.minutes(52), .dependentAlert, "Ulrik Dahl", "Lost the trail, phone almost empty."),
    (.minutes(105), .dependentNonResponsive, "Maja Lind", ""),
    (.hours(2), .contactRequested, "Noor Haddad", Roles.dependent.displayText),
    (.hours(50), .dependentAlertEnded, "Henrik Sand", ""),
    (.days(3), .pingAnswered, "Henrik Sand", ""),
    (.days(5), .contactDeclined, "Greta Falk", ""),
    (.days(6), .pingWithdrawn, "Maja Lind", ""),
    (.days(8), .dependentNotBack, "Henrik Sand", "Preikestolen and back, grey Volvo."),
    (.days(9), .rolesChanged, "Liv Solberg", Roles([.responder, .dependent]).displayText),
    (.hours(267), .drillPassed, "", "Drill: sent to all 4 responders, within 3s."),
    (.days(12), .contactAccepted, "Pedro Álvarez", ""),
    (.hours(290), .contactAdded, "Tove Berg", Roles.dependent.displayText),
    (.days(14), .pingExpired, "Åsa Holm", ""),
    (.minutes(23_167), .alertAcknowledged, "Liv Solberg", ""),
    (.minutes(23_169), .alertWithdrawn, "Dr. Amara Okafor", ""),
    (.minutes(23_173), .alertAcknowledged, "Dr. Amara Okafor", ""),
    (.days(20), .contactRemoved, "Nils Ek", ""),
    (.days(21), .notBack, "", "Round the lake with the dog."),
    (.days(22), .invitationUsed, "Liv Solberg", Roles.responder.sentence(about: "Liv Solberg")),
    (.hours(580), .success, "", "A backup was restored."),
    (.days(25), .drillFailed, "", "Drill: sent to 3 of 4 responders."),
    (.days(26), .error, "", "A backup was not made: the disk is full."),
    (.days(27), .info, "", "Your check-ins were imported from another machine."),
  ]

  private func entries(about alert: Alert) -> [Entry] {
    guard alert.kind != .drill else { return [] }
    let isMissed = alert.kind == .missed
    return [
      entry(isMissed ? .nonResponsive : .alertSent, at: alert.raisedAt, alert.message),
      entry(isMissed ? .allClear : .alertEnded, at: alert.resolvedAt ?? now),
    ]
  }

  private func entries(aboutLate checkIn: CheckIn) -> [Entry] {
    guard let margin = checkIn.margin, margin < .zero else { return [] }
    let deadline = checkIn.date + margin
    return [
      entry(.reminder, at: deadline - .hours(2), TimeSpan.hours(2).exactDescription),
      entry(.reminder, at: deadline - .minutes(30), TimeSpan.minutes(30).exactDescription),
      entry(.deadlinePassed, at: deadline),
    ]
  }

  private func refusal(of delivery: DeliveryReport) -> Entry? {
    guard delivery.state == .failed else { return nil }
    var entry = entry(.deliveryFailed, at: delivery.date, delivery.error ?? "")
    entry.subject = delivery.recipient
    return entry
  }

  private func entry(
    _ kind: NotificationItem.Kind, at date: Date, _ detail: String = ""
  ) -> Entry {
    (.seconds(Int(now.timeIntervalSince(date))), kind, "", detail)
  }
}
