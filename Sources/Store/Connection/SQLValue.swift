package import Clients
package import Domain
package import FoundationEssentials

/// A value in a store. The schema has no blobs.
package enum SQLValue: Equatable {
  case null
  case integer(Int)
  case real(Double)
  case text(String)
}

/// The kinds of values that are not null.
package enum SQLKind: Sendable {
  case integer, real, text
}

extension SQLValue: SQLBindable, SQLReadable {
  package static var sqlKind: SQLKind { .text }
  package var sqlValue: SQLValue { self }
  package init?(sqlValue: SQLValue) { self = sqlValue }
}

/// A type that can be stored.
package protocol SQLBindable {
  /// The kind of its values that aren't null: some engines must know the type of a null.
  static var sqlKind: SQLKind { get }
  var sqlValue: SQLValue { get }
}

/// A type that can be read from the store.
package protocol SQLReadable {
  /// Converts a stored value; returns `nil` for one that the type can't have.
  init?(sqlValue: SQLValue)
  /// Reads a column of a row, like ``init(sqlValue:)``.
  init?(_ cursor: any SQLCursor, column: Int32)
}

extension SQLReadable {
  package init?(_ cursor: any SQLCursor, column: Int32) {
    guard let value = cursor.column(column) else { return nil }
    self.init(sqlValue: value)
  }
}

/// Reads the columns of a row from left to right, each checked.
package struct RowReader {
  private let cursor: any SQLCursor
  private var column: Int32 = 0

  package init(_ cursor: any SQLCursor) { self.cursor = cursor }

  /// Reads the next column.
  /// - Throws: ``StorageError/serialization(_:)`` for a value that the type can't have.
  package mutating func read<Value: SQLReadable>(
    _ type: Value.Type = Value.self
  ) throws(StorageError) -> Value {
    defer { column += 1 }
    guard let value = Value(cursor, column: column) else {
      throw .serialization("“\(cursor.columnName(column))” holds an impossible value")
    }
    return value
  }

  /// Skips columns.
  package mutating func skip(_ count: Int32) { column += count }

  /// Reads the next column and transforms it.
  package mutating func read<Stored: SQLReadable, Value>(
    _ transform: (Stored) throws -> Value?
  ) throws(StorageError) -> Value {
    let name = cursor.columnName(column)
    let stored: Stored = try read()
    guard let value = try? transform(stored) else {
      throw .serialization("“\(name)” holds an impossible value")
    }
    return value
  }
}

extension Int: SQLBindable, SQLReadable {
  package static var sqlKind: SQLKind { .integer }
  package var sqlValue: SQLValue { .integer(self) }
  /// The numbers that are accepted: none is so large that counting on from it could overflow.
  private static let counts = -(1 << 53)...(1 << 53)

  package init?(sqlValue: SQLValue) {
    guard case .integer(let value) = sqlValue, Self.counts.contains(value) else { return nil }
    self = value
  }

  /// Reads the number directly: a list of thousands of contacts has many of them.
  package init?(_ cursor: any SQLCursor, column: Int32) {
    guard let value = cursor.integer(column), Self.counts.contains(value) else { return nil }
    self = value
  }
}

extension Double: SQLBindable {
  package static var sqlKind: SQLKind { .real }
  package var sqlValue: SQLValue { .real(self) }
}

extension Bool: SQLBindable, SQLReadable {
  package static var sqlKind: SQLKind { .integer }
  package var sqlValue: SQLValue { .integer(self ? 1 : 0) }
  package init?(sqlValue: SQLValue) {
    switch sqlValue {
    case .integer(0): self = false
    case .integer(1): self = true
    default: return nil
    }
  }
}

extension String: SQLBindable, SQLReadable {
  package static var sqlKind: SQLKind { .text }
  package var sqlValue: SQLValue { .text(self) }
  package init?(sqlValue: SQLValue) {
    guard case .text(let value) = sqlValue else { return nil }
    self = value
  }

  package init?(_ cursor: any SQLCursor, column: Int32) {
    guard let bytes = cursor.text(column), let text = String(validating: bytes) else {
      return nil
    }
    self = text
  }

  /// Validates UTF-8 twice as fast as `String(validating:as:)`, which is generic over encodings.
  package init?(validating bytes: UnsafeBufferPointer<UInt8>) {
    guard let valid = try? UTF8Span(validating: bytes.span) else { return nil }
    self.init(copying: valid)
  }
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
  package static var sqlKind: SQLKind { Wrapped.sqlKind }
  package var sqlValue: SQLValue { self?.sqlValue ?? .null }
}

extension Optional: SQLReadable where Wrapped: SQLReadable {
  package init?(sqlValue: SQLValue) {
    if sqlValue == .null {
      self = .none
    } else if let value = Wrapped(sqlValue: sqlValue) {
      self = .some(value)
    } else {
      return nil
    }
  }

  package init?(_ cursor: any SQLCursor, column: Int32) {
    if cursor.isNull(column) {
      self = .none
    } else if let value = Wrapped(cursor, column: column) {
      self = .some(value)
    } else {
      return nil
    }
  }
}

extension UUID: SQLBindable, SQLReadable {
  package static var sqlKind: SQLKind { .text }
  package var sqlValue: SQLValue { .text(uuidString.lowercased()) }
  package init?(sqlValue: SQLValue) {
    guard case .text(var text) = sqlValue, let uuid = text.withUTF8(Self.init(text:)) else {
      return nil
    }
    self = uuid
  }

  /// Parses the bytes without a string in between: every row has one or two of them.
  package init?(_ cursor: any SQLCursor, column: Int32) {
    guard let text = cursor.text(column) else { return nil }
    self.init(text: text)
  }

