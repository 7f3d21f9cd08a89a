import Clients
import Cryptography
import Domain
import FoundationEssentials
import Glibc
import Testing

@testable import SQLite
@testable import Store

@Suite("WCH-1: damaged stores", .timeLimit(.minutes(1)))
struct UnwatchedTests {
  /// Ida with responders Bo, who has no account, and Jo, who has one but no responders.
  private func place() async throws -> Place {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    _ = try await store.platform.openFurtherAccount(
      NewAccount(profile: Profile(name: "Jo", email: "jo@example.org")))
    try await store.sql(
      """
      INSERT INTO relation (id, requester, addressee, roles, state, created_at, answered_at)
      VALUES ('00000000-0000-0000-0000-000000000001', 1, 2, 1, 'active', 0, 0);
      INSERT INTO watch (key, since, last_seen) VALUES (1, 0, \(place.now.milliseconds))
      """)
    return place
  }

  private func lines(_ messages: [ClaimedDelivery]) -> [String] {
    messages.map {
      "\($0.user.profile.name) \($0.recipient == .owner ? "owner" : "responder")"
        + " \($0.recipientName) \($0.address)"
    }.sorted()
  }

  private static let all = [
    "Ida owner Ida ida@example.org", "Ida responder Bo bo@example.org",
    "Ida responder Jo jo@example.org", "Jo owner Jo jo@example.org",
  ]

  @Test("In a store with damaged indexes, owners and responders are each notified once")
  func everybody() async throws {
    let place = try await place()
    try await breakEveryIndex(of: place)
    place.advance(.hours(1))
    let client = EmbeddedPlatform.damagedStoreClient(folders: place.folders)
    let messages = await client.messages(place.now)
    #expect(lines(messages) == Self.all)
    #expect(messages.allSatisfy { $0.stage == .unwatched && $0.detail == "2026-11-18 11:06 UTC" })
    for message in messages.prefix(3) { await client.noteSent(message.id) }
    // A process that starts later skips messages already sent.
    place.advance(.hours(1))
    let later = EmbeddedPlatform.damagedStoreClient(folders: place.folders)
    #expect(await later.messages(place.now).map(\.id) == [messages[3].id])
    #expect(place.mode(place.folders.unwatched) == 0o600)
    await later.markRepaired()
    #expect(await later.messages(place.now).count == 4)
  }

