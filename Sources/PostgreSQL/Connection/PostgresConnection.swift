import CPostgreSQL
package import Clients
import FoundationEssentials
import Glibc
package import Store

/// A connection to PostgreSQL with its prepared statements.
///
/// Not thread-safe: it belongs to one ``Lane``, whose executor is the only one to use it.
package final class PostgresConnection: SQLConnection {
  private let wire: Wire
  /// Learns the time of each transaction; `nil` where somebody else tells the time.
  private let clock: DatabaseClock?
  private var statements: [Form: String] = [:]
  /// The transaction that is open.
  private var transaction: Open?
  package private(set) var totalChanges = 0
  package var hasFoundDamage = false
  /// The last snapshot of others' transactions, and how many there were before.
  private var seen = (snapshot: "", version: 0)

  /// A statement with the kinds of its values, by which PostgreSQL prepares it.
  private struct Form: Hashable {
    var sql: String
    var kinds: [SQLKind]
  }

  private struct Open {
    /// The first error in it, after which the server does nothing more.
    var failure: PostgresError?
  }

  /// More are forgotten, and prepared again when they are needed.
  private static let mostStatements = 1_000
  private static let mostTries = 10

  package init(
    _ database: ConnectionString, clock: DatabaseClock? = nil,
    longestWait: Duration = .seconds(9)
  ) throws(StorageError) {
    wire = try Wire(database, longestWait: longestWait)
    self.clock = clock
    do throws(PostgresError) {
      // The server gives up before ``Wire`` does; what it says then tells more than silence.
      _ = try wire.run(
        """
        SET statement_timeout = '8s'; SET lock_timeout = '3s';
        SET idle_in_transaction_session_timeout = '10s'; SET synchronous_commit = on;
        SET standard_conforming_strings = on; SET plan_cache_mode = force_generic_plan
        """)
    } catch {
      throw error.storageError
    }
  }

  /// A connection that is lost is opened again at the next look, with or without a request.
  package var hasMoved: Bool { wire.isLost }
  package var hasFailed: Bool { wire.isLost }

  // MARK: Statements

  package let dialect = SQLDialect(
    skippingLocked: "FOR UPDATE OF delivery SKIP LOCKED",
    lastChange: "SELECT pg_current_snapshot()::text",
    // A snapshot that is yet to come is of another cluster.
    hasChanged:
      """
      SELECT EXISTS (SELECT 1 FROM change WHERE account = ?1 AND \(isNew("?2")))
        OR \(isForgotten("?2"))
        OR pg_snapshot_xmax(?2::text::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot())
      """,
    changedAccounts: "SELECT DISTINCT account FROM change WHERE \(isNew("?1"))",
    areChangesForgotten: "SELECT \(isForgotten("?1"))",
    secret: "SELECT store_id FROM lifesignal_meta")

  /// Of a transaction that had not ended in an earlier snapshot. Its first number alone would show again and
  /// again what was seen, as long as an old transaction is open, or hide what came after it.
  private static func isNew(_ snapshot: String) -> String {
    """
    tx >= pg_snapshot_xmin(\(snapshot)::text::pg_snapshot)
    AND NOT pg_visible_in_snapshot(tx, \(snapshot)::text::pg_snapshot) AND \(isOwn)
    """
  }

  /// Whether even the oldest change that is kept is new.
  private static func isForgotten(_ snapshot: String) -> String {
    """
    coalesce((SELECT NOT pg_visible_in_snapshot(tx, \(snapshot)::text::pg_snapshot)
      FROM change WHERE \(isOwn) ORDER BY number LIMIT 1), false)
    """
  }

  /// Of this cluster: a restored database may hold numbers that are yet to come.
  private static let isOwn = "tx < pg_snapshot_xmax(pg_current_snapshot())"

  package func execute(_ sql: String, _ values: [any SQLBindable]) throws(StorageError) -> Int {
    try result(of: sql, values).changes
  }

  package func query(
    _ sql: String, _ values: [any SQLBindable],
    _ body: (any SQLCursor) throws(StorageError) -> Bool
  ) throws(StorageError) {
    let result = try result(of: sql, values)
    while result.next() { guard try body(result) else { return } }
  }

  private func result(
    of sql: String, _ values: [any SQLBindable]
  ) throws(StorageError) -> PostgresResult {
    // Whatever hid the first error gets it again: the server has given the transaction up.
    if let failure = transaction?.failure { throw failure.storageError }
    var kinds: [SQLKind] = []
    var bound = PostgresValues()
    for value in values {
      var kind = type(of: value).sqlKind
      switch value.sqlValue {
      case .null: try bound.add(nil)
      case .integer(let number):
        kind = .integer
        try bound.add(String(number))
      case .real(let number):
        kind = .real
        try bound.add("\(number)")
      case .text(let text):
        kind = .text
        try bound.add(text)
      }
      kinds.append(kind)
    }
    return try noting { () throws(PostgresError) in
      let result = try wire.run(try prepared(Form(sql: sql, kinds: kinds)), bound)
      totalChanges += result.changes
      return result
    }
  }

  /// The name of a statement that the server has prepared.
  private func prepared(_ form: Form) throws(PostgresError) -> String {
    if let name = statements[form] { return name }
    if statements.count >= Self.mostStatements {
      _ = try wire.run("DEALLOCATE ALL")
      statements = [:]
    }
    let name = "s\(statements.count)"
    try wire.prepare(
      SQLTranslation.statement(form.sql), as: name, types: form.kinds.map(\.typeID))
    statements[form] = name
    return name
  }

  /// Runs several statements without values, such as a schema.
  package func script(_ sql: String) throws(StorageError) {
    try noting { () throws(PostgresError) in _ = try wire.run(sql) }
  }

  private func noting<Value>(
    _ body: () throws(PostgresError) -> Value
  ) throws(StorageError) -> Value {
    do throws(PostgresError) { return try body() } catch {
      if error.isDamage { hasFoundDamage = true }
      transaction?.failure = error
      throw error.storageError
    }
  }

  // MARK: Transactions

  package func transaction<Value>(_ kind: TransactionKind, _ body: () throws -> Value) throws
    -> Value
  {
    for attempt in 1... {
      do throws(Attempt) { return try once(kind, body) } catch {
        guard error.isConflict, attempt < Self.mostTries else { throw error.reason }
        // Those who met go on at different times.
        usleep(.random(in: 1_000...20_000))
      }
    }
    throw StorageError.busy
  }

  /// Why a transaction kept nothing, or may not have.
  private struct Attempt: Error {
    var reason: any Error
    var isConflict = false

    init(_ reason: any Error) { self.reason = reason }
    init(_ error: PostgresError) {
      reason = error.storageError
      isConflict = error.isConflict && !error.isLost
    }
  }

  private func once<Value>(
    _ kind: TransactionKind, _ body: () throws -> Value
  ) throws(Attempt) -> Value {
    let before = totalChanges
    do throws(PostgresError) { try begin(kind) } catch { throw Attempt(error) }
    defer {
      transaction = nil
      clock?.end()
    }
    let value: Value
    do { value = try body() } catch {
      let failure = transaction?.failure
      if !wire.isLost { _ = try? wire.run("ROLLBACK") }
      throw failure.map { $0.isConflict ? Attempt($0) : Attempt(error) } ?? Attempt(error)
    }
    if let failure = transaction?.failure {
      // Somebody went on after an error, as no rule may: nothing is kept.
      if !wire.isLost { _ = try? wire.run("ROLLBACK") }
      throw Attempt(failure)
    }
    // What was only read is known; the next one to ask waits for the end of it.
    if case .read = kind {
      wire.send("COMMIT")
      return value
    }
    do throws(PostgresError) { _ = try wire.run("COMMIT") } catch {
      // The server may have kept it before the connection went away.
      if error.isLost, totalChanges != before { throw Attempt(StorageError.unknownOutcome) }
      throw Attempt(error)
    }
    return value
  }

  private func begin(_ kind: TransactionKind) throws(PostgresError) {
    let words =
      switch kind {
      case .read: "REPEATABLE READ READ ONLY"
      case .serializable: "SERIALIZABLE"
      case .queue: "READ COMMITTED"
      }
    var sql = "BEGIN ISOLATION LEVEL \(words)"
    if clock != nil { sql += "; SELECT \(DatabaseClock.milliseconds)" }
    let results = try wire.run(sql)
    transaction = Open()
    if let clock, let time = results.last, time.next(), let milliseconds = time.integer(0) {
      clock.begin(Date(milliseconds: milliseconds))
    }
  }

  // MARK: Changes

  /// Which transactions have ended says so in whatever order they did; the numbers of rows would not. It
  /// counts one's own, too, and those of other databases beside it: who hears of them looks once more.
  package func othersVersion() throws(StorageError) -> Int? {
    let snapshot = try value(String.self, "SELECT pg_current_snapshot()::text")
    if let snapshot, snapshot != seen.snapshot { seen = (snapshot, seen.version + 1) }
    return seen.version
  }
}

extension SQLKind {
  fileprivate var typeID: Oid {
    switch self {
    case .integer: PostgresResult.TypeID.int8
    case .real: PostgresResult.TypeID.float8
    case .text: PostgresResult.TypeID.text
    }
  }
}
