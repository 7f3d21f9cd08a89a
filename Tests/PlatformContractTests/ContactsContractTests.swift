import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite("ContactsClient", .timeLimit(.minutes(1)))
struct ContactsContractTests {
  @Test("A new contact is stored with all fields of its draft", arguments: Platform.allCases)
  func add(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    world.advance(.hours(1))
    let draft = ContactDraft(
      name: "Zoë", phone: "+31612345678", note: "Sails.", email: "zoe@example.nl",
      roles: [.responder, .dependent])
    let contact = try await world.contacts.add(draft)
    #expect(contact.name == "Zoë")
    #expect(contact.phone == draft.phone)
    #expect(contact.note == draft.note)
    #expect(contact.roles == draft.roles)
    #expect(contact.channels.map(\.address) == ["zoe@example.nl"])
    #expect(contact.addedAt == world.now)
    #expect(try await world.contacts.contacts() == [contact])
  }

  @Test("CON-3: a dependent needs no channel", arguments: Platform.allCases)
  func addWithoutChannel(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let contact = try await world.contacts.add(ContactDraft(name: "Erik", roles: .dependent))
    #expect(contact.channels.isEmpty)
    _ = try await world.contacts.add(ContactDraft(name: "Erika", roles: .dependent))
    #expect(try await world.contacts.contacts().count == 2)
  }

  @Test(
    "CON-1: a contact without a role, or a responder without a channel, is refused",
    arguments: Platform.allCases)
  func invalid(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    await expect(ClientError.invalid(.roleRequired)) { () throws(ClientError) in
      try await world.contacts.add(ContactDraft(name: "Bo", email: "b@example.org", roles: []))
    }
    await expect(ClientError.invalid(.channelRequired)) { () throws(ClientError) in
      try await world.contacts.add(ContactDraft(name: "Bo", roles: .responder))
    }
    #expect(try await world.contacts.contacts() == [])
  }

  @Test(
    "CON-2: two contacts can't share an address, whatever its case", arguments: Platform.allCases)
  func alreadyExists(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let bo = try await world.contacts.add(.bo)
    let cem = try await world.contacts.add(.cem)
    var draft = ContactDraft.bo
    draft.name = "Robert"
    draft.email = "Bo@Example.org"
    await expect(ClientError.contactExists(name: "Bo")) { [draft] () throws(ClientError) in
      try await world.contacts.add(draft)
    }
    await expect(ClientError.contactExists(name: "Bo")) { [draft] () throws(ClientError) in
      try await world.contacts.update(cem, draft)
    }
    #expect(try await world.contacts.contacts() == [bo, cem])
    // A contact can keep its own address.
    #expect(try await world.contacts.update(bo, draft).email == "Bo@Example.org")
  }

  @Test("Editing a contact keeps its identity and date; a new address makes a new channel")
  func update() async throws {
    for platform in Platform.allCases {
      let world = try World(platform)
      try await world.openAccount()
      let bo = try await world.contacts.add(.bo)
      world.advance(.hours(1))
      var draft = ContactDraft.bo
      draft.name = "Bo Nyström"
      draft.roles = [.responder, .dependent]
      var changed = try await world.contacts.update(bo, draft)
      #expect(changed.id == bo.id)
      #expect(changed.addedAt == bo.addedAt)
      #expect(changed.name == "Bo Nyström")
      #expect(changed.roles == [.responder, .dependent])
      #expect(changed.channels == bo.channels)
      draft.email = "new@example.org"
      changed = try await world.contacts.update(changed, draft)
      #expect(changed.channels.map(\.address) == ["new@example.org"])
      #expect(changed.channels.map(\.id) != bo.channels.map(\.id))
      draft.email = nil
      draft.roles = .dependent
      changed = try await world.contacts.update(changed, draft)
      #expect(changed.channels == [])
      #expect(try await world.contacts.contacts() == [changed])
    }
  }

  @Test(
    "Editing a contact from an outdated version is refused with the current version",
    arguments: Platform.allCases)
  func changedMeanwhile(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let read = try await world.contacts.add(.bo)
    var draft = ContactDraft.bo
    draft.email = "new@example.org"
    let first = try await world.contacts.update(read, draft)
    draft.email = ContactDraft.bo.email
    draft.note = "has a key"
    await expect(ClientError.contactChanged(first)) { [draft] () throws(ClientError) in
      try await world.contacts.update(read, draft)
    }
    #expect(try await world.contacts.contacts() == [first])
    // An update based on the current version succeeds.
    #expect(try await world.contacts.update(first, draft).note == "has a key")
  }

  @Test(
    "Changing or deleting a deleted contact fails, and its address is free again",
    arguments: Platform.allCases)
  func notFound(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let bo = try await world.contacts.add(.bo)
    try await world.contacts.delete(bo.id)
    #expect(try await world.contacts.contacts() == [])
    await expect(ClientError.contactNotFound) { () throws(ClientError) in
      try await world.contacts.delete(bo.id)
    }
    await expect(ClientError.contactNotFound) { () throws(ClientError) in
      try await world.contacts.update(bo, .bo)
    }
    // The address is free again.
    _ = try await world.contacts.add(.bo)
  }

  @Test("Contacts are sorted by name, and observers see each change", arguments: Platform.allCases)
  func observe(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    var changes = world.contacts.observe().makeAsyncIterator()
    #expect(try await changes.next() == [])
    let cem = try await world.contacts.add(.cem)
    #expect(try await changes.next() == [cem])
    let bo = try await world.contacts.add(.bo)
    #expect(try await changes.next() == [bo, cem])
    try await world.contacts.delete(cem.id)
    #expect(try await changes.next() == [bo])
  }
}
