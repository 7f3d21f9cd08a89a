import Clients
import Domain
import FoundationEssentials
import Testing

@testable import SQLite
@testable import Store

/// Checks the query plans of all statements that a monitor runs.
@Suite("ESC-6: query plans of a monitor", .timeLimit(.minutes(1)))
struct QueryPlanTests {
  /// The tables that can be scanned completely: those with one or two rows, the attention queue,
  /// the routes that were refused within a day, the keys passed to a query, and subquery results.
  private static let small = [
    "monitor", "watch", "attention", "route", "listed", "responsible", "(subquery", "CONSTANT",
  ]

  @Test("No statement of a monitor scans a whole table of accounts or messages")
  func hotStatements() async throws {
    let place = try Place()
    // The monitor has its own connection, which runs nothing else.
    let (app, monitor) = (try place.open(), try place.open())
    try await live(monitor, app: app, place: place)
    let statements = await monitor.platform.store.statements
    #expect(statements.count > 40)
    // Claiming from a queue reads only as many rows as can be claimed.
    let lines = statements.filter { $0.contains("ORDER BY not_before, delivery.key") }
    #expect(lines.count == 2 && lines.allSatisfy { $0.contains("LIMIT ?") })
    for statement in statements {
      let scanned = try await monitor.platform.store.plan(statement).filter { step in
        step.hasPrefix("SCAN ") && !Self.small.contains { step.hasPrefix("SCAN \($0)") }
      }
      #expect(scanned == [], "\(statement)")
    }
  }

  @Test("Every foreign key has an index, so that deleting a row scans no table")
  func foreignKeys() async throws {
    let place = try Place()
    let store = try place.open()
    let keys = try await store.platform.store.foreignKeys()
    #expect(keys.count >= 20)
    for (table, column) in keys {
      let query = "SELECT 1 FROM \(table) WHERE \(column) = ?1"
      let plan = try await store.platform.store.plan(query)
      #expect(plan.filter { $0.hasPrefix("SCAN") } == [], "\(query)")
    }
  }

  /// Runs all operations of a monitor.
  private func live(_ monitor: Opened, app: Opened, place: Place) async throws {
    let user = try await app.openAccount()
    _ = try await app.platform.openFurtherAccount(
      NewAccount(profile: Profile(name: "Jo", email: "jo@example.org")))
    try await app.sql(
      """
      INSERT INTO relation (id, requester, addressee, roles, state, created_at, answered_at)
      VALUES ('00000000-0000-0000-0000-000000000001', 1, 2, 1, 'active', 0, 0)
      """)
    let cem = try await app.contacts.add(
      ContactDraft(
        name: "Cem", channels: [ChannelDraft(.webhook, "https://cem.example/hook")],
        roles: .responder))
    let id = UUID()
    _ = try await monitor.monitor.heartbeat(id, place.now, .seconds(30), nil)
    let account = try #require(
      await monitor.monitor.due(place.now, 100).first { $0.user.id == user.id })
    #expect(account.responders.map(\.name) == ["Bo", "Cem", "Jo"])
    let alert = Alert(id: UUID(), kind: .missed, raisedAt: place.now, sequence: 0)
    let call = PlannedDelivery(
      occasion: .alert(alert.id), stage: .nonResponsive, recipient: .contact(cem.id),
      recipientName: "Cem", channel: .webhook, address: cem.channels[0].address)
    let reminders = (1...600).map { minutes in
      PlannedDelivery(
        occasion: .deadline(sequence: 0), stage: .reminder(.minutes(minutes)), recipient: .owner,
        recipientName: "Ida", channel: .email, address: "ida@example.org")
    }
    let plan = Plan(
      missedAlert: alert, graceFrom: place.now, deliveries: [call] + reminders,
      cancelled: [UUID()], endedDrills: [UUID()], stagesToShow: [.deadlinePassed], settled: [UUID()]
    )
    #expect(try await monitor.monitor.apply(plan, user.id, account.revision, place.now))
    let claimed = try await monitor.monitor.claim(
      place.now, .seconds(60), ClaimRequest(limit: 4))
    #expect(
      claimed.map(\.stage) == [
        .nonResponsive, .contactAdded, .contactAdded, .reminder(.minutes(1)),
      ])
    for delivery in claimed {
      let outcome: DeliveryOutcome =
        delivery.stage == .contactAdded
        ? .retry(reason: "busy", after: nil) : .permanent(reason: "no")
      #expect(
        try await monitor.monitor.record(
          delivery.id, delivery.token, outcome, place.now, place.now))
    }
    for account in try await monitor.monitor.due(place.now, 100) {
      _ = try await monitor.monitor.apply(
        Plan(), account.user.id, account.revision, place.now)
    }
    // One destination is busy, so the others are queried.
    let mail = Destination(kind: .email, address: "")
    let others = try await monitor.monitor.claim(
      place.now, .seconds(60), ClaimRequest(limit: 100, limitPerDestination: 9, busy: [mail: 9]))
    #expect(others.map(\.channel) == [.webhook, .webhook])
    _ = try await monitor.monitor.nextWake()
    try await monitor.monitor.resign(id)
  }
}

extension Store {
  /// The statements that were run, without those that have no query plan.
  fileprivate var statements: [String] {
    sqlite.statements.keys.filter { statement in
      ["SELECT", "INSERT", "UPDATE", "DELETE"].contains { statement.hasPrefix($0) }
    }
  }

  fileprivate func plan(_ statement: String) throws -> [String] {
    var query = "EXPLAIN QUERY PLAN " + statement
    for number in stride(from: 20, to: 0, by: -1) {
      query = query.split(separator: "?\(number)", omittingEmptySubsequences: false)
        .joined(separator: "NULL")
    }
    return try database.rows(query) { row throws(StorageError) in
      _ = try (row.read(Int.self), row.read(Int.self), row.read(Int.self))
      return try row.read(String.self)
    }
  }

  fileprivate func foreignKeys() throws -> [(table: String, column: String)] {
    try database.rows(
      """
      SELECT tables.name, keys."from" FROM sqlite_schema AS tables
        JOIN pragma_foreign_key_list(tables.name) AS keys
      WHERE tables.type = 'table'
      """
    ) { row throws(StorageError) in (try row.read(), try row.read()) }
  }
}
