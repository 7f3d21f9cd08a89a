import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite("CheckInClient: outings", .timeLimit(.minutes(1)))
struct OutingContractTests {
  static let open = Secret("blue kettle")
  static let duress = Secret("green kettle")

  private func draft(
    _ end: String = "4h", text: String = "red tent", for responders: [Contact.ID] = [],
    tells: Bool = false, waits: Bool = false
  ) -> OutingDraft {
    OutingDraft(
      end: end, zone: "UTC", text: text, responders: responders, isAnnounced: tells,
      holdsDeadline: waits)
  }

  private func contact(_ name: String, _ world: World) async throws -> Contact {
    try #require(try await world.contacts.contacts().first { $0.name == name })
  }

  @Test(
    "OUT-1: an outing is stored, is no check-in, and there is one at a time",
    arguments: Platform.allCases)
  func starts(_ platform: Platform) async throws {
    let world = try World(platform)
    let opened = try await world.openAccount(responders: [.bo])
    let user = try await world.checkIn.startOuting(draft())
    let outing = try #require(user.outing)
    #expect(outing.until == (world.now + .hours(4)).inWholeSeconds && outing.text == "red tent")
    #expect(user.lastCheckIn == opened.lastCheckIn && user.deadline == opened.deadline)
    #expect(user.checkInSequence == opened.checkInSequence)
    #expect(try await world.user.currentUser() == user)
    #expect(try await world.dueAccount().user.outing == outing)
    #expect(try await world.deliverAll() == [])
    await expect(ClientError.alreadyOut(until: outing.until)) { () throws(ClientError) in
      try await world.checkIn.startOuting(draft())
    }
    // It begins no sequence, and a check-in leaves it on.
    #expect(try await world.checkIn.checkIn(.manual).outing == outing)
    let back = try await world.checkIn.endOuting(outing.id)
    #expect(back.outing == nil && back.lastCheckIn == world.now)
    #expect(try await world.checkIn.startOuting(draft()).outing?.id != outing.id)
  }

  @Test(
    "OUT-1: a text that is too long, no zone and nobody's name are refused",
    arguments: Platform.allCases)
  func refused(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    for (draft, error) in [
      (draft("9m"), ClientError.invalid(.outingRange)),
      (draft("soon"), .invalid(.outingEnd("soon"))),
      (draft(text: String(repeating: "x", count: 501)), .invalid(.messageLength(501))),
      (draft(for: [UUID()]), .contactNotFound),
    ] {
      await expect(error) { () throws(ClientError) in try await world.checkIn.startOuting(draft) }
    }
    #expect(try await world.user.currentUser().outing == nil)
  }

  @Test(
    "OUT-1: none starts while overdue, or while an alert is on or armed",
    arguments: Platform.allCases)
  func atTheWrongTime(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    _ = try await world.alerts.raise("help")
    await expect(ClientError.outingDuringAlert) { () throws(ClientError) in
      try await world.checkIn.startOuting(draft())
    }
    _ = try await world.alerts.cancel()
    world.advance(.hours(24))
    await expect(ClientError.checkInFirst) { () throws(ClientError) in
      try await world.checkIn.startOuting(draft())
    }
    // What has ended can't be extended.
    let gone = Outing(id: UUID(), text: "", until: world.now, startedAt: world.now)
    await expect(ClientError.notOut) { () throws(ClientError) in
      try await world.checkIn.extendOuting(OutingExtension(gone, by: .hours(1)))
    }
  }

  @Test(
    "CHK-3, OUT-3: a deadline that waits and a later end need the gate; starting needs none",
    arguments: Platform.allCases)
  func gate(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    try await world.auth.updateGate(Gate(passphrase: Self.open, duress: Self.duress))
    await expect(ClientError.gate(.required)) { () throws(ClientError) in
      try await world.checkIn.startOuting(draft("2d", waits: true))
    }
    // Where the deadline isn't within it, nothing waits.
    let outing = try #require(try await world.checkIn.startOuting(draft(waits: true)).outing)
    #expect(!outing.holdsDeadline)
    let change = OutingExtension(outing, by: .hours(1))
    await expect(ClientError.gate(.required)) { () throws(ClientError) in
      try await world.checkIn.extendOuting(change)
    }
    await expect(ClientError.gate(.required)) { () throws(ClientError) in
      try await world.checkIn.endOuting(outing.id)
    }
    let later = try await world.checkIn.$extendOuting(change, typing: Self.open)
    #expect(later.outing?.until == outing.until + .hours(1))
    #expect(try await world.checkIn.$endOuting(outing.id, typing: Self.open).outing == nil)
  }

