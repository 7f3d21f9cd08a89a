import Clients
import Domain
import FoundationEssentials
import ServerTesting
import Testing

@testable import Server

/// How many new addresses an account on a server is introduced to.
@Suite("Limits on introductions of new contacts", .timeLimit(.minutes(1)))
struct IntroductionTests {
  @Test(
    "CON-3: after 20 new contacts in a day, further introductions wait, but alerts don't",
    arguments: Engine.all)
  func limit(_ engine: Engine) async throws {
    let world = try engine.makeWorld()
    let ada = try await world.signUp("Ada")
    var last: Contact?
    for number in 1...25 {
      last = try await ada.clients.contactsClient.add(
        ContactDraft(
          name: "Bo \(number)", email: "bo\(number)@example.org", roles: .responder))
    }
    let contact = try #require(last)
    #expect(try await world.deliverAll().count == ContactRules.introductionsADay)

    let alert = try await ada.clients.alertClient.raise("help")
    let account = try #require(try await world.monitor.due(world.now, 10).first)
    let call = PlannedDelivery(
      occasion: .alert(alert.id), stage: .alertOn, recipient: .contact(contact.id),
      recipientName: contact.name, channel: .email, address: "bo25@example.org")
    _ = try await world.monitor.apply(
      Plan(deliveries: [call]), account.user.id, account.revision, world.now)
    #expect(try await world.deliverAll().map(\.stage) == [.alertOn])

    world.now += 86_000
    #expect(try await world.deliverAll().isEmpty)
    world.now += 400
    #expect(try await world.deliverAll().map(\.stage) == Array(repeating: .contactAdded, count: 5))
  }

  @Test(
    "CON-3: all contacts of an import are introduced at once",
    arguments: Engine.all)
  func imported(_ engine: Engine) async throws {
    let world = try engine.makeWorld()
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
    #expect(try await world.deliverAll().count == 25)
  }
}
