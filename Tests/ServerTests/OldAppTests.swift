import Clients
import Domain
import Foundation
import ServerProtocol
import ServerTesting
import Synchronization
import Testing

@testable import Server

@Suite struct OldAppTests {
  @Test(
    "Versions compare number by number; a text without numbers is older than all of them",
    arguments: [
      ("0.1.0", "0.1.0", false), ("0.1.0", "0.1.1", true), ("0.9.9", "0.10.0", true),
      ("1.0", "0.99.99", false), ("", "0.0.1", true), ("beta", "0.1.0", true),
      ("0.2.0-beta", "0.2.0", false),
    ])
  func versions(one: String, other: String, isOlder: Bool) {
    #expect(Version.isOlder(one, than: other) == isOlder)
  }

  @Test("A server that asks for newer apps still takes check-ins and calls for help from old ones")
  func calls() throws {
    let names = Route.all.filter(\.isForEveryApp).map(\.name)
    #expect(
      Set(names) == [
        "CheckInClient.checkIn", "CheckInClient.deliver", "CheckInClient.endOuting",
        "AlertClient.raise", "AlertClient.arm",
        "AlertClient.disarm",
      ])
  }

  @Test("SCH-3: an app without set times learns that; its check-ins and alerts are taken")
  func setTimes() async throws {
    let world = try ServerWorld()
    let app = world.app()
    app.headers.withLock { $0[Route.appHeader] = "0.1.0" }
    _ = try await app.clients.authClient.createAccount(
      NewAccount(
        profile: Profile(name: "Ada", note: #"my "schedule":{ is full"#),
        credentials: Credentials(email: "ada@example.org", password: Secret("password of Ada"))))
    #expect(try await app.raw(ServerRequest(.get, "/v1/me")).status == 200)
    app.headers.withLock { $0[Route.appHeader] = Version.current }
    _ = try await app.clients.checkInClient.updateSchedule(
      SetTimes(parsing: "daily 09:00", zone: "UTC"))
    #expect(try await app.raw(ServerRequest(.get, "/v1/me")).status == 200)
    for old in ["0.1.9", nil] {
      app.headers.withLock { $0[Route.appHeader] = old }
      await #expect(throws: ClientError.storage(.network(.versionRefused))) {
        _ = try await app.clients.userClient.currentUser()
      }
      _ = try await app.clients.checkInClient.checkIn(.manual)
      _ = try await app.clients.alertClient.raise("help")
      // What has been done isn't refused afterwards.
      _ = try await app.clients.userClient.updateEscalation([], .minutes(15), .hours(1))
    }
  }

  @Test("An old app learns that it is too old; one that says its version is answered")
  func refusal() async throws {
    let world = try ServerWorld(minimumApp: "0.2.0")
    let app = try await {
      let app = world.app()
      app.headers.withLock { $0[Route.appHeader] = "0.2.0" }
      _ = try await app.clients.authClient.createAccount(
        NewAccount(
          profile: Profile(name: "Ada"),
          credentials: Credentials(email: "ada@example.org", password: Secret("password of Ada"))))
      return app
    }()
    for old in ["0.1.9", nil] {
      app.headers.withLock { $0[Route.appHeader] = old }
      #expect(try await app.raw(ServerRequest(.get, "/v1/me")).status == 426)
      await #expect(throws: ClientError.storage(.network(.versionRefused))) {
        _ = try await app.clients.contactsClient.contacts()
      }
      _ = try await app.clients.checkInClient.checkIn(.manual)
      _ = try await app.clients.alertClient.raise("help")
    }
  }
}