  /// Parses 32 hexadecimal digits with hyphens between their groups, ten times as fast as
  /// `UUID(uuidString:)`.
  private init?(text: UnsafeBufferPointer<UInt8>) {
    let hyphen = UInt8(ascii: "-")
    guard text.count == 36, text[8] == hyphen, text[13] == hyphen, text[18] == hyphen,
      text[23] == hyphen, let a = Self.number(text[0..<8]), let b = Self.number(text[9..<13]),
      let c = Self.number(text[14..<18]), let d = Self.number(text[19..<23]),
      let e = Self.number(text[24..<36])
    else { return nil }
    let halves = ((a << 16 | b) << 16 | c, d << 48 | e)
    let uuid = withUnsafeBytes(of: (halves.0.bigEndian, halves.1.bigEndian)) {
      $0.loadUnaligned(as: uuid_t.self)
    }
    self.init(uuid: uuid)
  }

  /// Returns the value of at most 16 hexadecimal digits in either case.
  private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> UInt64? {
    var number: UInt64 = 0
    for byte in digits {
      let digit = byte &- UInt8(ascii: "0")
      let letter = (byte | 0x20) &- UInt8(ascii: "a")
      guard digit < 10 || letter < 6 else { return nil }
      number = number << 4 | UInt64(digit < 10 ? digit : letter + 10)
    }
    return number
  }
}

extension Date: SQLBindable, SQLReadable {
  package static var sqlKind: SQLKind { .integer }
  /// The end of the year 9999, the last instant that the store can hold. It means “never”.
  package static let farFuture = Date(milliseconds: 253_402_300_799_999)

  package init(milliseconds: Int) { self.init(timeIntervalSince1970: Double(milliseconds) / 1_000) }

  /// The whole milliseconds since 1970, within what the store can hold.
  package var milliseconds: Int {
    let exact = (timeIntervalSince1970 * 1_000).rounded()
    guard exact > 0 else { return 0 }
    return exact < 253_402_300_799_999 ? Int(exact) : 253_402_300_799_999
  }

  /// The instant as it is read back from the store.
  package var stored: Date { Date(milliseconds: milliseconds) }

  package var sqlValue: SQLValue { .integer(milliseconds) }
  package init?(sqlValue: SQLValue) {
    guard case .integer(let value) = sqlValue else { return nil }
    self.init(stored: value)
  }

  package init?(_ cursor: any SQLCursor, column: Int32) {
    guard let value = cursor.integer(column) else { return nil }
    self.init(stored: value)
  }

  private init?(stored value: Int) {
    guard (0...253_402_300_799_999).contains(value) else { return nil }
    self.init(milliseconds: value)
  }
}

extension TimeSpan: SQLBindable, SQLReadable {
  package static var sqlKind: SQLKind { .integer }
  package var sqlValue: SQLValue { .integer(seconds) }
  package init?(sqlValue: SQLValue) {
    guard case .integer(let value) = sqlValue else { return nil }
    self.init(seconds: value)
    guard isSensible else { return nil }
  }
}

extension CheckInInterval: SQLBindable, SQLReadable {
  package static var sqlKind: SQLKind { .integer }
  package var sqlValue: SQLValue { span.sqlValue }
  package init?(sqlValue: SQLValue) {
    guard let span = TimeSpan(sqlValue: sqlValue) else { return nil }
    try? self.init(span)
  }
}

extension SQLReadable where Self: RawRepresentable, RawValue: SQLReadable {
  package init?(sqlValue: SQLValue) {
    guard let raw = RawValue(sqlValue: sqlValue) else { return nil }
    self.init(rawValue: raw)
  }
}

extension SQLBindable where Self: RawRepresentable, RawValue: SQLBindable {
  package static var sqlKind: SQLKind { RawValue.sqlKind }
  package var sqlValue: SQLValue { rawValue.sqlValue }
}

extension Channel.Kind: SQLBindable, SQLReadable {}
extension CheckIn.Source: SQLBindable, SQLReadable {}
extension Alert.Kind: SQLBindable, SQLReadable {}
extension NotificationItem.Kind: SQLBindable, SQLReadable {}
extension DeliveryState: SQLBindable, SQLReadable {}

extension Roles: SQLBindable, SQLReadable {
  package init?(sqlValue: SQLValue) {
    guard case .integer(let value) = sqlValue, (1...3).contains(value) else { return nil }
    self.init(rawValue: value)
  }
}

extension Stage: SQLBindable, SQLReadable {
  package static var sqlKind: SQLKind { .text }
  package var sqlValue: SQLValue { .text(storageKey) }
  package init?(sqlValue: SQLValue) {
    guard case .text(let key) = sqlValue else { return nil }
    self.init(storageKey: key)
  }
}

extension Recipient: SQLBindable, SQLReadable {
  package static var sqlKind: SQLKind { .text }
  package var sqlValue: SQLValue {
    switch self {
    case .owner: .text("owner")
    case .contact(let id): id.sqlValue
    }
  }

  package init?(sqlValue: SQLValue) {
    if sqlValue == .text("owner") {
      self = .owner
    } else if let id = UUID(sqlValue: sqlValue) {
      self = .contact(id)
    } else {
      return nil
    }
  }
}

extension MessageID: SQLBindable, SQLReadable {
  package static var sqlKind: SQLKind { .text }
  package var sqlValue: SQLValue { .text(text) }
  package init?(sqlValue: SQLValue) {
    guard case .text(let text) = sqlValue else { return nil }
    self.init(text: text)
  }
}