  @Test(
    "OUT-3: that a deadline waits, and each extension then, goes to all responders",
    arguments: Platform.allCases)
  func noticed(_ platform: Platform) async throws {
    let world = try World(platform)
    let opened = try await world.openAccount(responders: [.bo])
    let out = try await world.checkIn.startOuting(draft("2d", waits: true))
    let outing = try #require(out.outing)
    let first = try await world.deliverAll()
    #expect(
      first.map(\.detail) == [
        ResponderNotice.heldDeadline(opened.deadline.date, until: outing.until)
      ])
    _ = try await world.checkIn.extendOuting(OutingExtension(outing, by: .hours(2)))
    let second = try await world.deliverAll()
    #expect(
      second.map(\.detail) == [
        ResponderNotice.heldDeadline(opened.deadline.date, until: outing.until + .hours(2))
      ])
    _ = try await world.checkIn.endOuting(outing.id)
    #expect(try await world.deliverAll().map(\.detail) == [ResponderNotice.back])
  }

  @Test(
    "OUT-4: only an outing's responders see it and its text, while it is on",
    arguments: Platform.allCases)
  func seen(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let (cem, dana) = (try await world.openPeer("Cem"), try await world.openPeer("Dana"))
    let own = try await world.befriend(cem, .responder).own
    try await world.befriend(dana, .responder)
    let out = try await world.checkIn.startOuting(draft("2d", for: [own.id], waits: true))
    func seen(_ peer: World) async throws -> DependentStatus? {
      try await peer.contacts.contacts().first?.link?.dependentStatus
    }
    #expect(try await seen(cem)?.outing == out.outing?.forResponders)
    #expect(try await seen(dana)?.outing == nil)
    // Everyone sees the same deadline.
    #expect(try await seen(cem)?.deadline.date == out.outing?.until)
    #expect(try await seen(dana)?.deadline.date == out.outing?.until)
    _ = try await world.checkIn.endOuting(try #require(out.outing).id)
    #expect(try await seen(cem)?.outing == nil)
  }

  @Test(
    "OUT-4: *back* under duress seems to end the outing, whose text goes on with the silent alert",
    arguments: Platform.allCases)
  func underDuress(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    try await world.auth.updateGate(Gate(passphrase: Self.open, duress: Self.duress))
    let outing = try #require(try await world.checkIn.startOuting(draft(tells: true)).outing)
    #expect(try await world.deliverAll().map(\.detail) == [ResponderNotice.out(outing.until)])
    let shown = try await world.checkIn.$endOuting(outing.id, typing: Self.duress)
    #expect(shown.outing == nil && shown.lastCheckIn == world.now)
    let silent = try #require(try await world.dueAccount().alerts.first { $0.kind == .duress })
    let bo = try await contact("Bo", world)
    try await world.apply(
      Plan(deliveries: [
        PlannedDelivery(
          occasion: .alert(silent.id), stage: .alertOn, recipient: .contact(bo.id),
          recipientName: "Bo", channel: bo.channels[0].kind, address: bo.channels[0].address)
      ]))
    let sent = try await world.monitor.claim(world.now, .seconds(60), ClaimRequest(limit: 100))
    let call = try #require(sent.first { $0.stage == .alertOn })
    #expect(call.outing?.text == "red tent")
    // That all is well is said to nobody who knows of the silent alert.
    #expect(
      sent.map { "\($0.stage.name) \($0.isSilent || $0.pretendedResult != nil)" } == [
        "alert_on true", "alert_on_again true",
      ])
  }

  @Test(
    "OUT-4: an import never starts, ends or restores an outing",
    arguments: Platform.all(but: .moving))
  func imported(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    let out = try await world.checkIn.startOuting(draft())
    let file = try await world.transfer.exportAccount().encoded()
    #expect(String(decoding: file, as: UTF8.self).contains("red tent"))
    let other = try World(platform)
    _ = try await other.transfer.importAccount(AccountExport(decoding: file))
    #expect(try await other.user.currentUser().outing == nil)
    // Into the account that is out, it changes nothing of the outing.
    _ = try await world.transfer.importAccount(AccountExport(decoding: file))
    #expect(try await world.user.currentUser().outing == out.outing)
  }
}
