import CPostgreSQL
import Store

/// The server's answer to a statement: all of its rows, one of which is the current one.
final class PostgresResult: SQLCursor {
  private let handle: OpaquePointer
  private let types: [Oid]
  private var row: Int32 = -1

  init(_ handle: OpaquePointer) {
    self.handle = handle
    types = (0..<PQnfields(handle)).map { PQftype(handle, $0) }
  }

  deinit { PQclear(handle) }

  /// The error of the statement, or `nil`.
  var error: PostgresError? {
    switch PQresultStatus(handle) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: nil
    default:
      PostgresError(
        state: field(lifesignal_pg_sqlstate) ?? "08006",
        message: field(lifesignal_pg_message) ?? "the connection was lost")
    }
  }

  private func field(_ code: some BinaryInteger) -> String? {
    PQresultErrorField(handle, Int32(code)).map { String(cString: $0) }
  }

  /// The command's tag, such as `COMMIT`.
  var status: String { PQcmdStatus(handle).map { String(cString: $0) } ?? "" }

  /// The number of rows that the statement changed.
  var changes: Int {
    guard !status.hasPrefix("SELECT") else { return 0 }
    return PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0
  }

  /// Moves to the next row.
  /// - Returns: Whether there is one.
  func next() -> Bool {
    row += 1
    return row < PQntuples(handle)
  }

  // MARK: A row

  /// The types that are read, by their object identifiers.
  enum TypeID {
    static let boolean: Oid = 16
    static let int8: Oid = 20
    static let int2: Oid = 21
    static let int4: Oid = 23
    static let text: Oid = 25
    static let float4: Oid = 700
    static let float8: Oid = 701
    static let unknown: Oid = 705
    static let varchar: Oid = 1_043
    static let numeric: Oid = 1_700
  }

  func isNull(_ index: Int32) -> Bool { PQgetisnull(handle, row, index) != 0 }

  func column(_ index: Int32) -> SQLValue? {
    guard !isNull(index) else { return .null }
    if let integer = integer(index) { return .integer(integer) }
    guard let bytes = bytes(index) else { return nil }
    switch types[Int(index)] {
    case TypeID.float4, TypeID.float8, TypeID.numeric:
      return Double(String(decoding: bytes, as: UTF8.self)).map { .real($0) }
    default: return text(index).flatMap { String(validating: $0) }.map { .text($0) }
    }
  }

  /// Returns a whole number. A Boolean is 1 or 0, as in SQLite, and a `numeric` counts if it is
  /// whole, like a sum.
  func integer(_ index: Int32) -> Int? {
    guard !isNull(index), let bytes = bytes(index) else { return nil }
    switch types[Int(index)] {
    case TypeID.boolean: return bytes.first == UInt8(ascii: "t") ? 1 : 0
    case TypeID.int2, TypeID.int4, TypeID.int8, TypeID.numeric: return Self.integer(bytes)
    default: return nil
    }
  }

  private static func integer(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    let isNegative = bytes.first == UInt8(ascii: "-")
    var number = 0
    for byte in bytes.dropFirst(isNegative ? 1 : 0) {
      let digit = Int(byte) - Int(UInt8(ascii: "0"))
      guard (0...9).contains(digit), number <= (Int.max - digit) / 10 else { return nil }
      number = number * 10 + digit
    }
    return isNegative ? -number : number
  }

  func text(_ index: Int32) -> UnsafeBufferPointer<UInt8>? {
    switch types[Int(index)] {
    case TypeID.text, TypeID.varchar, TypeID.unknown: isNull(index) ? nil : bytes(index)
    default: nil
    }
  }

  private func bytes(_ index: Int32) -> UnsafeBufferPointer<UInt8>? {
    guard let start = PQgetvalue(handle, row, index) else { return nil }
    let count = Int(PQgetlength(handle, row, index))
    return UnsafeBufferPointer(
      start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: count)
  }

  func columnName(_ index: Int32) -> String {
    PQfname(handle, index).map { String(cString: $0) } ?? "column \(index)"
  }
}
