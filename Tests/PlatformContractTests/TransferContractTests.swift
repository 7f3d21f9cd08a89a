import Clients
import Composable
import Domain
import FoundationEssentials
import Testing

@Suite("TransferClient", .timeLimit(.minutes(1)))
struct TransferContractTests {
  /// Creates an account with data of every kind.
  private func openRichAccount(_ world: World) async throws {
    try await world.openAccount(responders: [.bo])
    _ = try await world.contacts.add(
      ContactDraft(name: "Zoë", phone: "+31612345678", note: "Sails.\nAlone.", roles: .dependent))
    for hours in [20, 30, 5] {
      world.advance(.hours(hours))
      _ = try await world.checkIn.checkIn(.commandLine)
    }
    _ = try await world.alerts.raise("fell “on the stairs”")
    world.advance(.minutes(3))
    _ = try await world.alerts.cancel()
    _ = try await world.user.updateEscalation(
      [.hours(2), .minutes(10)], .hours(1), .minutes(20))
    _ = try await world.checkIn.pause(world.now + .days(2))
    try await world.auth.updateGate(Gate(passphrase: Secret("tulip")))
    _ = try await world.storage.setDocument(.appearance, Data(#"{"theme":"mono"}"#.utf8), nil)
    try await world.keychain.set("smtp-password", "hunter2")
  }

  @Test(
    "An export lists emergency documents but contains no file contents and no picture",
    arguments: Platform.all(but: .beforeAccount))
  func files(_ platform: Platform) async throws {
    let world = try World(platform)
    try await openRichAccount(world)
    _ = try await world.profile.update("Ida", .set(.png))
    let documents = [
      try await world.add("a.txt", Data("blood".utf8)),
      try await world.add("b.txt", Data(), .duringAlert),
    ]
    let bytes = try await world.transfer.exportAccount().encoded()
    let export = try AccountExport(decoding: bytes)
    #expect(export.files == documents)
    #expect(export.user.picture == nil)
    #expect(try export.encoded() == bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("add them again after an import") && !text.contains("blood"))
    let other = try World(platform)
    _ = try await other.transfer.importAccount(export)
    #expect(try await other.documents.documents() == [])
  }

  @Test(
    "Exporting, importing into an empty store and exporting again gives the same bytes",
    arguments: Platform.allCases, Platform.all(but: .beforeAccount))
  func roundTrip(_ from: Platform, _ to: Platform) async throws {
    let world = try World(from)
    try await openRichAccount(world)
    let bytes = try await world.transfer.exportAccount().encoded()
    let other = try World(to)
    other.advance(.seconds(Int(world.now.timeIntervalSince(other.now))))
    let report = try await other.transfer.importAccount(
      AccountExport(decoding: bytes))
    #expect(report.opened)
    #expect(report.contacts == 2 && report.checkIns == 4 && report.alerts == 1)
    #expect(report.documents == 1)
    let again = try await other.transfer.exportAccount().encoded()
    #expect(String(decoding: again, as: UTF8.self) == String(decoding: bytes, as: UTF8.self))
    let user = try await other.user.currentUser()
    #expect(user.locks == [])
    #expect(try await other.auth.state() == .signedIn(user.id))
    // An imported account is watched.
    #expect(try await other.dueAccount().user == user)
  }

  @Test("CHK-3: an export contains no secrets and no silent alert", arguments: Platform.allCases)
  func noSecrets(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    try await world.keychain.set("smtp-password", "hunter2")
    try await world.auth.updateGate(
      Gate(passphrase: Secret("tulip"), duress: Secret("rose garden")))
    _ = try await world.checkIn.$checkIn(.manual, typing: Secret("rose garden"))
    let export = try await world.transfer.exportAccount()
    #expect(export.alerts == [])
    let text = String(decoding: try export.encoded(), as: UTF8.self)
    for secret in ["hunter2", "tulip", "rose", "argon2", "duress"] {
      #expect(!text.contains(secret))
    }
  }

  @Test(
    "Importing into the same account adds only what is missing; a second import adds nothing",
    arguments: Platform.allCases)
  func addsMissing(_ platform: Platform) async throws {
    let world = try World(platform)
    try await openRichAccount(world)
    let export = try await world.transfer.exportAccount()
    let zoe = try #require(export.contacts.first { $0.name == "Zoë" })
    try await world.contacts.$delete(zoe.id, typing: Secret("tulip"))
    try await world.storage.deleteDocument(.appearance)
    var report = try await world.transfer.$importAccount(export, typing: Secret("tulip"))
    #expect(!report.opened)
    #expect(report.contacts == 1 && report.documents == 1)
    #expect(report.checkIns == 0 && report.alerts == 0 && report.notifications == 0)
    var contacts = try await world.contacts.contacts()
    let again = try #require(contacts.firstIndex { $0.name == "Zoë" })
    // What was sent to the removed contact says nothing about the one that is imported.
    #expect(contacts[again].id != zoe.id)
    contacts[again].id = zoe.id
    #expect(contacts == export.contacts)
    report = try await world.transfer.$importAccount(export, typing: Secret("tulip"))
    #expect(report == ImportReport())
  }

  @Test(
    "Importing another account's export adds contacts but no check-ins or alerts",
    arguments: Platform.allCases)
  func otherAccount(_ platform: Platform) async throws {
    let world = try World(platform)
    try await openRichAccount(world)
    let export = try await world.transfer.exportAccount()
    let other = try World(platform)
    let user = try await other.openAccount(responders: [.bo])
    let report = try await other.transfer.importAccount(export)
    #expect(report.contacts == 1 && report.checkIns == 0 && report.alerts == 0)
    #expect(try await other.user.currentUser() == user)
    #expect(try await other.checkIn.history(10).count == 1)
  }

  @Test(
    "An import with dates in the future can't postpone a deadline",
    arguments: Platform.all(but: .beforeAccount))
  func future(_ platform: Platform) async throws {
    let world = try World(platform)
    try await openRichAccount(world)
    var export = try await world.transfer.exportAccount()
    let future = Date(timeIntervalSince1970: 200_000_000_000)
    export.user.lastCheckIn = future
    export.user.pausedAt = future
    export.user.pausedUntil = future + .days(3)
    export.alerts[0].resolvedAt = nil
    export.alerts[0].raisedAt = future
    export.checkIns[0].date = future
    export.notifications[0].date = future
    let other = try World(platform)
    _ = try await other.transfer.importAccount(export)
    let user = try await other.user.currentUser()
    #expect(user.lastCheckIn == other.now && user.pausedAt == other.now)
    #expect(user.pausedUntil == other.now + .days(30))
    #expect(try await other.alerts.history(1).first?.alert.raisedAt == other.now)
    let again = try await other.transfer.exportAccount()
    #expect(again.checkIns.allSatisfy { $0.date <= other.now })
    #expect(again.notifications.allSatisfy { $0.date <= other.now })
  }

  @Test(
    "An export that breaks a rule is refused and creates no account", arguments: Platform.allCases)
  func refused(_ platform: Platform) async throws {
    let world = try World(platform)
    try await openRichAccount(world)
    let export = try await world.transfer.exportAccount()
    let breaking: [@Sendable (inout AccountExport) -> Void] = [
      { $0.user.profile.name = "\u{1B}[2J" }, { $0.user.grace = .hours(25) },
      { $0.user.reminders = [.days(40)] }, { $0.user.checkInSequence = -1 },
      { $0.user.deletedAt = $0.user.createdAt }, { $0.user.pausedAt = nil },
      { $0.contacts.append($0.contacts[0]) },
      { $0.contacts[0].channels += [Channel(id: UUID(), kind: .email, address: "BO@example.org")] },
      { $0.contacts[0].channels = [Channel(id: UUID(), kind: .email, address: "x\r\nBcc: y@z")] },
      { $0.contacts[0].roles = [] }, { $0.contacts[0].roles = Roles(rawValue: 4) },
      { $0.checkIns.reverse() }, { $0.user.checkInSequence = .max },
      { $0.user.checkInSequence = 1_000_000_001 }, { $0.alerts[0].noticedLateBy = .seconds(-1) },
      { $0.checkIns[0].sequence = 1_000_000 }, { $0.alerts[0].kind = .duress },
      { $0.alerts[0].sequence = 4 }, { $0.alerts[0].message = String(repeating: "x", count: 501) },
      { $0.documents[0].id = "../../etc" }, { $0.documents[0].json = "[" },
      { $0.documents.append($0.documents[0]) },
    ]
    let empty = try World(platform)
    for change in breaking {
      var broken = export
      change(&broken)
      await #expect(throws: ClientError.self) {
        try await empty.transfer.importAccount(broken)
      }
      #expect(try await empty.auth.state() == platform.stateWithoutAccounts)
    }
  }
}

@Suite struct AccountExportTests {
  @Test(
    "Decoding tells a file that isn't an export from a newer version and a broken export",
    arguments: [
      ("", ClientError.notAnExport), ("{}", .notAnExport), ("[1,2]", .notAnExport),
      (#"{"format":"other","version":1}"#, .notAnExport),
      (#"{"format":"lifesignal-export","version":4}"#, .exportVersion(4)),
      (#"{"format":"lifesignal-export","version":1}"#, .exportInvalid("account")),
      (
        #"{"format":"lifesignal-export","version":1,"account":{"id":7}}"#,
        .exportInvalid("account.id")
      ),
      (String(repeating: "[", count: 100_000), .notAnExport),
    ])
  func malformed(text: String, error: ClientError) {
    #expect(throws: error) { try AccountExport(decoding: Data(text.utf8)) }
  }
}
