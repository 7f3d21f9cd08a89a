import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite("ContactsClient: the order of responders", .timeLimit(.minutes(1)))
struct WaitContractTests {
  private func contact(_ name: String, _ world: World) async throws -> Contact {
    try #require(try await world.contacts.contacts().first { $0.name == name })
  }

  @Test(
    "ESC-8: a wait belongs to an outside contact or a relation, and ends with it",
    arguments: Platform.allCases)
  func sets(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    let peer = try await world.openPeer("Cem")
    try await world.befriend(peer, [.responder, .dependent])
    try await world.deliverAll()
    for name in ["Bo", "Cem"] {
      let before = try await contact(name, world)
      #expect(before.wait == nil)
      let changed = try await world.contacts.setWait(before.id, .minutes(30))
      #expect(
        changed.wait == ResponderWait(span: .minutes(30), earlier: .zero, changedAt: world.now))
      #expect(try await contact(name, world) == changed)
      // Only who waits longer is notified of it.
      let sent = try await world.deliverAll()
      #expect(
        sent.map(\.recipientName) == [name]
          && sent.map(\.detail) == [ResponderNotice.wait(.minutes(30))])
    }
    #expect(
      try await world.dueAccount().responders.map(\.waitSpan) == [.minutes(30), .minutes(30)])
    // It is Ida's choice; what Cem sees of Ida is another.
    #expect(try await peer.contacts.contacts().map(\.wait) == [nil])
    _ = try await world.contacts.setWait(contact("Bo", world).id, .zero)
    #expect(try await world.deliverAll() == [])
    #expect(try await contact("Bo", world).waitSpan == .zero)
    try await world.contacts.delete(contact("Bo", world).id)
    await expect(ClientError.contactNotFound) { () throws(ClientError) in
      try await world.contacts.setWait(UUID(), .minutes(30))
    }
  }

  @Test(
    "ESC-8: a responder waits for 15 minutes to 24 hours or not at all",
    arguments: Platform.allCases)
  func range(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    let bo = try await contact("Bo", world)
    for span in [TimeSpan.minutes(14), .hours(25), .seconds(-1)] {
      await expect(ClientError.invalid(.waitRange)) { () throws(ClientError) in
        try await world.contacts.setWait(bo.id, span)
      }
    }
    #expect(try await contact("Bo", world) == bo)
  }

  @Test("CHK-3, ESC-8: only a longer wait needs the gate", arguments: Platform.allCases)
  func gate(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    let bo = try await contact("Bo", world)
    _ = try await world.contacts.setWait(bo.id, .hours(1))
    try await world.auth.updateGate(Gate(passphrase: Secret("blue kettle")))
    _ = try await world.contacts.setWait(bo.id, .minutes(30))
    await expect(ClientError.gate(.required)) { () throws(ClientError) in
      try await world.contacts.setWait(bo.id, .hours(1))
    }
    _ = try await world.contacts.$setWait(bo.id, .hours(1), typing: Secret("blue kettle"))
  }

  @Test("ESC-8: an export keeps who waits", arguments: Platform.all(but: .moving))
  func export(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    _ = try await world.contacts.setWait(contact("Bo", world).id, .minutes(30))
    let file = try await world.transfer.exportAccount().encoded()
    let other = try World(platform)
    _ = try await other.transfer.importAccount(AccountExport(decoding: file))
    #expect(try await contact("Bo", other).waitSpan == .minutes(30))
  }
}
