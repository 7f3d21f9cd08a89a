import CPostgreSQL
import Clients
import Glibc

/// A connection to a PostgreSQL server on which every wait is limited: a network that swallows
/// everything must not block a lane for ever.
///
/// Not thread-safe: it belongs to one ``PostgresConnection``.
final class Wire {
  private let handle: OpaquePointer
  /// The longest time for connecting, and for an answer. The server gives up on a statement
  /// earlier, and says why.
  private let longestWait: Duration
  /// Whether the connection must not be used any more.
  private(set) var isLost = false
  /// The number of statements queued since the last end of a batch, and the sizes of the batches
  /// that were sent but not read.
  private var queued = 0
  private var unread: [Int] = []

  init(_ database: ConnectionString, longestWait: Duration) throws(StorageError) {
    self.longestWait = longestWait
    // The connection string comes last, and overrides the others.
    let settings: [(name: String, value: String)] = [
      ("application_name", "lifesignal"), ("client_encoding", "UTF8"),
      ("target_session_attrs", "read-write"), ("sslmode", "verify-full"),
      ("tcp_user_timeout", "3000"), ("keepalives_idle", "10"), ("keepalives_interval", "3"),
      ("keepalives_count", "3"), ("connect_timeout", "5"), ("dbname", database.text),
    ]
    let opened = withCStrings(settings.map(\.name)) { names in
      withCStrings(settings.map(\.value)) { values in PQconnectStartParams(names, values, 1) }
    }
    guard let opened else { throw .unknown("there is no memory for a connection") }
    handle = opened
    // The default writes to standard error.
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
    let end = ContinuousClock.now + longestWait
    var status = PGRES_POLLING_WRITING
    while PQstatus(handle) != CONNECTION_BAD, status != PGRES_POLLING_OK {
      let events = status == PGRES_POLLING_READING ? POLLIN : POLLOUT
      guard status != PGRES_POLLING_FAILED, wait(for: events, until: end) else { break }
      status = PQconnectPoll(handle)
    }
    guard status == PGRES_POLLING_OK, PQsetnonblocking(handle, 1) == 0 else {
      let reason = status == PGRES_POLLING_FAILED ? message : "it doesn't answer"
      throw .unknown("the database can't be reached: \(reason)")
    }
  }

  deinit { PQfinish(handle) }

  /// The last error, on one line.
  private var message: String {
    let lines = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
    return lines.split(separator: "\n").last.map { String($0) } ?? "no reason was given"
  }

  // MARK: Notifications

  /// Waits until the server sends something by itself, or another descriptor can be read.
  /// - Parameter limit: The longest wait; `nil` for any.
  func wait(for other: Int32, within limit: Duration?) throws(PostgresError) {
    guard !isLost else { throw lose(message) }
    var descriptors = [PQsocket(handle), other].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    poll(&descriptors, 2, limit.map { Int32($0 / .milliseconds(1)) + 1 } ?? -1)
    guard descriptors[0].revents == 0 || PQconsumeInput(handle) == 1 else { throw lose(message) }
  }

  /// Takes the notifications that have arrived.
  /// - Returns: Whether there were any.
  func takeNotifications() -> Bool {
    var isThereAny = false
    while let notification = PQnotifies(handle) {
      isThereAny = true
      PQfreemem(notification)
    }
    return isThereAny
  }

  // MARK: Statements

  /// Whether a transaction is open, or aborted but not ended, as far as is known.
  var isInTransaction: Bool { PQtransactionStatus(handle) != PQTRANS_IDLE }

  /// Runs statements without values, outside of a batch.
  func run(_ sql: String) throws(PostgresError) -> [PostgresResult] {
    let end = ContinuousClock.now + longestWait
    try takeUnread(until: end)
    // Nothing must be queued that isn't answered yet.
    guard !isLost, queued == 0, PQexitPipelineMode(handle) == 1,
      sql.withCString({ PQsendQuery(handle, $0) }) == 1
    else { throw lose(message) }
    try flush(until: end)
    let (results, failure) = try takeResults(until: end)
    try check(failure)
    return results
  }

  /// Queues the preparation of a statement under a name.
  func queue(preparing sql: String, as name: String, types: [Oid]) throws(PostgresError) {
    try pipeline()
    guard PQsendPrepare(handle, name, sql, Int32(types.count), types) == 1 else {
      throw lose(message)
    }
    queued += 1
  }

  /// Queues a prepared statement. It is sent with the next ``answer()`` at the latest.
  func queue(_ name: String, _ values: PostgresValues) throws(PostgresError) {
    try pipeline()
    let sent = values.withPointers {
      PQsendQueryPrepared(handle, name, values.count, $0, nil, nil, 0)
    }
    guard sent == 1 else { throw lose(message) }
    queued += 1
  }

  private func pipeline() throws(PostgresError) {
    guard !isLost, PQpipelineStatus(handle) != PQ_PIPELINE_OFF || PQenterPipelineMode(handle) == 1
    else { throw lose(message) }
  }

  /// Sends what is queued, and waits for the results, one for each statement. After the first
  /// failure, the server runs nothing more of the batch.
  func answer() throws(PostgresError) -> [PostgresResult] {
    let end = ContinuousClock.now + longestWait
    try sendQueue()
    try flush(until: end)
    let count = unread.removeLast()
    try takeUnread(until: end)
    let (results, failure) = try takeBatch(of: count, until: end)
    try check(failure)
    return results
  }

