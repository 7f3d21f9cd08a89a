import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite("ContactsClient: a message at each check-in", .timeLimit(.minutes(1)))
struct CheckInNewsContractTests {
  private func contact(_ name: String, _ world: World) async throws -> Contact {
    try #require(try await world.contacts.contacts().first { $0.name == name })
  }

  /// The messages about check-ins that are sent now.
  private func news(_ world: World) async throws -> [ClaimedDelivery] {
    try await world.deliverAll().filter { if case .checkedIn = $0.stage { true } else { false } }
  }

  @Test(
    "NOT-4: an outside contact gets one at each check-in if that is chosen, and by default none",
    arguments: Platform.allCases)
  func outside(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    world.advance(.minutes(5))
    _ = try await world.checkIn.checkIn(.manual)
    #expect(try await news(world) == [])
    let bo = try await contact("Bo", world)
    #expect(bo.hearsCheckIns == nil)
    #expect(try await world.contacts.setCheckInNews(bo.id, true).hearsCheckIns == true)
    #expect(try await contact("Bo", world).hearsCheckIns == true)
    world.advance(.minutes(5))
    _ = try await world.checkIn.checkIn(.commandLine)
    #expect(try await news(world).map(\.recipientName) == ["Bo"])
    // CHK-1: two within a minute are one.
    world.advance(.seconds(30))
    _ = try await world.checkIn.checkIn(.manual)
    #expect(try await news(world) == [])
    _ = try await world.contacts.setCheckInNews(bo.id, false)
    world.advance(.minutes(5))
    _ = try await world.checkIn.checkIn(.manual)
    #expect(try await news(world) == [])
    await expect(ClientError.contactNotFound) { () throws(ClientError) in
      try await world.contacts.setCheckInNews(UUID(), true)
    }
  }

  @Test("NOT-4: with an account it is the responder's own choice", arguments: Platform.allCases)
  func linked(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let peer = try await world.openPeer("Cem")
    let (own, theirs) = try await world.befriend(peer, .responder)
    await expect(ClientError.consentRequired(name: "Cem")) { () throws(ClientError) in
      try await world.contacts.setCheckInNews(own.id, true)
    }
    #expect(try await peer.contacts.setCheckInNews(theirs.id, true).hearsCheckIns == true)
    #expect(try await contact("Ida", peer).hearsCheckIns == true)
    #expect(try await contact("Cem", world).hearsCheckIns == nil)
    try await world.deliverAll()
    world.advance(.minutes(5))
    _ = try await world.checkIn.checkIn(.manual)
    #expect(try await news(world).map(\.recipientName) == ["Cem"])
    let shown = try await peer.notifications.notifications(1, .all)[0]
    #expect(shown.subject == "Ida" && shown.detail == ResponderNotice.checkedIn)
    try await world.contacts.delete(own.id)
    world.advance(.minutes(5))
    _ = try await world.checkIn.checkIn(.manual)
    #expect(try await news(world) == [])
  }

  @Test("NOT-4: at most six a day", arguments: Platform.allCases)
  func limit(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    _ = try await world.contacts.setCheckInNews(contact("Bo", world).id, true)
    var sent = 0
    for _ in 0..<9 {
      world.advance(.minutes(5))
      _ = try await world.checkIn.checkIn(.manual)
      sent += try await Set(news(world).map(\.stage)).count
    }
    #expect(sent == ContactRules.checkInNewsADay)
    world.advance(.hours(23))
    _ = try await world.checkIn.checkIn(.manual)
    #expect(try await news(world).isEmpty)
    world.advance(.hours(1))
    _ = try await world.checkIn.checkIn(.manual)
    #expect(try await !news(world).isEmpty)
  }

  @Test(
    "CHK-10, NOT-4: automatic check-ins are sent once a day, and say what they are",
    arguments: Platform.allCases)
  func automatic(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    _ = try await world.user.allowSigns(true)
    _ = try await world.contacts.setCheckInNews(contact("Bo", world).id, true)
    try await world.deliverAll()
    world.advance(.minutes(31))
    try await world.checkIn.sign()
    let first = try await news(world)
    #expect(Set(first.map(\.detail)) == [CheckIn.Source.automatic.rawValue])
    world.advance(.minutes(31))
    try await world.checkIn.sign()
    #expect(try await news(world) == [])
    world.advance(.minutes(31))
    _ = try await world.checkIn.checkIn(.manual)
    #expect(try await Set(news(world).map(\.detail)) == [""])
  }

