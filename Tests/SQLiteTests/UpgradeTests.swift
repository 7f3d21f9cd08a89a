import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Monitor
import Synchronization
import Testing

@testable import SQLite
@testable import Store

/// Yesterday's store, with running deadlines, messages and channels, opened by today's programs.
@Suite("Upgrades", .timeLimit(.minutes(1)))
struct UpgradeTests {
  private static let schema = Schema(scripts: Array(Schema.current.scripts[..<11]))

  /// A place with the store, at the time when it was left.
  private func placeWithStore() async throws -> Place {
    let place = try Place()
    place.advance(.seconds(YesterdaysStore.milliseconds / 1_000 - 1_795_000_000))
    try await place.open(schema: Self.schema).sql(
      "BEGIN; PRAGMA defer_foreign_keys = ON; \(YesterdaysStore.rows); COMMIT")
    return place
  }

  /// Everything that decides who is notified of what, and when.
  private func promises(_ store: Opened) async throws -> [String] {
    var promises: [String] = []
    for query in [
      """
      SELECT name || last_check_in || interval || grace || coalesce(paused_until, 0)
        || check_in_sequence || reminders || (gate IS NOT NULL) || muted_topics
      FROM account ORDER BY key
      """,
      "SELECT kind || address || coalesce(secret, '') || muted_topics FROM channel ORDER BY key",
      """
      SELECT id || state || attempts || doubtful || not_before || planned_at FROM delivery
      ORDER BY key
      """,
      "SELECT id || kind || raised_at || message FROM alert ORDER BY key",
      "SELECT id || fires_at || message FROM armed_alert ORDER BY key",
      "SELECT digest FROM response_code ORDER BY digest",
    ] {
      promises += try await store.column(query)
    }
    return promises
  }

  @Test("A store of the last release keeps its deadlines, messages, channels and codes")
  func rows() async throws {
    let place = try await placeWithStore()
    let before = try await promises(place.open(schema: Self.schema))
    #expect(before.count == 38)
    #expect(try await promises(place.open()) == before)
    #expect(place.exists(place.folders.database + ".before-schema17"))
  }

  @Test("After an upgrade deadlines, mutes and pending messages hold, and nothing is sent twice")
  func life() async throws {
    let place = try await placeWithStore()
    let waiting = try await place.open(schema: Self.schema)
      .column("SELECT id FROM delivery WHERE state = 'pending'")
    let done = try await place.open(schema: Self.schema)
      .column("SELECT id FROM delivery WHERE state <> 'pending'")
    #expect(waiting.count == 10 && done.count == 5)
    let store = try place.open()
    let clock = TestClock()
    let sent = Mutex<[(delivery: ClaimedDelivery, date: Date)]>([])
    let loop = MonitorLoop(
      id: UUID(), store: store.monitor,
      deliveryService: DeliveryService { delivery in
        sent.withLock { $0.append((delivery, place.now)) }
        return .sent
      }, dateClient: DateClient(now: { place.now }, calendar: .utc), clock: clock,
      random: WithRandomNumberGenerator(SplitMix64(seed: 1)))
    let (deadline, end) = (Date(milliseconds: 1_795_829_924_663), place.now + .hours(2))
    while place.now < end {
      _ = await loop.runOnce()
      place.advance(.seconds(100))
      await clock.advance(by: .seconds(100))
    }
    let messages = sent.withLock { $0 }
    // What was there before servers kept private addresses from being reached goes on reaching them.
    #expect(
      messages.allSatisfy {
        $0.delivery.mayReachPrivate
          == [.webhook, .ntfy, .service].contains($0.delivery.channel)
      })
    let identities = messages.map { $0.delivery.id.uuidString.lowercased() }
    #expect(Set(identities).count == identities.count, "one message was sent twice")
    #expect(Set(waiting).subtracting(identities) == [])
    #expect(Set(done).intersection(identities) == [])

    func dates(_ stage: Stage, _ address: String) -> [Date] {
      messages.filter { $0.delivery.stage == stage && $0.delivery.address.contains(address) }
        .map(\.date)
    }
    // The running deadline, on every channel, at its time.
    for address in [
      "grace@example.net", "hal@example.net", "ivy@example.net", "jo@example.net",
      "jo-topic-4711-abcdefgh", "127.0.0.1:9/hook", "telegram:123456789",
    ] {
      let called = dates(.nonResponsive, address)
      #expect(called.count == 1, "\(address)")
      let promised = deadline + .minutes(15)
      #expect(called.allSatisfy { (promised...promised + .seconds(100)).contains($0) })
    }
    // The reminder, except where it is muted.
    for (address, count) in [
      ("ada@example.org", 1), ("127.0.0.1:9/own", 1), ("ada-own-topic-0815-xyz", 0),
    ] {
      #expect(dates(.reminder(.minutes(30)), address).count == count, "\(address)")
      #expect(dates(.deadlinePassed, address).count == 1, "\(address)")
    }
    // The armed alert, although its person is paused, and nothing else about her.
    #expect(dates(.alertOn, "kim@example.net").count == 1)
    #expect(dates(.nonResponsive, "kim@example.net").isEmpty)
    #expect(try await store.user.currentUser().locks.contains(.gate))
  }
}
