import Clients
import Domain
import FoundationEssentials
import PostgreSQL
import PostgresTesting
import ServerTesting
import Testing

@testable import Server

/// How many new addresses an account on a server is introduced to.
@Suite("Introductions", .timeLimit(.minutes(1)))
struct IntroductionTests {
  /// Sends everything that is due, and returns the messages.
  private func send(_ world: ServerWorld) async throws -> [ClaimedDelivery] {
    for account in try await world.monitor.due(world.now, 10) {
      _ = try await world.monitor.apply(Plan(), account.user.id, account.revision, world.now)
    }
    let sent = try await world.monitor.claim(world.now, .minutes(1), ClaimRequest(limit: 100))
    for delivery in sent {
      _ = try await world.monitor.record(delivery.id, delivery.token, .sent, nil, world.now)
    }
    return sent
  }

  @Test(
    "CON-3: after twenty new addresses in a day, introductions wait, and no alert does",
    arguments: EdgeNumberTests.Engine.allCases)
  func limit(_ engine: EdgeNumberTests.Engine) async throws {
    guard engine == .sqlite || PostgresServer.absence == nil else { return }
    let world = try EdgeNumberTests.makeWorld(engine)
    let ada = try await world.signUp("Ada")
    var last: Contact?
    for number in 1...25 {
      last = try await ada.clients.contactsClient.add(
        ContactDraft(
          name: "Bo \(number)", email: "bo\(number)@example.org", roles: .responder))
    }
    let contact = try #require(last)
    #expect(try await send(world).count == ContactRules.introductionsADay)

    let alert = try await ada.clients.alertClient.raise("help")
    let account = try #require(try await world.monitor.due(world.now, 10).first)
    let call = PlannedDelivery(
      occasion: .alert(alert.id), stage: .alertOn, recipient: .contact(contact.id),
      recipientName: contact.name, channel: .email, address: "bo25@example.org")
    _ = try await world.monitor.apply(
      Plan(deliveries: [call]), account.user.id, account.revision, world.now)
    #expect(try await send(world).map(\.stage) == [.alertOn])

    world.now += 86_000
    #expect(try await send(world).isEmpty)
    world.now += 400
    #expect(try await send(world).map(\.stage) == Array(repeating: .contactAdded, count: 5))
  }

  @Test(
    "CON-3: an import's contacts are introduced at once",
    arguments: EdgeNumberTests.Engine.allCases)
  func imported(_ engine: EdgeNumberTests.Engine) async throws {
    guard engine == .sqlite || PostgresServer.absence == nil else { return }
    let world = try EdgeNumberTests.makeWorld(engine)
    let ada = try await world.signUp("Ada")
    var export = try await ada.clients.transferClient.exportAccount()
    export.contacts = (1...25).map { number in
      Contact(
        id: UUID(), name: "Bo \(number)", roles: .responder,
        channels: [
          Channel(id: UUID(), kind: .email, address: "bo\(number)@example.org")
        ], addedAt: world.now)
    }
    #expect(try await ada.clients.transferClient.importAccount(export).contacts == 25)
    #expect(try await send(world).count == 25)
  }
}
