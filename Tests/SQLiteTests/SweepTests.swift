import Clients
import Domain
import FoundationEssentials
import Testing

@testable import SQLite
@testable import Store

@Suite("ESC-4: planning a large store again after a gap", .timeLimit(.minutes(1)))
struct SweepTests {
  @Test("After a gap every account is planned again in limited steps, those due first")
  func sweeps() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    try await store.forgetDeliveries()
    let people = Store.sweep * 2 + 7
    // Copies of Ida, of which only the last is due within a year.
    try await store.sql(
      """
      WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(people))
      INSERT INTO account (key, id, code, is_local, name, note, interval, grace, reminders,
        check_in_sequence, last_check_in, created_at, attention_at)
      SELECT n, printf('00000000-0000-0000-0000-%012d', n),
        printf('00000000-0000-0000-0001-%012d', n), 0, name, note, interval, grace, reminders,
        check_in_sequence, last_check_in, created_at,
        last_check_in + iif(n = \(people), 30000, 31536000000)
      FROM numbers, account WHERE account.key = 1
      """)
    _ = try await store.monitor.heartbeat(UUID(), place.now, .seconds(30), nil)
    let marked = "SELECT count(*) FROM account WHERE attention_at <= \(place.now.milliseconds)"
    #expect(try await store.value(Int.self, marked) == Store.sweep)
    place.advance(.minutes(1))
    #expect(try await store.monitor.nextWake().map { $0 <= place.now } == true)
    var seen: [User.ID] = []
    while case let due = try await store.monitor.due(place.now, 500), !due.isEmpty {
      let before = try #require(try await store.value(Int.self, marked))
      seen += due.map(\.user.id)
      let results = try await store.monitor.apply(
        due.map {
          AccountPlan(
            account: $0.user.id, revision: $0.revision,
            plan: Plan(nextPlanning: place.now + .days(300)))
        }, place.now)
      #expect(results.map { try? $0.get() } == due.map { _ in true })
      #expect(before <= Store.sweep + 500)
    }
    // The account that was due was read before the others, and once more with them.
    #expect(Set(seen).count == people && seen.count == people + 1)
    let last = try #require(seen.firstIndex { $0.uuidString.hasSuffix("\(people)") })
    #expect(last <= Store.sweep)
    #expect(try await store.monitor.nextWake() == place.now + .days(300))
  }
}
