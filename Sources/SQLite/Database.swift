import CSQLite
import Clients
import Store

/// A connection to SQLite with its prepared statements.
///
/// Not thread-safe: it belongs to one ``Lane``, whose executor is the only one to use it.
final class Database: SQLConnection {
  private let handle: OpaquePointer
  private let failures = Failures()
  /// The prepared statements, by their text.
  private(set) var statements: [String: Statement] = [:]

  /// The ways to open a file.
  enum Access {
    case readWrite
    /// Without locks and without reading the write-ahead log; changes nothing.
    case immutable
  }

  /// - Parameter path: A path without symbolic links in any of its parts.
  init(path: String, access: Access) throws(StorageError) {
    var opened: OpaquePointer?
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
    let name: String
    switch access {
    case .readWrite:
      flags |= SQLITE_OPEN_READWRITE
      name = path
    case .immutable:
      flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      name = "file:\(Self.escapingForURI(path))?immutable=1"
    }
    let code = sqlite3_open_v2(name, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let error = StorageError(sqlite: code, message: opened.map(Self.message) ?? "no memory")
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    sqlite3_busy_timeout(handle, 5_000)
  }

  deinit {
    statements.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Whether closing leaves the write-ahead log as it is, so that a store that was refused stays
  /// untouched.
  var keepsLogOnClose = false {
    didSet { _ = lifesignal_sqlite3_keep_log_on_close(handle, keepsLogOnClose ? 1 : 0) }
  }

  /// Whether input or output has failed. What the operating system still holds for this descriptor
  /// can't be trusted then, and another attempt on it could seem to succeed: only a new connection
  /// can tell.
  var hasFailed: Bool { failures.hasOccurred }

  var hasFoundDamage: Bool {
    get { failures.hasFoundDamage }
    set { failures.hasFoundDamage = newValue }
  }

  /// Whether the name under which the file was opened now belongs to another file, or to none.
  var hasMoved: Bool {
    var hasMoved: Int32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return code == SQLITE_OK && hasMoved != 0
  }

  var totalChanges: Int { Int(sqlite3_total_changes64(handle)) }

  func othersVersion() throws(StorageError) -> Int? {
    try value(Int.self, "PRAGMA data_version")
  }

  // MARK: Statements

  let dialect = SQLDialect.sqlite

  func execute(_ sql: String, _ values: [any SQLBindable]) throws(StorageError) -> Int {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() {}
    return Int(sqlite3_changes(handle))
  }

  func query(
    _ sql: String, _ values: [any SQLBindable],
    _ body: (any SQLCursor) throws(StorageError) -> Bool
  ) throws(StorageError) {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() { guard try body(statement) else { return } }
  }

  /// Runs several statements without values, such as a schema.
  func script(_ sql: String) throws(StorageError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failures.error(code, handle) }
  }

  /// Returns the bytes of a database in memory, as they would be in a file.
  func serialized() throws(StorageError) -> [UInt8] {
    var count: sqlite3_int64 = 0
    guard let bytes = sqlite3_serialize(handle, "main", &count, 0) else {
      throw .unknown("SQLite has no memory")
    }
    defer { sqlite3_free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }

  /// Replaces a database in memory by one that ``serialized()`` returned.
  func load(_ bytes: [UInt8]) throws(StorageError) {
    guard let copy = sqlite3_malloc64(UInt64(bytes.count)) else {
      throw .unknown("SQLite has no memory")
    }
    bytes.withUnsafeBytes { copy.copyMemory(from: $0.baseAddress!, byteCount: bytes.count) }
    // SQLite frees the copy, even if this fails.
    let code = sqlite3_deserialize(
      handle, "main", copy.assumingMemoryBound(to: UInt8.self), Int64(bytes.count),
      Int64(bytes.count),
      UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE))
    guard code == SQLITE_OK else { throw failures.error(code, handle) }
  }

  /// Checks the structure of all pages.
  /// - Returns: "ok", or the first fault.
  func quickCheck() throws(StorageError) -> String { try check("quick_check") }

  /// Checks the structure of all pages, and every index against its table.
  /// - Returns: "ok", or the first fault.
  func integrityCheck() throws(StorageError) -> String { try check("integrity_check") }

  /// Runs a check that ignores values which their table forbids. Such a value is the fault of one
  /// account, is reported there, and must not keep the others from being served (ESC-6).
  private func check(_ pragma: String) throws(StorageError) -> String {
    try script("PRAGMA ignore_check_constraints = ON")
    defer { try? script("PRAGMA ignore_check_constraints = OFF") }
    let answer = try value(String.self, "PRAGMA \(pragma)(1)") ?? "no answer"
    // On one line, without the name of the database.
    return answer.split(separator: "\n").filter { !$0.hasPrefix("***") }.joined(separator: "; ")
  }

  /// Copies the whole file as it is, with the changes from its log.
  func copyPages(to path: String) throws(StorageError) {
    let copy = try Database(path: path, access: .readWrite)
    guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
      throw failures.error(sqlite3_errcode(copy.handle), copy.handle)
    }
    sqlite3_backup_step(backup, -1)
    let code = sqlite3_backup_finish(backup)
    guard code == SQLITE_OK else { throw failures.error(code, copy.handle) }
  }

