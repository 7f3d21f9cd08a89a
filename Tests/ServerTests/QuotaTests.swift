import Clients
import Composable
import Cryptography
import Domain
import FoundationEssentials
import ServerTesting
import TestSupport
import Testing

@testable import Server
@testable import Store

/// What one member can take from the others.
@Suite("Quotas", .timeLimit(.minutes(2)))
struct QuotaTests {
  private func export(contacts: Int) -> AccountExport {
    let now = Date(timeIntervalSince1970: 1_780_000_000)
    return AccountExport(
      user: User(id: UUID(), profile: Profile(name: "Eve"), lastCheckIn: now, createdAt: now),
      contacts: (0..<contacts).map { number in
        Contact(
          id: UUID(), name: "C\(number)", phone: nil, note: "", roles: .dependent,
          channels: [Channel(id: UUID(), kind: .email, address: "c\(number)@example.org")],
          addedAt: now)
      }, checkIns: [], alerts: [], notifications: [], documents: [])
  }

  /// The clients of an app's session as the server has them, which take what is too large for one
  /// request.
  private func large(_ app: RemoteApp, _ world: ServerWorld) -> DependencyValues {
    let session = RemoteSession(token: app.token, device: "a laptop")
    return DependencyValues { world.store.clients(for: session).install(in: &$0) }
  }

  @Test("An account has at most 500 contacts; a larger import keeps 500 and reports the limit")
  func contacts() async throws {
    let world = try ServerWorld()
    let eve = try await world.signUp("Eve")
    await expect(ClientError.limitReached(.contacts)) { () throws(ClientError) in
      _ = try await large(eve, world).transferClient.importAccount(export(contacts: 510))
    }
    #expect(try await eve.clients.contactsClient.contacts().count == Quota.contacts.limit)
    await expect(ClientError.limitReached(.contacts)) { () throws(ClientError) in
      _ = try await eve.clients.contactsClient.add(
        ContactDraft(name: "Bo", email: "bo@example.org", roles: .responder))
    }
  }

  @Test("A contact has at most 10 channels, and a person at most 20 of their own")
  func channels() async throws {
    let world = try ServerWorld()
    let eve = try await world.signUp("Eve")
    func drafts(_ count: Int) -> [ChannelDraft] {
      (0..<count).map { ChannelDraft(.email, "a\($0)@example.org") }
    }
    func draft(_ count: Int) -> ContactDraft {
      ContactDraft(
        name: "Bo", phone: nil, note: "", channels: drafts(count), roles: .responder)
    }
    await expect(ClientError.limitReached(.channels)) { () throws(ClientError) in
      _ = try await eve.clients.contactsClient.add(draft(11))
    }
    let bo = try await eve.clients.contactsClient.add(draft(10))
    await expect(ClientError.limitReached(.channels)) { () throws(ClientError) in
      _ = try await eve.clients.channelsClient.add(
        ChannelDraft(.email, "more@example.org"), bo.id)
    }
    for number in 0..<Quota.ownChannels.limit {
      _ = try await eve.clients.channelsClient.add(
        ChannelDraft(.email, "own\(number)@example.org"), nil)
    }
    await expect(ClientError.limitReached(.ownChannels)) { () throws(ClientError) in
      _ = try await eve.clients.channelsClient.add(ChannelDraft(.email, "more@example.org"), nil)
    }
  }

  @Test("Stored documents are limited to 256 KiB each and 4 MiB together", arguments: Engine.all)
  func documents(_ engine: Engine) async throws {
    let world = try engine.makeWorld()
    let storage = large(try await world.signUp("Eve"), world).storageClient
    func json(_ bytes: Int) -> Data {
      Data((#"{"a":""# + String(repeating: "x", count: bytes - 8) + #""}"#).utf8)
    }
    let folder = try CollectionPath("settings")
    for number in 0..<16 {
      _ = try await storage.setDocument(try folder.document("d\(number)"), json(256 << 10), nil)
    }
    await #expect(throws: StorageError.self) {
      _ = try await storage.setDocument(try folder.document("more"), json(100), nil)
    }
    await #expect(throws: StorageError.self) {
      _ = try await storage.setDocument(try folder.document("d0"), json((256 << 10) + 1), nil)
    }
    // Room comes back.
    _ = try await storage.setDocument(try folder.document("d0"), json(100), nil)
    _ = try await storage.setDocument(try folder.document("more"), json(100), nil)
  }

  private func move(_ export: AccountExport) -> AccountMove {
    AccountMove(export: export)
  }

