import Clients
import struct Composable.DependencyValues
import struct Composable.SplitMix64
import ComposableTesting
import Cryptography
import Domain
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import SQLite
@testable import Store
@testable import Monitor

/// SQLite trusts its indexes. A monitor can't: one flipped bit, and a person is never found to be
/// due.
@MainActor
@Suite("Fault 27: indexes that disagree with their tables", .timeLimit(.minutes(60)))
struct FlippedIndexTests {
  @Test(
    "After a bit of an index flips, responders are notified in 15 minutes or the store is refused")
  func flippedBytes() async throws {
    let whole = try await Stored()
    var random = SplitMix64(seed: 27)
    var tally = Tally()
    let places = whole.indexBytes
    for _ in 0..<repetitions(100, nightly: 5_000) {
      let offset = places[Int(random.next() % UInt64(places.count))]
      // Stop once the time is up.
      try Task.checkCancellation()
      let mask = UInt8(1) << UInt8(random.next() % 8)
      var bytes = whole.bytes
      bytes[offset] ^= mask
      let (end, log) = try await watch(bytes, whole)
      tally.count(end)
      #expect(
        end != .missed, "byte \(offset % 4_096) ^ \(mask) of \(whole.index(at: offset)): \(log)")
    }
    // Most flips affect nobody who is due, and some affect no entry at all.
    #expect(tally.rebuilt > tally.refused && tally.notified > 0, "\(tally)")
  }

  @Test("An index that hides a person who is due is rebuilt while the monitor runs")
  func attention() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    try await store.forgetDeliveries()
    _ = try await store.monitor.heartbeat(UUID(), place.now, .seconds(30), nil)
    // As if a bit of the entry had flipped: Ida is due in the table but not in the index.
    try await store.sql("UPDATE account SET attention_at = 5")
    try await store.sql(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = sql || ' WHERE attention_at > 9'
        WHERE name = 'account_attention';
      PRAGMA writable_schema = RESET;
      REINDEX account_attention;
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, ' WHERE attention_at > 9', '')
        WHERE name = 'account_attention';
      PRAGMA writable_schema = RESET
      """)
    #expect(try await store.monitor.due(place.now, 10) == [])
    #expect(try EmbeddedPlatform.examine(folders: place.folders).fault != nil)
    var inspections: [StoreInspection] = []
    for _ in 0..<30 where inspections.last.map({ $0 == .whole(isLast: false) }) ?? true {
      inspections.append(try await store.upkeep.inspect(place.now))
    }
    guard case .rebuilt(let fault)? = inspections.last else {
      Issue.record("\(inspections)")
      return
    }
    #expect(fault.contains("account_attention"))
    #expect(try await store.monitor.due(place.now, 10).map(\.user.profile.name) == ["Ida"])
    #expect(place.mode(place.folders.database + ".before-rebuild") == 0o600)
    let examination = try EmbeddedPlatform.examine(folders: place.folders)
    #expect(examination.fault == nil && examination.rebuiltAt == place.now)
  }

  @Test(
    "Indexes of expressions and of tables without row numbers are compared with their tables")
  func everyIndex() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.fill()
    let names = try await store.names(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
    let mine = ["check_in_time", "response_code_digest", "relation_pair", "account_attention"]
    var found: Set<String> = []
    _ = try await store.sweep(place.now)
    for name in names {
      try await store.empty(name)
      let inspection = try await store.sweep(place.now)
      guard case .rebuilt(let fault)? = inspection else {
        #expect(try await store.isWhole(), "\(name): \(String(describing: inspection))")
        continue
      }
      #expect(fault.contains(name))
      found.insert(name)
    }
    #expect(Set(mine).isSubset(of: found))
  }

  @Test("A table of 1,200 rows is compared piece by piece, to its last row")
  func pieces() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    try await store.sql(
      """
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 1200)
      INSERT INTO check_in (account, sequence, id, at, source)
        SELECT (SELECT key FROM account), n, printf('00000000-0000-0000-0000-%012d', n), n, 'manual'
        FROM number
      """)
    var turns = 0
    while try await store.upkeep.inspect(place.now) == .whole(isLast: false) { turns += 1 }
    for row in [1, 499, 500, 501, 1_000, 1_200] {
      // Remove the index entry of a single row.
      try await store.dropEntries(of: "check_in_time", "sequence <> \(row)")
      guard case .rebuilt? = try await store.sweep(place.now) else {
        Issue.record("row \(row)")
        continue
      }
    }
    #expect(turns >= 3)
  }

  @Test("Keys that aren't valid Unicode don't keep later rows from being compared")
  func unreadableKeys() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    try await store.sql(
      """
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 1200)
      INSERT INTO response_code (code, account, responder, created_at)
        SELECT CAST(iif(n BETWEEN 499 AND 501, x'30FF', x'30') || printf('%04d', n) AS TEXT),
          (SELECT key FROM account), printf('00000000-0000-0000-0000-%012d', n), n
        FROM number
      """)
    #expect(try await store.sweep(place.now) == .whole(isLast: true))
    try await store.dropEntries(of: "response_code_account", "created_at <> 1200")
    guard case .rebuilt? = try await store.sweep(place.now) else {
      Issue.record("not compared to the end")
      return
    }
  }

  @Test("With an emptied index the app still finds its account and offers no new one")
  func noOnboarding() async throws {
    let place = try Place()
    let store = try place.open()
    let user = try await store.openAccount()
    for name in try await store.names(
      """
      SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'account' AND sql IS NOT NULL
      """)
    {
      try await store.empty(name)
      #expect(try await place.open().auth.state() == .signedIn(user.id), "\(name)")
      await #expect(throws: ClientError.accountExists, "\(name)") {
        try await place.open().auth.createAccount(NewAccount(profile: Profile(name: "Jo")))
      }
      try await store.sql("REINDEX")
    }
  }

  // MARK: Running a monitor

  private enum End { case notified, rebuilt, refused, missed }

  private struct Tally {
    var notified = 0
    var rebuilt = 0
    var refused = 0

    mutating func count(_ end: End) {
      switch end {
      case .notified: notified += 1
      case .rebuilt: rebuilt += 1
      case .refused: refused += 1
      case .missed: break
      }
    }
  }

  /// Runs a monitor on a store for 15 minutes or until everyone has been notified.
  private func watch(
    _ bytes: [UInt8], _ whole: Stored
  ) async throws -> (End, log: [String]) {
    let place = try Place()
    #expect(mkdir(place.folders.data, 0o700) == 0)
    #expect(mkdir(place.folders.state, 0o700) == 0)
    try place.write(bytes, to: place.folders.database)
    try place.write([], to: place.folders.storeMarker)
    let clock = TestClock()
    let now = { @Sendable in Place.start + clock.elapsed }
    let store: EmbeddedPlatform
    do {
      store = try EmbeddedPlatform(folders: place.folders, now: now, hashing: .minimal)
    } catch { return (.refused, ["\(error)"]) }
    var clients = DependencyValues()
    store.install(in: &clients)
    let told = Mutex<Set<String>>([])
    let log = Mutex<[String]>([])
    let loop = MonitorLoop(
      id: UUID(), store: clients.monitorClient,
      deliveryService: DeliveryService { delivery in
        if delivery.stage == .nonResponsive {
          told.withLock { _ = $0.insert(delivery.address) }
        }
        return .sent
      },
      dateClient: DateClient(now: now, calendar: .utc), clock: clock,
      random: clients.withRandomNumberGenerator,
      log: MonitorLog { _, what in log.withLock { $0.append(what) } },
      upkeep: clients.upkeepClient)
    var schedule = MonitorTurns(loop: loop)
    let inspection = try #require(loop.inspection)
    while clock.elapsed <= 15 * 60 {
      for delivery in await schedule.next() { await loop.send(delivery) }
      if inspection.claimInspection(isSuspicious: !schedule.isHealthy) {
        _ = await inspection.inspect(at: now)
      }
      if let damage = inspection.damage { return (.refused, [damage]) }
      if told.withLock({ $0 }) == whole.responders {
        let log = log.withLock { $0 }
        return (log.contains { $0.contains("has been rebuilt") } ? .rebuilt : .notified, log)
      }
      await clock.advance(by: .seconds(20))
    }
    return (.missed, log.withLock { $0 } + ["told: \(told.withLock { $0 }.sorted())"])
  }
}

extension Opened {
  /// Inspects the store for a whole round.
  fileprivate func sweep(_ now: Date) async throws -> StoreInspection? {
    for _ in 0..<100 {
      let inspection = try await upkeep.inspect(now)
      if inspection != .whole(isLast: false) { return inspection }
    }
    return nil
  }

  fileprivate func names(_ query: String) async throws -> [String] {
    let list = try await value(
      String.self, "SELECT group_concat(name) FROM (\(query) ORDER BY name)")
    return (list ?? "").split(separator: ",").map(String.init)
  }

  /// Removes all entries from an index but keeps its definition.
  fileprivate func empty(_ index: String) async throws { try await dropEntries(of: index, "false") }

  /// Removes the entries that don't fulfil a condition from an index but keeps its definition.
  fileprivate func dropEntries(of index: String, _ condition: String) async throws {
    let definition = try #require(
      try await value(String.self, "SELECT sql FROM sqlite_schema WHERE name = '\(index)'"))
    let parts = definition.split(separator: " WHERE ", maxSplits: 1)
    let lie = "\(parts[0]) WHERE \(condition)" + parts.dropFirst().map { " AND (\($0))" }.joined()
    func define(_ sql: String) -> String {
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = '\(sql.replacing("'", with: "''"))' WHERE name = '\(index)';
      PRAGMA writable_schema = RESET;
      """
    }
    try await sql("\(define(lie)) REINDEX \(index); \(define(definition))")
  }

  /// Whether SQLite's check finds nothing, as when an emptied index had no entries.
  fileprivate func isWhole() async throws -> Bool {
    try await value(String.self, "SELECT integrity_check FROM pragma_integrity_check") == "ok"
  }

  /// Fills the tables that have unusual indexes.
  fileprivate func fill() async throws {
    try await openAccount()
    let other = try await platform.openFurtherAccount(NewAccount(profile: Profile(name: "Jo")))
    try await sql(
      """
      INSERT INTO relation (id, requester, addressee, roles, state, created_at)
        SELECT '\(UUID().uuidString.lowercased())', min(key), max(key), 1, 'pending', 5 FROM account;
      INSERT INTO response_code (code, digest, account, responder, created_at)
        SELECT 'ABCD', '\(String(repeating: "a", count: 64))', key, '\(other.id)', 5 FROM account LIMIT 1
      """)
  }
}

