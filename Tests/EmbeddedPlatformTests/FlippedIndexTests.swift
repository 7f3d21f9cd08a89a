import Clients
import Composable
import ComposableTesting
import Cryptography
import Domain
import FoundationEssentials
import Glibc
import Synchronization
import Testing

@testable import EmbeddedPlatform
@testable import Monitor

/// SQLite believes its indexes. A monitor may not: one wrong bit, and a person is never found due.
@MainActor
@Suite("Fault 27: an index that does not hold what its table holds", .timeLimit(.minutes(10)))
struct FlippedIndexTests {
  @Test("Every responder of whoever is due is notified within 15 minutes, or the store is refused")
  func flippedBytes() async throws {
    let whole = try await Stored()
    var random = SplitMix(state: 27)
    var tally = Tally()
    for _ in 0..<(Int(getenv("FLIPS").map { String(cString: $0) } ?? "") ?? 500) {
      let offset = whole.indexBytes[Int(random.next() % UInt64(whole.indexBytes.count))]
      let mask = UInt8(1) << UInt8(random.next() % 8)
      var bytes = whole.bytes
      bytes[offset] ^= mask
      let end = try await watch(bytes, whole)
      tally.count(end)
      #expect(end != .missed, "byte \(offset) ^ \(mask)")
    }
    // Most of them make a difference to nobody who is due, and some to no entry at all.
    #expect(tally.rebuilt > tally.refused && tally.notified > 0, "\(tally)")
  }

  @Test("What the index says of a person who is due is repaired while the monitor runs")
  func attention() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    try await store.forgetDeliveries()
    _ = try await store.monitor.heartbeat(UUID(), place.now, .seconds(30), nil)
    // As if a bit of the entry had flipped: the table knows that Ida is due, and the index does not.
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

  // MARK: One life

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

  /// Has a monitor work on a store for a quarter of an hour, or until everybody has been notified.
  private func watch(_ bytes: [UInt8], _ whole: Stored) async throws -> End {
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
    } catch { return .refused }
    var clients = DependencyValues()
    store.install(in: &clients)
    let told = Mutex<Set<String>>([])
    let log = Mutex<[String]>([])
    let loop = MonitorLoop(
      id: UUID(), store: clients.monitorClient,
      courier: Courier { delivery in
        if delivery.stage == .nonResponsive {
          told.withLock { _ = $0.insert(delivery.address) }
        }
        return .sent
      },
      dateClient: DateClient(now: now, calendar: .utc), clock: clock,
      random: clients.withRandomNumberGenerator,
      log: MonitorLog { _, what in log.withLock { $0.append(what) } },
      upkeep: clients.upkeepClient)
    var turns = Turns(loop: loop)
    let inspection = try #require(loop.inspection)
    while clock.elapsed <= 15 * 60 {
      for delivery in await turns.next() { await loop.carry(delivery) }
      if inspection.begins(isSuspicious: !turns.isHealthy) {
        _ = await inspection.inspect(at: now)
      }
      if inspection.damage != nil { return .refused }
      if told.withLock({ $0 }) == whole.responders {
        return log.withLock { $0.contains { $0.contains("has been rebuilt") } }
          ? .rebuilt : .notified
      }
      await clock.advance(by: .seconds(20))
    }
    return .missed
  }
}

/// A store of some people whose deadlines have passed, all but one's in the next minutes.
private struct Stored {
  let bytes: [UInt8]
  /// The places of the bytes that belong to indexes.
  let indexBytes: [Int]
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
      // Watched until now, so that the grace time ends when it was promised.
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
      SELECT pageno FROM dbstat WHERE name IN (SELECT name FROM sqlite_schema WHERE type = 'index')
      """
    ) { row throws(StorageError) in try row.read(Int.self) }
    bytes = try #require(place.bytes(place.folders.database))
    indexBytes = pages.flatMap { [bytes] number in
      // The header and the places of the entries, and the entries: nothing reads what lies between.
      let start = (number - 1) * 4_096
      func value(at index: Int) -> Int {
        Int(bytes[start + index]) << 8 | Int(bytes[start + index + 1])
      }
      let header = (bytes[start] == 2 ? 12 : 8) + 2 * value(at: 3)
      return Array(start..<start + header) + Array(start + value(at: 5)..<start + 4_096)
    }
    self.responders = responders
  }
}

private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension TestClock {
  /// The seconds since its start.
  fileprivate nonisolated var elapsed: TimeInterval {
    let time = now.offset.components
    return Double(time.seconds) + Double(time.attoseconds) / 1e18
  }
}
