import Clients
import Composable
import Domain
import FoundationEssentials
import Testing

@testable import CommandLine

@Suite("Sample data of the demo")
struct DemoTests {
  private func demo(at now: Date) async -> DependencyValues { await .preview(at: now) }

  @Test("The demo's user has more than an hour left, at any hour of the day", arguments: 0..<24)
  func countdown(_ hour: Int) async throws {
    let now = World.start + .hours(hour)
    let demo = await demo(at: now)
    let user = try await demo.userClient.currentUser()
    #expect(user.lastCheckIn < now)
    #expect(user.deadline.secondsLeft(at: now) > 3_600)
    let history = try await demo.checkInClient.history(1_000)
    #expect(history.count > 365)
    #expect(history.first?.date == user.lastCheckIn)
    #expect(history.first?.sequence == user.checkInSequence)
    #expect(history == history.sorted { $0.date > $1.date })
  }

  @Test("The demo has dependents in every status, and contacts with and without accounts")
  func cast() async throws {
    let contacts = try await demo(at: World.start).contactsClient.contacts()
    #expect(contacts.count >= 12)
    #expect(contacts.count { $0.link == nil && $0.roles.contains(.responder) } == 4)
    #expect(contacts.count { $0.link == nil && $0.roles.contains(.dependent) } == 3)
    let dependents = contacts.compactMap(\.link?.dependentStatus)
    #expect(
      Set(dependents.map { $0.status(at: World.start) })
        == [.alert, .nonResponsive, .overdue, .dueSoon, .ok, .paused])
    let alerts = dependents.compactMap(\.alert)
    #expect(alerts.contains { $0.kind == .manual && !$0.message.isEmpty })
    #expect(alerts.contains { !$0.acknowledgements.isEmpty })
    #expect(
      Set(contacts.compactMap(\.link?.state)) == [.active, .offered, .requested, .declined])
    #expect(contacts.count { $0.link?.sentPing?.state == .open } == 1)
    #expect(contacts.count { $0.link?.receivedPing?.state == .open } == 1)
    for contact in contacts where contact.link == nil && contact.roles.contains(.responder) {
      #expect(contact.email != nil)
    }
  }

  @Test("The demo's past alerts have messages in every state: pending, sent, failed, cancelled")
  func alerts() async throws {
    let demo = await demo(at: World.start)
    let alerts = try await demo.alertClient.history(100)
    #expect(alerts.count >= 5)
    #expect(alerts.allSatisfy { !$0.alert.isActive })
    #expect(Set(alerts.map(\.alert.kind)) == [.manual, .missed, .drill])
    let states = Set(alerts.flatMap(\.deliveries).map(\.state))
    #expect(states == [.pending, .sent, .failed, .cancelled])
    #expect(try await demo.watchClient.status().monitors == 1)
  }

  @Test("NOT-1: the demo has notifications of every kind and topic, read and unread")
  func notifications() async throws {
    let items = try await demo(at: World.start).notificationClient.notifications(1_000, .all)
    #expect(Set(items.map(\.kind)) == Set(NotificationItem.Kind.allCases))
    #expect(Set(items.map(\.kind.topic)) == Set(NotificationItem.Topic.allCases))
    #expect(items == items.sorted { $0.date > $1.date })
    #expect(items.contains(where: \.isRead) && items.contains { !$0.isRead })
  }

  @Test("CHK-5: the demo's year has 3 late days, some days without a check-in, and 3 sources")
  func year() async throws {
    let history = try await demo(at: World.start).checkInClient.history(1_000)
    let record = CheckInRecord(history, calendar: .utc)
    #expect(record.marks.values.count { $0 == .late } == 3)
    #expect((350...357).contains(record.marks.count))
    #expect(Set(history.map(\.source)).count == 3)
    #expect(history.compactMap(\.margin).allSatisfy { $0 > .hours(-14) && $0 < .hours(36) })
  }

  @Test("The demo has the same data in each run, and checking in and raising an alert work there")
  func repeatable() async throws {
    let (one, two) = (await demo(at: World.start), await demo(at: World.start))
    #expect(try await one.userClient.currentUser() == two.userClient.currentUser())
    #expect(try await one.alertClient.history(9) == two.alertClient.history(9))
    #expect(try await one.checkInClient.history(999) == two.checkInClient.history(999))
    #expect(try await one.contactsClient.contacts() == two.contactsClient.contacts())
    #expect(
      try await one.notificationClient.notifications(999, .all)
        == two.notificationClient.notifications(999, .all))
    let user = try await one.checkInClient.checkIn(.manual)
    #expect(user.lastCheckIn == World.start)
    #expect(try await one.alertClient.raise("").isActive)
  }
}
