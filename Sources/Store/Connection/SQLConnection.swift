package import Clients

/// A connection to an SQL engine, as the rules of a store use it.
///
/// Statements are written for SQLite, with `?1`, `?2` … for their values; an engine with another
/// dialect translates them when it prepares them. A connection belongs to one ``Lane``, and never
/// runs on two threads at once.
package protocol SQLConnection: AnyObject {
  var dialect: SQLDialect { get }

  /// Runs a statement to its end.
  /// - Returns: How many rows it changed.
  func execute(_ sql: String, _ values: [any SQLBindable]) throws(StorageError) -> Int
  /// Runs a statement whose result isn't read. A remote engine can send it together with the next
  /// ones, up to the end of the transaction, and then throws its error there.
  func queue(_ sql: String, _ values: [any SQLBindable]) throws(StorageError)
  /// Visits the rows of a query one by one, until the body returns `false`.
  func query(
    _ sql: String, _ values: [any SQLBindable],
    _ body: (any SQLCursor) throws(StorageError) -> Bool
  ) throws(StorageError)
  /// Runs the body in a transaction. Either all of its writes are kept, and on disk when this
  /// returns, or none of them.
  func transaction<Value>(_ kind: TransactionKind, _ body: () throws -> Value) throws -> Value

  /// How many rows all statements have changed since the connection was opened.
  var totalChanges: Int { get }
  /// Returns a number that changes when another connection commits a write.
  func othersVersion() throws(StorageError) -> Int?
  /// Whether reading or writing has failed in such a way that only a new connection can be trusted.
  var hasFailed: Bool { get }
  /// Whether the store that was opened isn't where it was any more.
  var hasMoved: Bool { get }
  /// Whether the engine has found a contradiction in the store since this was last set to `false`.
  var hasFoundDamage: Bool { get set }
}

/// The SQL that differs between engines and can't be translated.
package struct SQLDialect {
  /// The end of a query that takes rows from a queue shared with others: it locks the rows that it
  /// finds, and skips those that others have locked. Empty for SQLite, which has one writer at a
  /// time.
  package let skippingLocked: String
  /// A query for the position of the last change: a text for ``hasChanged``.
  package let lastChange: String
  /// A query for whether something of the account `?1` may have changed since `?2`.
  package let hasChanged: String
  /// A query for the accounts of which something may have changed since `?1`.
  package let changedAccounts: String
  /// A query for whether changes since `?1` are no longer kept.
  package let areChangesForgotten: String
  /// A query for a secret that everyone who reads this store knows, where several programs answer
  /// for it; `nil` where only one does.
  package let secret: String?

  package init(
    skippingLocked: String, lastChange: String, hasChanged: String, changedAccounts: String,
    areChangesForgotten: String, secret: String? = nil
  ) {
    self.skippingLocked = skippingLocked
    self.lastChange = lastChange
    self.hasChanged = hasChanged
    self.changedAccounts = changedAccounts
    self.areChangesForgotten = areChangesForgotten
    self.secret = secret
  }

  package static let sqlite = SQLDialect(
    skippingLocked: "",
    lastChange: "SELECT CAST(coalesce((SELECT max(number) FROM change), 0) AS TEXT)",
    // A number that is yet to come belongs to another file.
    hasChanged:
      """
      SELECT coalesce((SELECT max(number) FROM change WHERE account = ?1), 0) > CAST(?2 AS INTEGER)
        OR coalesce((SELECT min(number) FROM change), 0) > CAST(?2 AS INTEGER) + 1
        OR coalesce((SELECT max(number) FROM change), 0) < CAST(?2 AS INTEGER)
      """,
    changedAccounts: "SELECT DISTINCT account FROM change WHERE number > CAST(?1 AS INTEGER)",
    areChangesForgotten:
      "SELECT coalesce((SELECT min(number) FROM change), 0) > CAST(?1 AS INTEGER) + 1")
}

/// The current row of a query. Its columns are counted from 0.
package protocol SQLCursor: AnyObject {
  /// Returns the value of a column; `nil` for one that a store can't contain.
  func column(_ index: Int32) -> SQLValue?
  func isNull(_ index: Int32) -> Bool
  /// Returns a whole number; `nil` for a value of another kind.
  func integer(_ index: Int32) -> Int?
  /// Returns the bytes of a text, valid until the next row; `nil` for a value of another kind.
  func text(_ index: Int32) -> UnsafeBufferPointer<UInt8>?
  func columnName(_ index: Int32) -> String
}

