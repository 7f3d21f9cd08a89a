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
  /// Receives the time of each transaction; `nil` if the lane has another clock.
  private let clock: DatabaseClock?
  private var statements: [Form: String] = [:]
  /// The number of statements ever prepared, so that no name is used twice.
  private var prepared = 0
  /// How many there were when all were last forgotten.
  private var forgotten = 0
  /// The queued statements that have no answer yet, in their order.
  private var pending: [Queued] = []
  private var pendingBytes = 0
  /// The open transaction.
  private var transaction: Open?
  package private(set) var totalChanges = 0
  package var hasFoundDamage = false
  /// The last snapshot of all transactions, and how many there were before it.
  private var seen = (snapshot: "", version: 0)

  /// A statement with the kinds of its values, for which PostgreSQL prepares it.
  private struct Form: Hashable {
    var sql: String
    var kinds: [SQLKind]
  }

  private enum Queued {
    case preparing(Form)
    /// BEGIN and the like.
    case control
    /// The query for the transaction's time.
    case time
    case statement
  }

  private struct Open {
    /// The first error in it, after which the server runs nothing more.
    var failure: PostgresError?
  }

  /// The largest number of statements that are prepared, those of failed batches included. Beyond
  /// that, all are forgotten and prepared again.
  private static let mostStatements = 1_000
  private static let mostTries = 20
  /// The largest number of statements that wait for the next answer.
  private static let mostQueued = 64
  private static let mostQueuedBytes = 256 << 10

  package init(
    _ database: ConnectionString, clock: DatabaseClock? = nil,
    longestWait: Duration = .seconds(9)
  ) throws(StorageError) {
    wire = try Wire(database, longestWait: longestWait)
    self.clock = clock
    do throws(PostgresError) {
      // The server gives up before ``Wire`` does: its reason says more than silence.
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

  /// Whether the connection is lost. If so, it is opened again at the next poll or request.
  package var hasMoved: Bool { wire.isLost }
  package var hasFailed: Bool { wire.isLost }

  // MARK: Statements

  package let dialect = SQLDialect(
    skippingLocked: "FOR UPDATE OF delivery SKIP LOCKED",
    lastChange: "SELECT pg_current_snapshot()::text",
    // A snapshot that is yet to come belongs to another cluster.
    hasChanged:
      """
      SELECT EXISTS (SELECT 1 FROM change WHERE account = ?1 AND \(isNew("?2")))
        OR \(isForgotten("?2"))
        OR pg_snapshot_xmax(?2::text::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot())
      """,
    changedAccounts: "SELECT DISTINCT account FROM change WHERE \(isNew("?1"))",
    areChangesForgotten: "SELECT \(isForgotten("?1"))",
    secret: "SELECT store_id FROM lifesignal_meta")

  /// A condition on a change whose transaction hadn't ended in an earlier snapshot. The snapshot's
  /// first number alone would show old changes again and again while an old transaction is open, or
  /// hide what came after it.
  private static func isNew(_ snapshot: String) -> String {
    """
    tx >= pg_snapshot_xmin(\(snapshot)::text::pg_snapshot)
    AND NOT pg_visible_in_snapshot(tx, \(snapshot)::text::pg_snapshot) AND \(isOwn)
    """
  }

  /// A condition for whether even the oldest change that is kept is new.
  private static func isForgotten(_ snapshot: String) -> String {
    """
    coalesce((SELECT NOT pg_visible_in_snapshot(tx, \(snapshot)::text::pg_snapshot)
      FROM change WHERE \(isOwn) ORDER BY number LIMIT 1), false)
    """
  }

  /// A condition on a change of this cluster: a restored database may hold numbers that are yet to
  /// come.
  private static let isOwn = "tx < pg_snapshot_xmax(pg_current_snapshot())"

  package func execute(_ sql: String, _ values: [any SQLBindable]) throws(StorageError) -> Int {
    try result(of: sql, values).changes
  }

  package func queue(_ sql: String, _ values: [any SQLBindable]) throws(StorageError) {
    guard transaction != nil, pending.count < Self.mostQueued, pendingBytes < Self.mostQueuedBytes
    else {
      _ = try result(of: sql, values)
      return
    }
    try enqueue(sql, values)
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
    try enqueue(sql, values)
    return try noting { () throws(PostgresError) in try answer() }
  }

  private func enqueue(_ sql: String, _ values: [any SQLBindable]) throws(StorageError) {
    // A caller that ignored the first error gets it again: the server has aborted the transaction.
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
    try noting { () throws(PostgresError) in
      try wire.queue(try name(of: Form(sql: sql, kinds: kinds)), bound)
      pending.append(.statement)
      pendingBytes += bound.bytes.count
    }
  }

  /// Returns the name of a statement that the server has prepared, or prepares before what is
  /// queued next. A name is never used again: what failed may have been prepared all the same, and
  /// every later statement of that name would fail.
  /// - Parameter word: What a reader of the connection's traffic finds in the name.
  private func name(of form: Form, command: String = "") throws(PostgresError) -> String {
    if let name = statements[form] { return name }
    if prepared - forgotten >= Self.mostStatements {
      if !pending.isEmpty { _ = try answer() }
      _ = try wire.run("DEALLOCATE ALL")
      statements = [:]
      forgotten = prepared
    }
    prepared += 1
    let name = command.isEmpty ? "s\(prepared)" : "s\(prepared) \(command.prefix(50))"
    try wire.queue(
      preparing: SQLTranslation.statement(form.sql), as: name, types: form.kinds.map(\.typeID))
    pending.append(.preparing(form))
    statements[form] = name
    return name
  }

  /// Queues a statement without values.
  private func enqueue(_ command: String, _ kind: Queued = .control) throws(PostgresError) {
    try wire.queue(
      try name(of: Form(sql: command, kinds: []), command: command), PostgresValues())
    pending.append(kind)
  }

  /// Sends what is queued, and waits for all of the results.
  /// - Returns: The result of the last statement.
  private func answer() throws(PostgresError) -> PostgresResult {
    let asked = pending
    (pending, pendingBytes) = ([], 0)
    let results: [PostgresResult]
    do throws(PostgresError) {
      results = try wire.answer()
      guard let last = results.last, results.count == asked.count else {
        wire.giveUp()
        throw PostgresError(state: "08006", message: "the server gave no answer", isLost: true)
      }
      for (asked, result) in zip(asked, results) {
        totalChanges += result.changes
        guard case .time = asked, result.next(), let time = result.integer(0) else { continue }
        clock?.begin(Date(milliseconds: time))
      }
      return last
    } catch {
      for case .preparing(let form) in asked { statements[form] = nil }
      throw error
    }
  }

  /// Runs several statements without values, such as a schema.
  package func script(_ sql: String) throws(StorageError) {
    try noting { () throws(PostgresError) in
      if !pending.isEmpty { _ = try answer() }
      _ = try wire.run(sql)
    }
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
        // Conflicting transactions are repeated at different times.
        usleep(.random(in: 1_000...2_000 * UInt32(attempt)))
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
      rollBack()
      throw failure.map { $0.isConflict ? Attempt($0) : Attempt(error) } ?? Attempt(error)
    }
    if let failure = transaction?.failure {
      // The body went on after an error, which no rule must do: nothing is kept.
      rollBack()
      throw Attempt(failure)
    }
    // A statement that is still queued may be a write.
    let isWriting = pending.contains { if case .statement = $0 { true } else { false } }
    let mayHaveWritten = isWriting || totalChanges != before
    do throws(PostgresError) {
      try enqueue("COMMIT")
      // What was read is known. The next request waits for the end of the transaction.
      if case .read = kind, !mayHaveWritten {
        (pending, pendingBytes) = ([], 0)
        wire.send()
        return value
      }
      _ = try answer()
    } catch {
      rollBack()
      // The server may have committed before the connection was lost.
      if error.isLost, mayHaveWritten { throw Attempt(StorageError.unknownOutcome) }
      throw Attempt(error)
    }
    return value
  }

  private func begin(_ kind: TransactionKind) throws(PostgresError) {
    let level =
      switch kind {
      case .read: "REPEATABLE READ READ ONLY"
      case .serializable: "SERIALIZABLE"
      case .queue: "READ COMMITTED"
      }
    try enqueue("BEGIN ISOLATION LEVEL \(level)")
    transaction = Open()
    guard let clock else { return }
    try enqueue("SELECT \(DatabaseClock.milliseconds)", .time)
    clock.begin { [unowned self] in
      if !pending.isEmpty { _ = try? noting { () throws(PostgresError) in _ = try answer() } }
    }
  }

  /// Rolls a transaction back; does nothing if it has ended.
  private func rollBack() {
    // The server skips it after an error in the same batch; then it is sent again.
    for _ in 0..<2 where !wire.isLost && (!pending.isEmpty || wire.isInTransaction) {
      do throws(PostgresError) {
        try enqueue("ROLLBACK")
        _ = try answer()
      } catch {}
    }
    if wire.isInTransaction { wire.giveUp() }
  }

  // MARK: Changes

  /// Counts snapshots, because transactions end in any order, which the numbers of rows would not
  /// show. Our own transactions count, too, and those of other databases beside it: an observer
  /// then looks once more than needed.
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
