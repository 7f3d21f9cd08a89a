import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite("CON-3: notifying new responders, and declining", .timeLimit(.minutes(1)))
struct DecliningContractTests {
  private func opened(_ platform: Platform) async throws -> World {
    let world = try World(platform)
    try await world.openAccount()
    return world
  }

  @Test(
    "A new responder is notified once on each channel, including channels added later",
    arguments: Platform.allCases)
  func told(_ platform: Platform) async throws {
    let world = try await opened(platform)
    var draft = ContactDraft(name: "Bo", email: "bo@example.org", roles: .dependent)
    var bo = try await world.contacts.add(draft)
    #expect(try await world.deliverAll() == [])
    draft.roles = .responder
    bo = try await world.contacts.update(bo, draft)
    let words = try await world.deliverAll()
    #expect(words.map(\.stage) == [.contactAdded])
    #expect(words.map(\.recipient) == [.contact(bo.id)])
    #expect(words.map(\.plannedAt) == [world.now])
    let code = try #require(words[0].code)
    #expect(code.value.count == 11)
    // A new note, or a role changed and changed back, sends no message.
    draft.note = "has a key"
    draft.roles = .dependent
    bo = try await world.contacts.update(bo, draft)
    draft.roles = .responder
    bo = try await world.contacts.update(bo, draft)
    #expect(try await world.deliverAll() == [])
    draft.channels.append(ChannelsContractTests.topic)
    bo = try await world.contacts.update(bo, draft)
    _ = try await world.channels.add(ChannelsContractTests.hook, bo.id)
    let further = try await world.deliverAll()
    #expect(further.map(\.channel) == [.ntfy, .webhook])
    #expect(further.map(\.code) == [code, code])
  }