extension SQLConnection {
  package func queue(_ sql: String, _ values: [any SQLBindable]) throws(StorageError) {
    _ = try execute(sql, values)
  }

  /// Runs a statement. Its error is thrown at the end of the transaction at the latest.
  package func run(_ sql: String, _ values: any SQLBindable...) throws(StorageError) {
    try queue(sql, values)
  }

  /// Runs a statement to its end.
  /// - Returns: How many rows it changed.
  package func rowsChanged(
    by sql: String, _ values: any SQLBindable...
  ) throws(StorageError) -> Int {
    try execute(sql, values)
  }

  /// Returns all rows of a query.
  package func rows<Value>(
    _ sql: String, _ values: any SQLBindable...,
    read: (inout RowReader) throws(StorageError) -> Value
  ) throws(StorageError) -> [Value] {
    try rows(sql, values: values, read: read)
  }

  /// Returns all rows of a query whose values are known only at run time.
  package func rows<Value>(
    _ sql: String, values: [any SQLBindable],
    read: (inout RowReader) throws(StorageError) -> Value
  ) throws(StorageError) -> [Value] {
    var rows: [Value] = []
    try visit(sql, values: values) { row throws(StorageError) in
      rows.append(try read(&row))
      return true
    }
    return rows
  }

  /// Visits the rows of a query one by one, until the body returns `false`.
  package func visit(
    _ sql: String, _ values: any SQLBindable...,
    body: (inout RowReader) throws(StorageError) -> Bool
  ) throws(StorageError) {
    try visit(sql, values: values, body: body)
  }

  /// Visits the rows of a query whose values are known only at run time.
  package func visit(
    _ sql: String, values: [any SQLBindable],
    body: (inout RowReader) throws(StorageError) -> Bool
  ) throws(StorageError) {
    try query(sql, values) { cursor throws(StorageError) in
      var row = RowReader(cursor)
      return try body(&row)
    }
  }

  /// Returns the first row of a query, or `nil`.
  package func row<Value>(
    _ sql: String, _ values: any SQLBindable...,
    read: (inout RowReader) throws(StorageError) -> Value
  ) throws(StorageError) -> Value? {
    var found: Value?
    try visit(sql, values: values) { row throws(StorageError) in
      found = try read(&row)
      return false
    }
    return found
  }

  /// Returns the first column of all rows of a query.
  package func column<Value: SQLReadable>(
    _ type: Value.Type, _ sql: String, _ values: any SQLBindable...
  ) throws(StorageError) -> [Value] {
    try rows(sql, values: values) { row throws(StorageError) in try row.read() }
  }

  /// Returns the first column of the first row of a query, or `nil` without a row.
  package func value<Value: SQLReadable>(
    _ type: Value.Type, _ sql: String, _ values: any SQLBindable...
  ) throws(StorageError) -> Value? {
    try value(sql, values)
  }

  /// Returns the first column of the first row of a query; `nil` if it is null or there is no row.
  package func optionalValue<Value: SQLReadable>(
    _ type: Value.Type, _ sql: String, _ values: any SQLBindable...
  ) throws(StorageError) -> Value? {
    let found: Value?? = try value(sql, values)
    return found ?? nil
  }

  private func value<Value: SQLReadable>(
    _ sql: String, _ values: [any SQLBindable]
  ) throws(StorageError) -> Value? {
    var found: Value?
    try visit(sql, values: values) { row throws(StorageError) in
      found = try row.read()
      return false
    }
    return found
  }

  /// Returns all rows of a query grouped by their first column, a key, in the query's order. Rows
  /// for which `read` returns `nil` are left out.
  package func grouped<Value>(
    _ sql: String, _ list: String, read: (inout RowReader) throws(StorageError) -> Value?
  ) throws(StorageError) -> [Int: [Value]] {
    var groups: [Int: [Value]] = [:]
    try visit(sql, list) { row throws(StorageError) in
      let key: Int = try row.read()
      if let value = try read(&row) { groups[key, default: []].append(value) }
      return true
    }
    return groups
  }
}