  @Test("Unreadable rows of a damaged store keep nobody else from being notified")
  func partly() async throws {
    let place = try await place()
    let store = try place.open()
    try await store.sql("UPDATE account SET interval = 5, name = CAST(x'ff' AS TEXT) WHERE key = 1")
    let client = EmbeddedPlatform.damagedStoreClient(folders: place.folders)
    #expect(
      lines(await client.messages(place.now)).filter { $0.contains("responder") } == [
        "somebody responder Bo bo@example.org", "somebody responder Jo jo@example.org",
      ])
    try await store.sql("DROP TABLE relation")
    #expect(await client.messages(place.now).count == 3)
    try place.write(Array("Dear diary".utf8), to: place.folders.database)
    #expect(await client.messages(place.now) == [])
  }

  @Test("ALT-7: in a damaged store, due alerts in files are sent to every responder, once each")
  func calls() async throws {
    let place = try await place()
    let store = try place.open()
    let ida = try await store.user.currentUser()
    let armed = try await store.alerts.spool(UUID(), "fell", .seconds(5))
    let stopped = try await store.alerts.spool(UUID(), "", .seconds(5))
    _ = try await store.value(Int.self, "PRAGMA query_only = 1")
    try await store.alerts.disarm(stopped.id)
    try await breakEveryIndex(of: place)
    let client = EmbeddedPlatform.damagedStoreClient(folders: place.folders)
    #expect(await client.calls(place.now) == [])
    place.advance(.seconds(9))
    let calls = await client.calls(place.now)
    #expect(lines(calls) == Self.all.filter { $0.hasPrefix("Ida responder") })
    for call in calls {
      #expect(call.stage == .alertOn && call.alert == armed.raised(at: armed.firesAt))
      #expect(call.user.lastCheckIn == ida.lastCheckIn)
      // The delivery that the store plans once it can be written again.
      let planned = PlannedDelivery(
        occasion: .alert(armed.id), stage: .alertOn, recipient: call.recipient,
        recipientName: call.recipientName, channel: call.channel, address: call.address)
      #expect(call.id == UUID(of: planned, about: armed.id))
    }
    // A silent alert is only in a spool file, not in the store.
    let silent = UUID()
    try AlertSpool(place.folders).keepSilent(silent, of: ida.id, at: place.now)
    let more = await client.calls(place.now).filter { $0.alert?.id == silent }
    #expect(more.count == 2 && more.allSatisfy { $0.isSilent && $0.stage == .alertOn })
    for call in more { await client.noteSent(call.id) }
    await client.noteSent(calls[0].id)
    #expect(await client.calls(place.now).map(\.id) == calls.dropFirst().map(\.id))
    #expect(await client.hasReadablePeople() && client.claimCalls())
    // Another process can't begin while this one is running.
    #expect(!EmbeddedPlatform.damagedStoreClient(folders: place.folders).claimCalls())
  }

  @Test("ALT-7: an alert that is on in a damaged store is sent until the alert is cancelled")
  func callsFromStore() async throws {
    let place = try await place()
    let store = try place.open()
    let alert = try await store.alerts.raise("fell")
    // A store before this version kept no file of it.
    for folder in place.folders.spools {
      try? FileManager.default.removeItem(atPath: folder)
    }
    let client = EmbeddedPlatform.damagedStoreClient(folders: place.folders)
    let calls = await client.calls(place.now)
    #expect(lines(calls) == Self.all.filter { $0.hasPrefix("Ida responder") })
    #expect(calls.allSatisfy { $0.alert?.id == alert.id && $0.stage == .alertOn })
    _ = try await store.alerts.cancel()
    #expect(await client.calls(place.now) == [])
  }

  @Test("ALT-7: if the store is gone, an alert in a file goes to the responders in the backup")
  func callsFromBackup() async throws {
    let place = try await place()
    let store = try place.open()
    _ = try await store.upkeep.backUp(place.now)
    let client = EmbeddedPlatform.damagedStoreClient(folders: place.folders)
    #expect(rename(place.folders.database, place.folders.database + ".away") == 0)
    #expect(await client.calls(place.now) == [])
    _ = try await store.alerts.spool(UUID(), "fell", .zero)
    #expect(lines(await client.calls(place.now)).contains("Ida responder Bo bo@example.org"))
  }

  @Test("The app shows that the store is damaged and nobody is watched, until the repair")
  func status() async throws {
    let place = try await place()
    let store = try place.open()
    let client = EmbeddedPlatform.damagedStoreClient(folders: place.folders)
    _ = await client.messages(place.now)
    let problem = "The store is damaged, and nobody is being watched: run lifesignal doctor."
    #expect(try await store.watch.status().problem == problem)
    await client.markRepaired()
    #expect(try await store.watch.status().problem == nil)
  }

  private func breakEveryIndex(of place: Place) async throws {
    let path = try PrivateFiles.resolved(place.folders.data) + "/lifesignal.db"
    let database = try Database(path: path, access: .readWrite)
    _ = try database.value(Int.self, "PRAGMA wal_checkpoint(TRUNCATE)")
    let pages = try database.rows(
      """
      SELECT pageno FROM dbstat WHERE name IN (SELECT name FROM sqlite_schema WHERE type = 'index')
      """
    ) { row throws(StorageError) in try row.read(Int.self) }
    var bytes = try #require(place.bytes(place.folders.database))
    for page in pages {
      bytes.replaceSubrange(
        (page - 1) * 4_096..<page * 4_096, with: Array(repeating: 0xA5, count: 4_096))
    }
    try place.write(bytes, to: place.folders.database)
  }
}
