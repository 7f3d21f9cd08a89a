import CPostgreSQL
import Clients
import Glibc

/// A conversation with a PostgreSQL server, in which no wait is longer than its time: a network that
/// swallows everything must not keep a lane for ever.
///
/// Not thread-safe: it belongs to one ``PostgresConnection``.
final class Wire {
  private let handle: OpaquePointer
  /// How long a connection may take to make, and how long an answer. The server gives up on a statement
  /// earlier, and says so.
  private let longestWait: Duration
  /// Whether nothing is to be said any more.
  private(set) var isLost = false
  /// Whether results of what was sent last are still to be taken.
  private var isUnanswered = false

  init(_ database: ConnectionString, longestWait: Duration) throws(StorageError) {
    self.longestWait = longestWait
    // What stands first gives way to what the connection string says of it.
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
    // It would write to standard error.
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

  /// What went wrong last, in one line.
  private var message: String {
    let lines = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
    return lines.split(separator: "\n").last.map { String($0) } ?? "no reason was given"
  }

  // MARK: Hearing

  /// Waits until the server says something by itself, or another descriptor can be read.
  /// - Parameter limit: `nil` for as long as it takes.
  func wait(for other: Int32, within limit: Duration?) throws(PostgresError) {
    guard !isLost else { throw lose(message) }
    var descriptors = [PQsocket(handle), other].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    poll(&descriptors, 2, limit.map { Int32($0 / .milliseconds(1)) + 1 } ?? -1)
    guard descriptors[0].revents == 0 || PQconsumeInput(handle) == 1 else { throw lose(message) }
  }

  /// Takes the notifications that have come.
  /// - Returns: Whether there were any.
  func takeNotifications() -> Bool {
    var isThereAny = false
    while let notification = PQnotifies(handle) {
      isThereAny = true
      PQfreemem(notification)
    }
    return isThereAny
  }

  // MARK: Asking

  /// Runs statements without values.
  func run(_ sql: String) throws(PostgresError) -> [PostgresResult] {
    try takeRest()
    return try answer(to: sql.withCString { PQsendQuery(handle, $0) })
  }

  /// Sends statements whose outcome matters to nobody; their results are taken before the next ones.
  func send(_ sql: String) {
    guard !isLost, sql.withCString({ PQsendQuery(handle, $0) }) == 1, PQflush(handle) == 0 else {
      isLost = true
      return
    }
    isUnanswered = true
  }

  /// Has the server prepare a statement under a name.
  func prepare(_ sql: String, as name: String, types: [Oid]) throws(PostgresError) {
    try takeRest()
    _ = try answer(
      to: PQsendPrepare(handle, name, sql, Int32(types.count), types))
  }

  /// Runs a statement that was prepared.
  func run(_ name: String, _ values: PostgresValues) throws(PostgresError) -> PostgresResult {
    try takeRest()
    let sent = values.withPointers {
      PQsendQueryPrepared(handle, name, values.count, $0, nil, nil, 0)
    }
    guard let result = try answer(to: sent).last else { throw lose("the server gave no answer") }
    return result
  }

  private func takeRest() throws(PostgresError) {
    guard isUnanswered else { return }
    isUnanswered = false
    _ = try answer(to: 1)
  }

  /// All results of what was sent, within the time.
  private func answer(to sent: Int32) throws(PostgresError) -> [PostgresResult] {
    guard !isLost, sent == 1 else { throw lose(message) }
    let end = ContinuousClock.now + longestWait
    while true {
      let rest = PQflush(handle)
      guard rest >= 0 else { throw lose(message) }
      guard rest > 0 else { break }
      guard wait(for: POLLIN | POLLOUT, until: end) else { throw lose("it doesn't answer") }
      guard PQconsumeInput(handle) == 1 else { throw lose(message) }
    }
    var results: [PostgresResult] = []
    var failure: PostgresError?
    while true {
      while PQisBusy(handle) != 0 {
        guard wait(for: POLLIN, until: end) else { throw lose("it doesn't answer") }
        guard PQconsumeInput(handle) == 1 else { throw lose(message) }
      }
      guard let result = PQgetResult(handle) else { break }
      let taken = PostgresResult(result)
      if let error = taken.error { failure = failure ?? error } else { results.append(taken) }
    }
    if PQstatus(handle) == CONNECTION_BAD { isLost = true }
    if var failure {
      if failure.endsConnection { isLost = true }
      failure.isLost = isLost
      throw failure
    }
    guard !isLost else { throw lose(message) }
    return results
  }

  private func lose(_ reason: String) -> PostgresError {
    isLost = true
    return PostgresError(state: "08006", message: reason, isLost: true)
  }

  /// - Returns: `false` where the time is over.
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

/// Values as libpq takes them: texts that end with a zero, `nil` for null.
struct PostgresValues {
  private var bytes: [CChar] = []
  /// Where each begins; `nil` for null.
  private var starts: [Int?] = []

  var count: Int32 { Int32(starts.count) }

  mutating func add(_ value: String?) throws(StorageError) {
    guard let value else { return starts.append(nil) }
    starts.append(bytes.count)
    let before = bytes.count
    bytes.append(contentsOf: value.utf8.lazy.map { CChar(bitPattern: $0) })
    // The text would end there.
    guard !bytes[before...].contains(0) else { throw .serialization("a text holds a zero byte") }
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

/// Lends texts to C, with a null at their end.
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