  @Test(
    "CHK-3: correcting a new address notifies no other responder; replacing it later does",
    arguments: Platform.allCases)
  func corrected(_ platform: Platform) async throws {
    let world = try await opened(platform)
    var draft = ContactDraft.bo
    draft.channels = [ChannelDraft(.ntfy, "https://ntfy.sh/b0")]
    var bo = try await world.contacts.add(draft)
    _ = try await world.contacts.add(.cem)
    try await world.deliverAll()
    func replace(by topic: String) async throws -> [String] {
      draft.channels = [ChannelDraft(.ntfy, "https://ntfy.sh/\(topic)")]
      bo = try await world.contacts.update(bo, draft)
      return try await world.deliverAll().map {
        "\($0.address) \($0.stage == .contactAdded ? "named" : $0.detail)"
      }
    }
    #expect(try await replace(by: "bo") == ["https://ntfy.sh/bo named"])
    world.advance(.hours(1))
    #expect(
      try await Set(replace(by: "bo-2")) == [
        "cem@example.org replaced a channel of Bo (ntfy)", "https://ntfy.sh/bo-2 named",
      ])
  }

  @Test(
    "A contact who stops being a responder before the message is sent isn't notified",
    arguments: Platform.allCases)
  func takenBack(_ platform: Platform) async throws {
    let world = try await opened(platform)
    var draft = ContactDraft.bo
    var bo = try await world.contacts.add(draft)
    draft.roles = .dependent
    bo = try await world.contacts.update(bo, draft)
    #expect(try await world.deliverAll() == [])
    draft.roles = .responder
    bo = try await world.contacts.update(bo, draft)
    #expect(try await world.deliverAll().map(\.recipient) == [.contact(bo.id)])
  }

  @Test("Responders named at onboarding are notified", arguments: Platform.allCases)
  func onboarding(_ platform: Platform) async throws {
    let world = try World(platform)
    _ = try await world.auth.createAccount(
      NewAccount(profile: Profile(name: "Ida"), responders: [.bo, .cem]))
    #expect(Set(try await world.deliverAll().map(\.recipientName)) == ["Bo", "Cem"])
  }

  @Test("A responder who declines by code is sent nothing more", arguments: Platform.allCases)
  func declines(_ platform: Platform) async throws {
    let world = try await opened(platform)
    let bo = try await world.contacts.add(.bo)
    let cem = try await world.contacts.add(.cem)
    let words = try await world.deliverAll()
    let code = try #require(words.first { $0.recipientName == "Bo" }?.code?.value)
    try await world.channels.sendTest(bo.channels[0].id)
    world.advance(.hours(1))
    let typed = " \(code.prefix(4).lowercased())-\(code.dropFirst(4)) "
    let declined = try await world.contacts.declineByCode(Secret(typed))
    #expect(declined.id == bo.id && declined.declinedAt == world.now)
    #expect(!declined.isActive && !declined.isResponder)
    #expect(try await world.contacts.contacts() == [declined, cem])
    #expect(try await world.dueAccount().responders.map(\.id) == [cem.id])
    // The pending test isn't sent, and a new one is refused.
    #expect(try await world.deliverAll() == [])
    await expect(ClientError.declined(name: "Bo")) { () throws(ClientError) in
      try await world.channels.sendTest(bo.channels[0].id)
    }
    let told = try await world.notifications.notifications(10, .all)
    #expect(told.map(\.kind) == [.contactDeclined] && told[0].subject == "Bo")
    // Declining again changes nothing, and an edited contact stays declined.
    #expect(try await world.contacts.declineByCode(Secret(code)) == declined)
    #expect(try await world.notifications.notifications(10, .all).count == 1)
    var draft = ContactDraft(declined)
    draft.channels.append(ChannelsContractTests.hook)
    #expect(try await world.contacts.update(declined, draft).declinedAt == declined.declinedAt)
    #expect(try await world.deliverAll() == [])
  }

  @Test("A decline code works only on the account that sent it", arguments: Platform.allCases)
  func unknownCode(_ platform: Platform) async throws {
    let world = try await opened(platform)
    _ = try await world.contacts.add(.bo)
    let code = try #require(try await world.deliverAll().first?.code)
    let peer = try await world.openPeer("Cem")
    for (side, typed) in [(peer, code), (world, Secret("")), (world, Secret("AAAAAAAA"))] {
      await expect(ClientError.declineCodeUnknown) { () throws(ClientError) in
        try await side.contacts.declineByCode(typed)
      }
    }
  }

  @Test(
    "AUTH-3: five wrong decline codes lock further guesses, but the right code still works",
    arguments: Platform.allCases)
  func wrongCodes(_ platform: Platform) async throws {
    let world = try await opened(platform)
    let bo = try await world.contacts.add(.bo)
    let code = try #require(try await world.deliverAll().first?.code)
    let peer = try await world.openPeer("Cem")
    var errors: [ClientError] = []
    for number in 0..<40 {
      do throws(ClientError) {
        _ = try await world.contacts.declineByCode(Secret("00000-000\(10 + number)"))
      } catch { errors.append(error) }
    }
    let end = world.now + .minutes(1)
    #expect(
      errors == Array(repeating: .declineCodeUnknown, count: 5)
        + Array(repeating: .tooManyCodes(until: end), count: 35))
    // The lock affects neither other accounts nor responses to alerts.
    await expect(ClientError.declineCodeUnknown) { () throws(ClientError) in
      try await peer.contacts.declineByCode(Secret("00000-00000"))
    }
    await expect(ClientError.responseCodeUnknown) { () throws(ClientError) in
      try await world.responses.respond("00000-00000")
    }
    #expect(try await world.contacts.declineByCode(code).id == bo.id)
  }

  @Test("The reply code of a call for help can't be used to decline", arguments: Platform.allCases)
  func codeOfACall(_ platform: Platform) async throws {
    let world = try await opened(platform)
    let bo = try await world.contacts.add(.bo)
    try await world.deliverAll()
    let alert = try await world.alerts.raise("")
    try await world.apply(Plan(deliveries: [.alertOn(alert, to: bo)]))
    let claimed = try await world.monitor.claim(
      world.now, .seconds(60), ClaimRequest(limit: 10))
    let code = try #require(claimed.first?.code)
    await expect(ClientError.declineCodeUnknown) { () throws(ClientError) in
      try await world.contacts.declineByCode(code)
    }
    #expect(try await world.contact(bo.id).declinedAt == nil)
    #expect(try await world.alerts.history(1)[0].alert.acknowledgements == [])
  }

  @Test(
    "When the only responder has declined, claimed messages report that there are no responders",
    arguments: Platform.allCases
  )
  func nobodyLeft(_ platform: Platform) async throws {
    let world = try await opened(platform)
    _ = try await world.contacts.add(.bo)
    let words = try await world.deliverAll()
    #expect(words.map(\.hasResponders) == [true])
    _ = try await world.contacts.declineByCode(try #require(words[0].code))
    try await world.channels.sendTest(world.user.currentUser().id)
    #expect(try await world.deliverAll().map(\.hasResponders) == [false])
  }

  @Test(
    "A declined contact is exported and imported as declined, and isn't notified",
    arguments: Platform.allCases)
  func transfer(_ platform: Platform) async throws {
    let world = try await opened(platform)
    _ = try await world.contacts.add(.bo)
    let words = try await world.deliverAll()
    var declined = try await world.contacts.declineByCode(try #require(words[0].code))
    let export = try await world.transfer.exportAccount()
    let other = try World(platform)
    try await other.openAccount()
    _ = try await other.transfer.importAccount(AccountExport(decoding: export.encoded()))
    let imported = try await other.contacts.contacts()
    // In an account that is there, an import gets identifiers of its own.
    declined.id = try #require(imported.first).id
    for index in declined.channels.indices {
      declined.channels[index].id = imported[0].channels[index].id
    }
    #expect(imported == [declined])
    #expect(try await other.deliverAll() == [])
  }
}
