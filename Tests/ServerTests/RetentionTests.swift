import Clients
import Domain
import FoundationEssentials
import ServerTesting
import Store
import Testing

@testable import Server

/// What a store forgets after 400 days.
@Suite(.timeLimit(.minutes(1))) struct RetentionTests {
  @Test(
    "Check-ins, alerts that are over and messages go after 400 days; nothing that still counts does",
    arguments: Engine.all)
  func history(_ engine: Engine) async throws {
    let world = try engine.makeWorld()
    let store = world.store.administration
    let ada = try await world.signUp("Ada")
    let bo = try await world.signUp("Bo")
    let start = world.now
    _ = try await ada.clients.contactsClient.add(
      ContactDraft(name: "Grace", email: "grace@navy.example", roles: .responder))
    let old = try await ada.clients.alertClient.raise("at the red hut")
    _ = try await ada.clients.alertClient.cancel()
    try await world.deliverAll()
    try await settle(old.id, in: world)
    _ = try await bo.clients.alertClient.raise("still on")

    // In steps, as a clock goes on.
    for _ in 0..<402 {
      world.now = world.now + .days(1)
      _ = try await ada.clients.checkInClient.checkIn(.manual)
    }
    let recent = try await ada.clients.alertClient.raise("today")
    // A server may have forgotten the old one by now, by its own clock.
    #expect(try await ada.clients.alertClient.history(9).first?.id == recent.id)
    while try await store.pruneHistory() {}

    let dates = try await ada.clients.checkInClient.history(1_000).map(\.date)
    #expect(dates.count == 401 && dates.allSatisfy { $0 >= start + .days(2) })
    #expect(try await ada.clients.alertClient.history(9).map(\.id) == [recent.id])
    _ = try await bo.clients.authClient.signIn(
      Credentials(email: "bo@example.org", password: Secret("password of Bo")))
    // An alert that is on stays, and so does the only check-in of a person who hasn't been back.
    #expect(try await bo.clients.alertClient.history(9).map(\.alert.message) == ["still on"])
    #expect(try await bo.clients.checkInClient.history(9).map(\.date) == [start])
    let user = try await ada.clients.checkInClient.checkIn(.manual)
    #expect(user.lastCheckIn == world.now)
    #expect(try await !store.pruneHistory())
  }

  private func settle(_ alert: Alert.ID, in world: ServerWorld) async throws {
    let monitor = world.monitor
    for account in try await monitor.due(world.now, 100) {
      _ = try await monitor.apply(
        Plan(settled: [alert]), account.user.id, account.revision, world.now)
    }
  }
}
