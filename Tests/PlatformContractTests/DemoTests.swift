import Clients
import Composable
import Domain
import FoundationEssentials
import InMemoryPlatform
import Testing

@Suite("InMemoryPlatform.demo")
struct DemoTests {
  private func demo(at now: Date) -> DependencyValues {
    var values = DependencyValues()
    InMemoryPlatform.demo(now: { now }, calendar: .utc).install(in: &values)
    return values
  }

  @Test("There is somebody with a running countdown, at any time of day", arguments: 0..<24)
  func countdown(_ hour: Int) async throws {
    let now = World.start + .hours(hour)
    let demo = demo(at: now)
    let user = try await demo.userClient.currentUser()
    #expect(user.lastCheckIn < now)
    #expect(user.deadline.secondsLeft(at: now) > 3_600)
    let history = try await demo.checkInClient.history(100)
    #expect(history.count == 40)
    #expect(history.first?.date == user.lastCheckIn)
    #expect(history.first?.sequence == user.checkInSequence)
    #expect(history == history.sorted { $0.date > $1.date })
  }

  @Test("There is a cast with all that can become of an alert")
  func cast() async throws {
    let demo = demo(at: World.start)
    let contacts = try await demo.contactsClient.contacts()
    #expect(contacts.count { $0.roles.contains(.responder) } == 4)
    #expect(contacts.count { $0.link == nil && $0.roles.contains(.dependent) } == 3)
    let standings = contacts.compactMap(\.link?.standing)
    #expect(
      Set(standings.map { $0.status(at: World.start) })
        == [.alert, .nonResponsive, .dueSoon, .ok])
    #expect(contacts.count { $0.link?.state == .offered } == 1)
    #expect(contacts.count { $0.link?.sentPing?.state == .open } == 1)
    for contact in contacts where contact.roles.contains(.responder) {
      #expect(contact.email != nil)
    }
    let alerts = try await demo.alertClient.history(100)
    #expect(alerts.count >= 3)
    #expect(alerts.allSatisfy { !$0.alert.isActive })
    #expect(Set(alerts.map(\.alert.kind)) == [.manual, .missed])
    #expect(
      Set(alerts.flatMap { $0.deliveries.map(\.state) })
        == [.pending, .sent, .failed, .cancelled])
    let watch = try await demo.watchClient.status()
    #expect(watch == WatchStatus(monitors: 1, lastSeen: World.start - .seconds(3)))
  }

  @Test("It is the same in each run, and can be used")
  func repeatable() async throws {
    let (one, two) = (demo(at: World.start), demo(at: World.start))
    #expect(try await one.userClient.currentUser() == two.userClient.currentUser())
    #expect(try await one.alertClient.history(9) == two.alertClient.history(9))
    #expect(try await one.checkInClient.history(9) == two.checkInClient.history(9))
    let user = try await one.checkInClient.checkIn(.manual)
    #expect(user.lastCheckIn == World.start)
    #expect(try await one.alertClient.raise("").isActive)
  }
}