  /// Returns the first 100 bytes of the file, which its log may have replaced since.
  func header() throws(StorageError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 100)
    let code = lifesignal_sqlite3_read_header(handle, &bytes, 100)
    // A shorter file is filled up with zeros.
    guard code == SQLITE_OK || code == SQLITE_IOERR | (2 << 8) else {
      throw failures.error(code, handle)
    }
    return bytes
  }

  private func statement(_ sql: String) throws(StorageError) -> Statement {
    if let statement = statements[sql] { return statement }
    let statement = try Statement(sql, handle: handle, failures: failures)
    statements[sql] = statement
    return statement
  }

  // MARK: Transactions

  func transaction<Value>(_ kind: TransactionKind, _ body: () throws -> Value) throws -> Value {
    try run(kind == .read ? "BEGIN" : "BEGIN IMMEDIATE")
    do {
      let value = try body()
      try run("COMMIT")
      return value
    } catch {
      // SQLite has rolled back by itself after a full disk or an I/O error.
      if sqlite3_get_autocommit(handle) == 0 { _ = try? run("ROLLBACK") }
      throw error
    }
  }

  static func message(_ handle: OpaquePointer) -> String {
    String(cString: sqlite3_errmsg(handle))
  }

  static func escapingForURI(_ path: String) -> String {
    path.utf8.reduce(into: "") { escaped, byte in
      switch byte {
      case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"), 0x80...:
        escaped += "%" + String(byte, radix: 16, uppercase: true)
      default: escaped.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
  }
}

/// The errors that a connection has met which outlast the statement.
final class Failures {
  private(set) var hasOccurred = false
  var hasFoundDamage = false

  /// Returns the error for a result code, and remembers it if it matters later.
  func error(_ code: Int32, _ handle: OpaquePointer) -> StorageError {
    if code & 0xFF == SQLITE_IOERR { hasOccurred = true }
    if code & 0xFF == SQLITE_CORRUPT { hasFoundDamage = true }
    return StorageError(sqlite: code, message: Database.message(handle))
  }
}

extension SQLFault {
  /// Creates the fault for a result code of SQLite, extended or not.
  init(sqlite code: Int32) {
    self =
      switch code & 0xFF {
      case SQLITE_FULL: .full
      // The shared memory of the log is a file as well, and growing it fails on a full disk.
      case SQLITE_IOERR where code == SQLITE_IOERR | (19 << 8): .full  // SQLITE_IOERR_SHMSIZE
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
      case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .notPermitted
      case SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG: .invalidValue
      default: .other
      }
  }
}

extension StorageError {
  /// Creates the error for a result code of SQLite, extended or not.
  init(sqlite code: Int32, message: String) {
    let fault = SQLFault(sqlite: code)
    let isShortRead = code == SQLITE_IOERR | (2 << 8)  // SQLITE_IOERR_SHORT_READ, a macro
    let text =
      isShortRead
      ? "a file of the store was deleted or cut off while it was in use: stop all LifeSignal"
        + " programs, then start them again"
      : fault == .other ? "\(message) (SQLite \(code))" : message
    self = ErrorTransformer.storageError(for: fault, of: "SQLite", saying: text)
  }
}