/// A store with accounts whose deadlines, except for one, pass within the next minutes.
private struct Stored {
  let bytes: [UInt8]
  /// The offsets of bytes that belong to indexes.
  let indexBytes: [Int]
  private let indexes: [Int: String]
  let responders: Set<String>

  init() async throws {
    let place = try Place()
    var responders: Set<String> = []
    do {
      let store = try place.open()
      try await store.openAccount()
      responders.insert("bo@example.org")
      for name in ["Jo", "Kim", "Lee", "Mia"] {
        let address = "of-\(name.lowercased())@example.org"
        responders.insert(address)
        _ = try await store.platform.openFurtherAccount(
          NewAccount(
            profile: Profile(name: name, email: "\(name.lowercased())@example.org"),
            responders: [
              ContactDraft(name: "Responder of \(name)", email: address, roles: .responder)
            ]))
      }
      let now = place.now
      for account in try await store.monitor.due(now, 10) {
        _ = try await store.monitor.apply(Plan(), account.user.id, account.revision, now)
      }
      try await store.sql(
        """
        INSERT INTO relation (id, requester, addressee, roles, state, created_at)
          SELECT printf('00000000-0000-0000-0000-%012d', one.key), one.key, other.key, 1, 'pending', 5
          FROM account AS one JOIN account AS other ON other.key = one.key + 1;
        INSERT OR IGNORE INTO response_code (code, digest, account, responder, created_at)
          SELECT 'CODE' || key, printf('%064d', key), key, id, 5 FROM account
        """)
      // A monitor has watched until now, so that the grace time isn't extended.
      _ = try await store.monitor.heartbeat(UUID(), now, .seconds(1), nil)
      try await store.sql(
        """
        UPDATE delivery SET state = 'sent', finished_at = \(now.milliseconds), attempts = 1;
        UPDATE account SET grace = 0, reminders = '[]',
          last_check_in = last_check_in - interval * 1000 + key * 20000;
        UPDATE account SET attention_at = last_check_in + interval * 1000;
        UPDATE watch SET since = since - 864000000, swept = NULL;
        DELETE FROM monitor
        """)
    }
    let database = try Database(
      path: try PrivateFiles.resolved(place.folders.data) + "/lifesignal.db", access: .readWrite)
    _ = try database.value(Int.self, "PRAGMA wal_checkpoint(TRUNCATE)")
    let pages = try database.rows(
      """
      SELECT pageno, name FROM dbstat
      WHERE name IN (SELECT name FROM sqlite_schema WHERE type = 'index')
      """
    ) { row throws(StorageError) -> (Int, String) in (try row.read(), try row.read()) }
    indexes = Dictionary(uniqueKeysWithValues: pages)
    bytes = try #require(place.bytes(place.folders.database))
    indexBytes = pages.map(\.0).flatMap { [bytes] number in
      // The header, the cell pointers and the cells. The bytes between them are unused.
      let start = (number - 1) * 4_096
      func value(at index: Int) -> Int {
        Int(bytes[start + index]) << 8 | Int(bytes[start + index + 1])
      }
      let header = (bytes[start] == 2 ? 12 : 8) + 2 * value(at: 3)
      return Array(start..<start + header) + Array(start + value(at: 5)..<start + 4_096)
    }
    self.responders = responders
  }

  /// The name of the index that a byte belongs to.
  func index(at offset: Int) -> String { indexes[offset / 4_096 + 1] ?? "none" }
}

extension TestClock {
  /// The seconds since its start.
  fileprivate nonisolated var elapsed: TimeInterval {
    let time = now.offset.components
    return Double(time.seconds) + Double(time.attoseconds) / 1e18
  }
}
