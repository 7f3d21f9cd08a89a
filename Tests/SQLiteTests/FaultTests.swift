import Clients
import Cryptography
import Domain
import FoundationEssentials
import Glibc
import Testing

@testable import SQLite
@testable import Store

@Suite("Faults while the store is open", .timeLimit(.minutes(1)))
struct FaultTests {
  @Test("On a full disk a write fails as a whole, nothing is lost, and later writes work")
  func full() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    let alert = try await store.alerts.raise("before")
    let pages = try #require(await store.value(Int.self, "PRAGMA page_count"))
    #expect(try await store.value(Int.self, "PRAGMA max_page_count = \(pages)") == pages)
    let note = String(repeating: "x", count: 2_000)
    var added: [Contact] = []
    var failure: ClientError?
    while failure == nil, added.count < 1_000 {
      do throws(ClientError) {
        added.append(
          try await store.contacts.add(
            ContactDraft(name: "Erik", note: note, roles: .dependent)))
      } catch {
        failure = error
      }
    }
    #expect(failure == .storage(.full))
    #expect(try await store.contacts.contacts().count == added.count + 1)
    #expect(try await store.alerts.history(5).map(\.alert) == [alert])
    // Once there is space again, the same connection works.
    _ = try await store.value(Int.self, "PRAGMA max_page_count = 1000000")
    _ = try await store.contacts.add(ContactDraft(name: "Erik", note: note, roles: .dependent))
    #expect(try await store.contacts.contacts().count == added.count + 2)
  }

  @Test(
    "CHK-3: if the store can't be written, all passphrases get one answer, also when locked")
  func gate() async throws {
    let place = try Place()
    let store = Opened(
      try EmbeddedPlatform(folders: place.folders, now: { place.now }, hashing: .minimal),
      place: place)
    try await store.openAccount()
    try await store.auth.updateGate(
      Gate(passphrase: Secret("blue kettle"), duress: Secret("green kettle")))
    func answers() async -> Set<String> {
      var answers: Set<String> = []
      for passphrase in ["blue kettle", "green kettle", "red kettle"] {
        do {
          try await store.auth.$passGate(.stopMonitor, typing: Secret(passphrase))
          answers.insert("opened by \(passphrase)")
        } catch { answers.insert("\(error)") }
        do {
          try await store.auth.$deleteAccount(nil, typing: Secret(passphrase))
          answers.insert("deleted by \(passphrase)")
        } catch { answers.insert("\(error)") }
      }
      return answers
    }
    try await store.sql("PRAGMA query_only = ON")
    let refused = await answers()
    #expect(refused.count == 1 && refused.allSatisfy { $0.contains("storage") }, "\(refused)")
    // The duress alert is in exactly one spool file, which looks like that of any other alert.
    let waiting = await store.monitor.spooled()
    let silent = try #require(waiting.first?.silent)
    let user = try await store.user.currentUser().id
    #expect(waiting.count == 1 && waiting.first?.account == user)
    let name = "alert-\(silent.id.uuidString.lowercased()).json"
    #expect(place.mode(place.folders.state + "/alerts/" + name) == 0o600)
    #expect(try await store.alerts.history(9) == [])
    try await store.sql("PRAGMA query_only = OFF")
    #expect(try await store.user.currentUser().deletedAt == nil)
    // It can be ended as if it were in the store, or moved there. Moving it twice has no further
    // effect.
    let rightOne = Secret("blue kettle")
    #expect(try await store.auth.$silentAlert(typing: rightOne) == silent)
    for _ in 1...2 { try await store.monitor.takeSpooled(waiting[0]) }
    #expect(await store.monitor.spooled() == [])
    #expect(try await store.auth.$silentAlert(typing: rightOne) == silent)
    try await store.auth.$endSilentAlert(typing: rightOne)
    try await store.monitor.takeSpooled(waiting[0])
    #expect(try await store.auth.$silentAlert(typing: rightOne) == nil)
    try await store.sql("PRAGMA query_only = ON")
    _ = await answers()
    try await store.sql("PRAGMA query_only = OFF")
    #expect(try await store.auth.$silentAlert(typing: rightOne) != nil)
    try await store.auth.$endSilentAlert(typing: rightOne)
    #expect(await store.monitor.spooled() == [])
    #expect(try await store.auth.$silentAlert(typing: rightOne) == nil)
    for _ in 1...5 {
      _ = try? await store.checkIn.$checkIn(.manual, typing: Secret("red kettle"))
    }
    try await store.sql("PRAGMA query_only = ON")
    let locked = await answers()
    #expect(locked.count == 1 && locked.allSatisfy { $0.contains("locked") }, "\(locked)")
    #expect(await store.monitor.spooled().map { $0.silent != nil } == [true])
  }

  @Test("After the store's file is replaced, the app and the monitor open the new one")
  func replaced() async throws {
    let (place, other) = (try Place(), try Place())
    let (app, monitor) = (try place.open(), try place.open())
    try await app.openAccount()
    var watch = app.watch.observe().makeAsyncIterator()
    _ = try await watch.next()
    var changes = monitor.monitor.changes().makeAsyncIterator()
    _ = await changes.next()
    _ = try await other.open().platform.openFurtherAccount(
      NewAccount(profile: Profile(name: "Jo")))
    try Place.replaceDatabase(of: place, by: other)
    // The first heartbeat opens the new database, and everyone sees the monitor there.
    _ = try await monitor.monitor.heartbeat(UUID(), place.now, .seconds(30), nil)
    #expect(try await monitor.monitor.due(place.now, 9).map(\.user.profile.name) == ["Jo"])
    #expect(try await place.open().watch.status().monitors == 1)
    #expect(try await watch.next()?.monitors == 1)
    #expect(await changes.next() != nil)
  }

  @Test("After the store's file is deleted, app and monitor report a missing store and make none")
  func takenAway() async throws {
    let place = try Place()
    let (app, monitor) = (try place.open(), try place.open())
    try await app.openAccount()
    var changes = monitor.monitor.changes().makeAsyncIterator()
    _ = await changes.next()
    try FileManager.default.removeItem(atPath: place.folders.data)
    try FileManager.default.removeItem(atPath: place.folders.state)
    #expect(await changes.next() != nil)
    await #expect(throws: StorageError.missing(path: place.folders.database)) {
      try await monitor.monitor.heartbeat(UUID(), place.now, .seconds(30), nil)
    }
    await #expect(throws: ClientError.storage(.missing(path: place.folders.database))) {
      try await app.user.currentUser()
    }
    #expect(!place.exists(place.folders.database))
  }

  @Test(
    "ESC-6: an account with impossible values is reported, and the others are watched",
    arguments: [
      "UPDATE account SET interval = 5 WHERE name = 'Jo'",
      "UPDATE account SET reminders = '[\"soon\"]' WHERE name = 'Jo'",
      "UPDATE account SET last_check_in = -1 WHERE name = 'Jo'",
      "UPDATE account SET id = printf('%36d', 7) WHERE name = 'Jo'",
      "UPDATE account SET note = CAST(x'ff' AS TEXT) WHERE name = 'Jo'",
      "UPDATE contact SET roles = 9 WHERE name = 'Cem'",
    ])
  func impossibleAccount(_ damage: String) async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    _ = try await store.platform.openFurtherAccount(
      NewAccount(
        profile: Profile(name: "Jo"),
        responders: [ContactDraft(name: "Cem", email: "cem@example.org", roles: .responder)]))
    try await store.forgetDeliveries()
    try await store.sql("UPDATE account SET last_check_in = last_check_in - 9 WHERE name = 'Jo'")
    #expect(try await store.monitor.due(place.now, 10).count == 2)
    try await store.sql(damage)
    // Even if only one account is requested and the damaged one has waited longer.
    #expect(
      try await store.monitor.due(place.now, 1).map(\.user.profile.name) == ["Ida"])
    let problem = try #require(await store.watch.status().problem)
    #expect(problem.contains("cannot be watched"))
    let account = try await store.monitor.due(place.now, 10)[0]
    _ = try await store.monitor.apply(Plan(), account.user.id, account.revision, place.now)
    // It doesn't keep the monitor awake, but is checked again in an hour.
    #expect(try await store.monitor.nextWake() == place.now + .hours(1))
  }

  @Test("ESC-6: a delivery with impossible values does not hold up the others")
  func impossibleDelivery() async throws {
    let place = try Place()
    let store = try place.open()
    let user = try await store.openAccount()
    try await store.forgetDeliveries()
    let account = try await store.monitor.due(place.now, 1)[0]
    let deliveries = [1, 2].map { hours in
      PlannedDelivery(
        occasion: .deadline(sequence: 0), stage: .reminder(.hours(hours)), recipient: .owner,
        recipientName: "Ida", channel: .email, address: "ida@example.org")
    }
    _ = try await store.monitor.apply(
      Plan(deliveries: deliveries), user.id, account.revision, place.now)
    try await store.sql("UPDATE delivery SET channel = 'pigeon' WHERE stage = 'reminder:3600'")
    let claimed = try await store.monitor.claim(place.now, .seconds(60), ClaimRequest(limit: 10))
    #expect(claimed.map(\.stage) == [.reminder(.hours(2))])
    #expect(try await store.watch.status().problem != nil)
    #expect(try await store.monitor.claim(place.now, .seconds(60), ClaimRequest(limit: 10)) == [])
  }

  @Test("A person whose own account is damaged sees which value is impossible, until the repair")
  func impossibleLocalAccount() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    try await store.sql("UPDATE account SET interval = 5")
    await #expect(
      throws: ClientError.storage(.serialization("“interval” holds an impossible value"))
    ) { try await store.user.currentUser() }
    #expect(try await store.monitor.due(place.now, 10) == [])
    #expect(
      try await store.watch.status().problem
        == "Your account cannot be watched: “interval” holds an impossible value.")
    // A monitor's own problem takes precedence, but the fault is still reported.
    let mail = MonitorProblem("mail is not set up", kinds: [.email])
    _ = try await store.monitor.heartbeat(UUID(), place.now, .seconds(10), mail)
    #expect(try await store.watch.status().problem == mail.text)
    #expect(
      try await store.watch.status().fault
        == "Your account cannot be watched: “interval” holds an impossible value.")
    // After the repair, the account is watched again within an hour, and the problem is gone.
    try await store.sql("UPDATE account SET interval = 86400")
    place.advance(.hours(1))
    let account = try await store.monitor.due(place.now, 10)[0]
    _ = try await store.monitor.apply(Plan(), account.user.id, account.revision, place.now)
    #expect(try await store.watch.status().problem == nil)
    #expect(try await store.watch.status().fault == nil)
  }

  @Test("Due accounts and messages are found by an index, not by reading every account")
  func queryPlans() async throws {
    let place = try Place()
    let store = try place.open()
    for query in [
      "SELECT key FROM account WHERE attention_at <= 5 ORDER BY attention_at, last_check_in",
      "SELECT min(attention_at) FROM account",
      "SELECT min(not_before) FROM delivery WHERE state = 'pending'",
      "SELECT key FROM account WHERE fault IS NOT NULL",
      "SELECT key FROM account WHERE is_local = 1",
    ] {
      let plan = try await store.platform.store.plan(query)
      #expect(
        plan.contains { $0.contains("INDEX") } && !plan.contains { $0 == "SCAN account" },
        "\(query): \(plan)")
    }
  }

  @Test("CHK-3: if the store can't be written, only the duress passphrase keeps a silent alert")
  func refusedPassphrases() async throws {
    let place = try Place()
    let store = Opened(
      try EmbeddedPlatform(folders: place.folders, now: { place.now }, hashing: .minimal),
      place: place)
    try await store.openAccount()
    try await store.auth.updateGate(
      Gate(passphrase: Secret("blue kettle"), duress: Secret("green kettle")))
    try await store.sql("PRAGMA query_only = ON")
    for (passphrase, count) in [("blue kettle", 0), ("red kettle", 0), ("green kettle", 1)] {
      await #expect(throws: ClientError.self) {
        try await store.auth.$passGate(.stopMonitor, typing: Secret(passphrase))
      }
      #expect(await store.monitor.spooled().count == count, "\(passphrase)")
    }
  }
}

extension Store {
  fileprivate func plan(_ query: String) throws -> [String] {
    try database.rows("EXPLAIN QUERY PLAN " + query) { row throws(StorageError) in
      _ = try (row.read(Int.self), row.read(Int.self), row.read(Int.self))
      return try row.read(String.self)
    }
  }
}