  @Test(
    "CHK-3, NOT-4: during a silent alert nobody reads that all is well",
    arguments: Platform.allCases)
  func underDuress(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    let bo = try await contact("Bo", world)
    _ = try await world.contacts.setCheckInNews(bo.id, true)
    let (open, duress) = (Secret("blue kettle"), Secret("green kettle"))
    try await world.auth.updateGate(Gate(passphrase: open, duress: duress))
    try await world.deliverAll()
    world.advance(.minutes(5))
    _ = try await world.checkIn.$checkIn(.manual, typing: duress)
    let sent = try await world.deliverAll()
    #expect(!sent.isEmpty)
    for message in sent { #expect(message.isSilent || message.pretendedResult != nil) }
  }

  @Test(
    "NOT-4: a check-in that ends an alert sends the all-clear and no second message",
    arguments: Platform.allCases)
  func allClear(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    _ = try await world.contacts.setCheckInNews(contact("Bo", world).id, true)
    world.advance(.hours(25))
    let alert = Alert(id: UUID(), kind: .missed, raisedAt: world.now, sequence: 0)
    try await world.apply(Plan(missedAlert: alert))
    _ = try await world.checkIn.checkIn(.manual)
    #expect(try await news(world) == [])
  }

  @Test(
    "CHK-6, NOT-4: what a monitor was sending when an alert was raised isn't tried again during it",
    arguments: Platform.allCases)
  func abandoned(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    _ = try await world.contacts.setCheckInNews(contact("Bo", world).id, true)
    try await world.deliverAll()
    world.advance(.minutes(5))
    _ = try await world.checkIn.checkIn(.manual)
    // The monitor that takes it dies.
    for account in try await world.monitor.due(world.now, 9) {
      _ = try await world.monitor.apply(Plan(), account.user.id, account.revision, world.now)
    }
    let taken = try await world.monitor.claim(world.now, .minutes(1), ClaimRequest(limit: 9))
    #expect(taken.map(\.recipientName) == ["Bo"])
    _ = try await world.alerts.raise("help")
    world.advance(.minutes(5))
    #expect(try await news(world) == [])
    _ = try await world.alerts.cancel()
    #expect(try await news(world) == [])
  }

  @Test(
    "CHK-6, NOT-4: while an alert is on nobody reads that all is well, and what waits isn't sent any more",
    arguments: Platform.allCases)
  func duringAlert(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    _ = try await world.contacts.setCheckInNews(contact("Bo", world).id, true)
    world.advance(.minutes(5))
    _ = try await world.checkIn.checkIn(.manual)
    // It is still waiting when the alert is raised.
    _ = try await world.alerts.raise("help")
    #expect(try await news(world) == [])
    world.advance(.minutes(5))
    _ = try await world.checkIn.checkIn(.manual)
    #expect(try await news(world) == [])
    _ = try await world.alerts.cancel()
    world.advance(.minutes(5))
    _ = try await world.checkIn.checkIn(.manual)
    #expect(try await news(world).count == 1)
  }

  @Test(
    "NOT-4: a contact who gets them can be edited, also by an older app",
    arguments: Platform.allCases)
  func edited(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    let before = try await contact("Bo", world)
    _ = try await world.contacts.setCheckInNews(before.id, true)
    for read in [before, try await contact("Bo", world)] {
      var draft = ContactDraft(read)
      draft.note = read.note + "."
      let saved = try await world.contacts.update(read, draft)
      #expect(saved.hearsCheckIns == true)
      draft.note = ""
      _ = try await world.contacts.update(saved, draft)
    }
    var draft = ContactDraft(try await contact("Bo", world))
    draft.roles = .dependent
    _ = try await world.contacts.update(contact("Bo", world), draft)
    #expect(try await contact("Bo", world).hearsCheckIns == nil)
  }

  @Test("NOT-4: an export keeps the choice", arguments: Platform.all(but: .moving))
  func export(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    _ = try await world.contacts.setCheckInNews(contact("Bo", world).id, true)
    let file = try await world.transfer.exportAccount().encoded()
    let other = try World(platform)
    _ = try await other.transfer.importAccount(AccountExport(decoding: file))
    #expect(try await contact("Bo", other).hearsCheckIns == true)
  }
}