  @Test("A server refuses to take an account that exceeds its limits", arguments: Engine.all)
  func largeMove(_ engine: Engine) async throws {
    let world = try engine.makeWorld()
    let eve = try await world.signUp("Eve")
    let transfer = large(eve, world).transferClient
    await expect(ClientError.limitReached(.contacts)) { () throws(ClientError) in
      try await transfer.receiveMove(move(export(contacts: 501)))
    }
    var documents = export(contacts: 1)
    documents.documents = [
      .init(
        collection: "settings", id: "a",
        json: #"{"a":""# + String(repeating: "x", count: 256 << 10) + #""}"#)
    ]
    let large = move(documents)
    await expect(ClientError.limitReached(.documentSize)) { () throws(ClientError) in
      try await transfer.receiveMove(large)
    }
    #expect(try await eve.clients.contactsClient.contacts().isEmpty)
  }

  @Test(
    "An account can try to move in five times a day, even if each try is refused",
    arguments: Engine.all)
  func refusedMoves(_ engine: Engine) async throws {
    let world = try engine.makeWorld()
    let eve = try await world.signUp("Eve")
    _ = try await eve.clients.contactsClient.add(
      ContactDraft(name: "Bo", email: "bo@example.org", roles: .responder))
    let move = move(export(contacts: 1))
    for _ in 1...5 {
      await expect(ClientError.cannotMove(.notEmpty)) { () throws(ClientError) in
        try await eve.clients.transferClient.receiveMove(move)
      }
    }
    do throws(ClientError) {
      try await eve.clients.transferClient.receiveMove(move)
      Issue.record("a sixth move was taken")
    } catch {
      #expect(error != .cannotMove(.notEmpty))
    }
  }

  @Test(
    "An interrupted move can start again, and can't end while a part is missing",
    arguments: Engine.all)
  func moveInParts(_ engine: Engine) async throws {
    let world = try engine.makeWorld()
    let eve = try await world.signUp("Eve")
    let store = StoreClients(
      world.store.lanes[0], session: RemoteSession(token: eve.token, device: "a laptop"),
      makeUUID: { UUID() }, hashing: .minimal,
      startMonitor: { (_: Bool) async throws(StorageError) in }
    ).store
    let move = move(export(contacts: 45))
    let parts = move.export.steps
    try await store.beginReceiving(move)
    for part in parts.dropLast() { try await store.receive(part) }
    await expect(ClientError.cannotMove(.invalid)) { () throws(ClientError) in
      try await store.endReceiving(move)
    }
    try await store.beginReceiving(move)
    for part in parts { try await store.receive(part) }
    try await store.endReceiving(move)
    #expect(try await eve.clients.contactsClient.contacts().count == 45)
    #expect(try await eve.clients.transferClient.arrive() == false)
    // What comes late is refused.
    await expect(ClientError.cannotMove(.notEmpty)) { () throws(ClientError) in
      try await store.receive(parts[0])
    }
    await expect(ClientError.cannotMove(.notEmpty)) { () throws(ClientError) in
      try await store.beginReceiving(move)
    }
  }

  @Test("A few accounts can't block large uploads: a paused or slow upload gives way to others")
  func bodies() {
    let start = Date(timeIntervalSince1970: 1_790_000_000)
    let part = [UInt8](repeating: 7, count: BodyParts.partSize)
    let whole = BodyParts.limit / BodyParts.partSize
    let ids = (0...9).map { _ in UUID() }
    func send(
      _ numbers: Range<Int>, of account: Int, to parts: BodyParts, after seconds: Int
    ) -> Set<Int> {
      Set(
        numbers.map {
          parts.add(
            part, number: $0, to: ids[account], of: account, now: start + .seconds(seconds))
        })
    }

    // One that pauses gives way.
    let pausing = BodyParts()
    for account in 1...4 {
      #expect(send(0..<whole, of: account, to: pausing, after: 0) == [204])
    }
    #expect(send(0..<16, of: 5, to: pausing, after: 2) == [204])
    #expect(send(0..<1, of: 6, to: pausing, after: 4) == [429])
    #expect(send(0..<whole, of: 6, to: pausing, after: 5) == [204])
    #expect(pausing.body(ids[5], parts: 16, of: 5) != nil)

    // So does one that goes on for longer than its turn.
    let slow = BodyParts()
    for account in 1...4 {
      #expect(send(0..<whole - 1, of: account, to: slow, after: 0) == [204])
    }
    for account in 1...4 {
      #expect(send(whole - 1..<whole, of: account, to: slow, after: 58) == [204])
    }
    #expect(send(0..<16, of: 5, to: slow, after: 58) == [204])
    #expect(send(0..<1, of: 6, to: slow, after: 59) == [429])
    #expect(send(0..<whole, of: 6, to: slow, after: 60) == [204])
    #expect(slow.body(ids[5], parts: 16, of: 5) != nil)
  }

  @Test("An account runs at most 4 heavy requests at once, all together 12, with 5 imports a day")
  func heavy() {
    let limits = RequestLimits()
    let now = Date(timeIntervalSince1970: 1_790_000_000)
    for account in 1...3 {
      for _ in 1...4 { #expect(limits.beginHeavy(account)) }
      #expect(!limits.beginHeavy(account))
    }
    #expect(!limits.beginHeavy(4))
    limits.endHeavy(1)
    #expect(limits.beginHeavy(4) && !limits.beginHeavy(1))
    let repeated = UUID()
    #expect(limits.takeImport(1, key: repeated, now: now) == .taken)
    for _ in 1...9 { #expect(limits.takeImport(1, key: repeated, now: now) == .repeated) }
    for _ in 1...4 { #expect(limits.takeImport(1, key: UUID(), now: now) == .taken) }
    #expect(limits.takeImport(1, key: UUID(), now: now) == .wait(4 * 3_600))
    limits.giveBackImport(1)
    #expect(limits.takeImport(1, key: UUID(), now: now) == .taken)
    #expect(limits.takeImport(1, key: UUID(), now: now) == .wait(4 * 3_600))
    #expect(limits.takeImport(2, key: UUID(), now: now) == .taken)
    #expect(limits.takeImport(1, key: UUID(), now: now + .hours(4)) == .taken)
  }

  @Test("An import is split into short steps that add up to the whole")
  func steps() {
    var whole = export(contacts: 95)
    whole.checkIns = (0..<1_234).map {
      CheckIn(
        id: UUID(), date: whole.user.createdAt + .minutes($0), source: .manual, sequence: $0,
        margin: nil)
    }
    let steps = whole.steps
    #expect(steps.map(\.contacts.count) == [20, 20, 20, 20, 15, 0, 0, 0])
    #expect(steps.map(\.checkIns.count) == [0, 0, 0, 0, 0, 500, 500, 234])
    #expect(steps.flatMap(\.contacts) == whole.contacts)
    #expect(steps.flatMap(\.checkIns) == whole.checkIns)
  }
}
