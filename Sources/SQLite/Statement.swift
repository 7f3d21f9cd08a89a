import CSQLite
import Clients
import Store

/// A prepared statement, created once per text and connection.
final class Statement: SQLCursor {
  private let handle: OpaquePointer
  private let database: OpaquePointer
  private let failures: Failures

  init(
    _ sql: String, handle database: OpaquePointer, failures: Failures
  ) throws(StorageError) {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else {
      throw failures.error(code, database)
    }
    handle = prepared
    self.database = database
    self.failures = failures
  }

  deinit { sqlite3_finalize(handle) }

  /// Binds values to the parameters `?1`, `?2` ….
  func bind(_ values: [any SQLBindable]) throws(StorageError) {
    assert(
      values.count == sqlite3_bind_parameter_count(handle),
      "\(values.count) values for \(String(cString: sqlite3_sql(handle)))")
    for (index, value) in values.enumerated() {
      let code = bind(value.sqlValue, at: Int32(index + 1))
      guard code == SQLITE_OK else { throw error(code) }
    }
  }

  private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(handle, index)
    case .integer(let value): return sqlite3_bind_int64(handle, index, Int64(value))
    case .real(let value): return sqlite3_bind_double(handle, index, value)
    case .text(var value):
      // With its length, because a text can contain a NUL. The pointer of an empty buffer may be
      // nil, which would bind null.
      return value.withUTF8 { bytes in
        guard let base = bytes.baseAddress, !bytes.isEmpty else {
          return sqlite3_bind_text(handle, index, "", 0, Self.transient)
        }
        return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
          sqlite3_bind_text(handle, index, $0, Int32(bytes.count), Self.transient)
        }
      }
    }
  }

  /// Tells SQLite to copy what is bound; the C macro is a cast that Swift does not import.
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  /// Moves to the next row.
  /// - Returns: Whether there is one.
  func step() throws(StorageError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw error(code)
    }
  }

  /// Ends the execution and clears the values.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  func column(_ index: Int32) -> SQLValue? {
    switch sqlite3_column_type(handle, index) {
    case SQLITE_NULL: return .null
    case SQLITE_INTEGER: return .integer(Int(sqlite3_column_int64(handle, index)))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, index))
    case SQLITE_TEXT:
      return text(index).flatMap { String(validating: $0) }.map { .text($0) }
    default: return nil
    }
  }

  func isNull(_ index: Int32) -> Bool { sqlite3_column_type(handle, index) == SQLITE_NULL }

  func integer(_ index: Int32) -> Int? {
    guard sqlite3_column_type(handle, index) == SQLITE_INTEGER else { return nil }
    return Int(sqlite3_column_int64(handle, index))
  }

  func text(_ index: Int32) -> UnsafeBufferPointer<UInt8>? {
    guard sqlite3_column_type(handle, index) == SQLITE_TEXT,
      let bytes = sqlite3_column_text(handle, index)
    else { return nil }
    return UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, index)))
  }

  func columnName(_ index: Int32) -> String {
    sqlite3_column_name(handle, index).map { String(cString: $0) } ?? "column \(index)"
  }

  private func error(_ code: Int32) -> StorageError { failures.error(code, database) }
}
