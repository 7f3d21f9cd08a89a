import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite("ContactsClient: overview for the first screen", .timeLimit(.minutes(1)))
struct OverviewContractTests {
  /// Contacts of every kind that the overview mentions, and some others.
  private func cast(_ platform: Platform) async throws -> World {
    let world = try World(platform)
    try await world.openAccount()
    for name in ["Zoë", "åsa", "Ada", "bo", "Bo"] {
      let draft = ContactDraft(name: name, email: "\(UUID())@example.org", roles: .responder)
      _ = try await world.contacts.add(draft)
    }
    var both = ContactDraft(name: "Mia", email: "mia@example.org", roles: [.responder, .dependent])
    both.channels.append(ChannelsContractTests.topic)
    _ = try await world.contacts.add(both)
    // A contact who isn't a responder doesn't count, whatever their channels.
    var dependent = ContactDraft(name: "Dag", roles: .dependent)
    dependent.channels = [ChannelsContractTests.hook]
    _ = try await world.contacts.add(dependent)
    for (name, roles) in [("Bob", .responder), ("Eve", .dependent)] as [(String, Roles)] {
      let peer = try await world.openPeer(name, phone: "+46731230044", note: "Sails.")
      let id = try await world.contacts.request(try await peer.user.currentUser().code, roles).id
      _ = try await peer.contacts.accept(id)
    }
    let silent = try await world.openPeer("Abe")
    _ = try await world.contacts.request(try await silent.user.currentUser().code, .responder)
    return world
  }

  @Test(
    "The overview equals the summary of all contacts, in every sort order",
    arguments: Platform.everywhere)
  func overview(_ platform: Platform) async throws {
    let world = try await cast(platform)
    let contacts = try await world.contacts.contacts()
    for order in [NameOrder.plain, NameOrder(locale: "sv_SE"), NameOrder(locale: "de_DE")] {
      let sorted = order.sorted(contacts, by: \.name)
      for limit in [0, 1, 4, 60] {
        #expect(
          try await world.contacts.overview(limit, order)
            == ContactOverview(sorted, naming: limit))
      }
    }
    let plain = try await world.contacts.overview(naming: 5)
    #expect(plain.responderCount == 7)
    #expect(plain.firstResponders.map(\.name) == ["Ada", "åsa", "Bo", "bo", "Bob"])
    #expect(plain.channelKinds == [.email, .ntfy])
    #expect(plain.linked.map(\.name) == ["Abe", "Bob", "Eve"])
  }

  @Test("CON-3: a person who declined and their channels don't count in the overview")
  func declined() async throws {
    for platform in Platform.everywhere {
      let world = try World(platform)
      try await world.openAccount()
      var draft = ContactDraft.bo
      draft.channels.append(ChannelsContractTests.topic)
      _ = try await world.contacts.add(draft)
      let cem = try await world.contacts.add(.cem)
      let words = try await world.deliverAll().filter { $0.recipient != .contact(cem.id) }
      _ = try await world.contacts.declineByCode(try #require(words[0].code))
      let overview = try await world.contacts.overview(naming: 9)
      #expect(overview.responderCount == 1 && overview.firstResponders == [cem])
      #expect(overview.channelKinds == [.email])
    }
  }

  @Test(
    "NOT-3: the overview includes the own channels of a responder with an account",
    arguments: Platform.everywhere)
  func linkedKinds(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let bob = try await world.openPeer("Bob")
    _ = try await bob.channels.add(ChannelsContractTests.topic, nil)
    try await world.befriend(bob, .responder)
    #expect(try await world.contacts.overview(naming: 9).channelKinds == [.email, .ntfy])
    try await world.befriend(try await world.openPeer("Cid"), .dependent)
    let cid = try await world.contacts.overview(naming: 9).linked.map(\.name)
    #expect(cid == ["Bob", "Cid"])
  }

  @Test(
    "AUTH-2: without an account the overview fails with notAuthenticated",
    arguments: Platform.everywhere)
  func notAuthenticated(_ platform: Platform) async throws {
    let world = try World(platform)
    await expect(ClientError.notAuthenticated) { () throws(ClientError) in
      try await world.contacts.overview(naming: 1)
    }
  }
}