  /// Sends what is queued and can't fail. Its results are taken before the next ones.
  func send() {
    do throws(PostgresError) {
      try sendQueue()
      if PQflush(handle) != 0 { isLost = true }
    } catch { isLost = true }
  }

  private func sendQueue() throws(PostgresError) {
    guard !isLost, PQpipelineSync(handle) == 1 else { throw lose(message) }
    unread.append(queued)
    queued = 0
  }

  private func flush(until end: ContinuousClock.Instant) throws(PostgresError) {
    while true {
      let rest = PQflush(handle)
      guard rest >= 0 else { throw lose(message) }
      guard rest > 0 else { return }
      guard wait(for: POLLIN | POLLOUT, until: end) else { throw lose("it doesn't answer") }
      guard PQconsumeInput(handle) == 1 else { throw lose(message) }
    }
  }

  private func takeUnread(until end: ContinuousClock.Instant) throws(PostgresError) {
    while !unread.isEmpty {
      let (_, failure) = try takeBatch(of: unread.removeFirst(), until: end)
      if let failure { throw lose(failure.message) }
    }
  }

  /// Takes the results of a batch, and of its end.
  private func takeBatch(
    of count: Int, until end: ContinuousClock.Instant
  ) throws(PostgresError) -> (results: [PostgresResult], failure: PostgresError?) {
    var (results, failure): ([PostgresResult], PostgresError?) = ([], nil)
    for _ in 0..<count {
      let taken = try takeResults(until: end)
      results += taken.results
      failure = failure ?? taken.failure
      // Nothing comes after it.
      if let failure, failure.endsConnection || PQstatus(handle) == CONNECTION_BAD {
        return (results, failure)
      }
    }
    guard let last = try takeResult(until: end), PQresultStatus(last) == PGRES_PIPELINE_SYNC else {
      throw lose("the server gave no answer")
    }
    PQclear(last)
    return (results, failure)
  }

  /// Takes all results of one statement; none if the server has skipped it.
  private func takeResults(
    until end: ContinuousClock.Instant
  ) throws(PostgresError) -> (results: [PostgresResult], failure: PostgresError?) {
    var (results, failure): ([PostgresResult], PostgresError?) = ([], nil)
    while let result = try takeResult(until: end) {
      let isPassedOver = PQresultStatus(result) == PGRES_PIPELINE_ABORTED
      let taken = PostgresResult(result)
      if isPassedOver { continue }
      if let error = taken.error { failure = failure ?? error } else { results.append(taken) }
    }
    return (results, failure)
  }

  private func takeResult(until end: ContinuousClock.Instant) throws(PostgresError)
    -> OpaquePointer?
  {
    while PQisBusy(handle) != 0 {
      guard wait(for: POLLIN, until: end) else { throw lose("it doesn't answer") }
      guard PQconsumeInput(handle) == 1 else { throw lose(message) }
    }
    return PQgetResult(handle)
  }

  private func check(_ failure: PostgresError?) throws(PostgresError) {
    if PQstatus(handle) == CONNECTION_BAD { isLost = true }
    guard var failure else {
      guard !isLost else { throw lose(message) }
      return
    }
    if failure.endsConnection { isLost = true }
    failure.isLost = isLost
    throw failure
  }

  /// Stops using the connection: nobody knows how the server would take another statement.
  func giveUp() { isLost = true }

  private func lose(_ reason: String) -> PostgresError {
    isLost = true
    return PostgresError(state: "08006", message: reason, isLost: true)
  }

  /// Waits for the socket.
  /// - Returns: `false` if the time is up.
  private func wait(for events: Int32, until end: ContinuousClock.Instant) -> Bool {
    while true {
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero else { return false }
      var descriptor = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
      let ready = poll(&descriptor, 1, Int32(left / .milliseconds(1)) + 1)
      if ready > 0 { return true }
      guard ready == 0 || errno == EINTR else { return false }
    }
  }
}

/// Values in libpq's form: texts that end with a zero byte, `nil` for null.
struct PostgresValues {
  private(set) var bytes: [CChar] = []
  /// The start of each value; `nil` for null.
  private var starts: [Int?] = []

  var count: Int32 { Int32(starts.count) }

  mutating func add(_ value: String?) throws(StorageError) {
    guard var value else { return starts.append(nil) }
    starts.append(bytes.count)
    let isWhole = value.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) { bytes.append(contentsOf: $0) }
      // The text would end at a zero byte.
      return utf8.isEmpty || memchr(utf8.baseAddress!, 0, utf8.count) == nil
    }
    guard isWhole else { throw .serialization("a text holds a zero byte") }
    bytes.append(0)
  }

  func withPointers<Result>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
  ) -> Result {
    bytes.withUnsafeBufferPointer { bytes in
      let pointers = starts.map { start in start.flatMap { bytes.baseAddress?.advanced(by: $0) } }
      return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
    }
  }
}

/// Passes texts to C as an array with a null pointer at its end.
private func withCStrings<Result>(
  _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
  let bytes = texts.flatMap { $0.utf8CString }
  return bytes.withUnsafeBufferPointer { bytes in
    var pointers: [UnsafePointer<CChar>?] = []
    var start = bytes.baseAddress!
    for text in texts {
      pointers.append(start)
      start += text.utf8.count + 1
    }
    pointers.append(nil)
    return pointers.withUnsafeBufferPointer { body($0.baseAddress!) }
  }
}
