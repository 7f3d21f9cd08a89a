import Clients
import Domain
import FoundationEssentials
import ServerTesting
import Store
import Testing

@testable import Server

/// What people learn after their server was restored from a backup.
@Suite("A server restored from a backup", .timeLimit(.minutes(1)))
struct RestoreTests {
  @Test(
    "After a restore everyone is asked to check in, on screen and by message; alerts stay on",
    arguments: Engine.all)
  func notice(_ engine: Engine) async throws {
    let world = try engine.makeWorld()
    let (ada, bo) = (try await world.signUp("Ada"), try await world.signUp("Bo"))
    let alert = try await ada.clients.alertClient.raise("help")
    guard case .armed(let armed) = try await bo.clients.alertClient.arm(UUID(), "", .seconds(30))
    else { throw Absent() }
    try await world.heartbeat(UUID())
    let end = world.now
    // The backup is restored two days later.
    world.now += 2 * 86_400

    let found = try await world.store.administration.noteRestored(endsSessions: false)
    #expect(found.accounts == 2)
    #expect(abs(found.date.timeIntervalSince(end)) < 1)
    for app in [ada, bo] {
      let notice = try #require(
        try await app.clients.notificationClient.notifications(1, .all).first)
      #expect(notice.detail.hasPrefix("Your server went back to its state of "))
      #expect(notice.detail.contains("Check in now."))
    }
    #expect(try await ada.clients.alertClient.history(5).map(\.alert.id) == [alert.id])
    // An alert that was armed then was raised or stopped long ago.
    #expect(armed.firesAt < world.now)
    let due = try await world.monitor.due(world.now, 10)
    #expect(try #require(due.first { $0.user.profile.name == "Bo" }).armed == nil)

    let notices = try await world.deliverAll().filter {
      if case .serverRestored = $0.stage { true } else { false }
    }
    #expect(Set(notices.map(\.address)) == ["ada@example.org", "bo@example.org"])
    #expect(try await bo.clients.userClient.currentUser().profile.name == "Bo")
  }

  @Test(
    "A restore that ends sessions signs every device out and asks people to sign in again",
    arguments: Engine.all)
  func sessions(_ engine: Engine) async throws {
    let world = try engine.makeWorld()
    let ada = try await world.signUp("Ada")
    _ = try await world.store.administration.noteRestored(endsSessions: true)
    await #expect(throws: ClientError.self) { try await ada.clients.userClient.currentUser() }
    let app = world.app()
    _ = try await app.clients.authClient.signIn(
      Credentials(email: "ada@example.org", password: Secret("password of Ada")))
    let notice = try #require(
      try await app.clients.notificationClient.notifications(1, .all).first)
    #expect(notice.detail.contains("Sign in again on each device"))
  }

  private struct Absent: Error {}
}
