package import Clients

/// A connection to an engine that speaks SQL, as the rules of a store use it.
///
/// Statements are written as SQLite takes them, with `?1`, `?2` … for their values; an engine that speaks another
/// dialect translates them where it prepares them. A connection belongs to one ``Lane``, and never runs on
/// two threads at once.
package protocol SQLConnection: AnyObject {
  var dialect: SQLDialect { get }

  /// Runs a statement to its end.
  /// - Returns: How many rows it changed.
  func execute(_ sql: String, _ values: [any SQLBindable]) throws(StorageError) -> Int
  /// Runs a statement whose result nobody reads. An engine that is far away may send it together with the next
  /// ones, up to the end of the transaction; its error is thrown there then.
  func queue(_ sql: String, _ values: [any SQLBindable]) throws(StorageError)
  /// Looks at the rows of a query one after the other, as long as the body wants to see more.
  func query(
    _ sql: String, _ values: [any SQLBindable],
    _ body: (any SQLCursor) throws(StorageError) -> Bool
  ) throws(StorageError)
  /// Runs the body in a transaction. What it writes is all kept, and on disk when this returns, or
  /// nothing of it.
  func transaction<Value>(_ kind: TransactionKind, _ body: () throws -> Value) throws -> Value

  /// How many rows all statements have changed since the connection was opened.
  var totalChanges: Int { get }
  /// Differs after another connection has committed a write.
  func othersVersion() throws(StorageError) -> Int?
  /// Whether reading or writing has failed in a way after which only a new connection is to be believed.
  var hasFailed: Bool { get }
  /// Whether what was opened is not where it was any more.
  var hasMoved: Bool { get }
  /// Whether the engine has met something in the store that contradicts something else since this was
  /// last set to `false`.
  var hasFoundDamage: Bool { get set }
}

/// What engines say in other words and nobody can translate.
package struct SQLDialect {
  /// Ends the query of a line from which others take, too: locks what it finds, and steps over what
  /// others have locked. SQLite has one who writes at a time.
  package let skippingLocked: String
  /// Says up to where changes have been seen: a text for ``hasChanged``.
  package let lastChange: String
  /// Whether something of the account `?1` may have changed since `?2`.
  package let hasChanged: String
  /// The accounts of which something may have changed since `?1`.
  package let changedAccounts: String
  /// Whether changes since `?1` are not kept any more.
  package let areChangesForgotten: String
  /// Answers what only those know who read this store, where several programs answer for it; `nil` where
  /// one does.
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
    // A number that is yet to come is of another file.
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

/// The row of a query that is being looked at. Its columns are counted from 0.
package protocol SQLCursor: AnyObject {
  /// The value of a column; `nil` for one that no store has.
  func column(_ index: Int32) -> SQLValue?
  func isNull(_ index: Int32) -> Bool
  /// A whole number; `nil` for a value of another kind.
  func integer(_ index: Int32) -> Int?
  /// The bytes of a text, which last until the next row; `nil` for a value of another kind.
  func text(_ index: Int32) -> UnsafeBufferPointer<UInt8>?
  func columnName(_ index: Int32) -> String
}

extension SQLConnection {
  package func queue(_ sql: String, _ values: [any SQLBindable]) throws(StorageError) {
    _ = try execute(sql, values)
  }

  /// Runs a statement; what went wrong with it is thrown at the latest at the end of the transaction.
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

  /// All rows of a query.
  package func rows<Value>(
    _ sql: String, _ values: any SQLBindable...,
    read: (inout RowReader) throws(StorageError) -> Value
  ) throws(StorageError) -> [Value] {
    try rows(sql, values: values, read: read)
  }

  /// All rows of a query whose values are made at run time.
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

  /// Looks at the rows of a query one after the other, as long as the body wants to see more.
  package func visit(
    _ sql: String, _ values: any SQLBindable...,
    body: (inout RowReader) throws(StorageError) -> Bool
  ) throws(StorageError) {
    try visit(sql, values: values, body: body)
  }

  /// Looks at the rows of a query whose values are made at run time.
  package func visit(
    _ sql: String, values: [any SQLBindable],
    body: (inout RowReader) throws(StorageError) -> Bool
  ) throws(StorageError) {
    try query(sql, values) { cursor throws(StorageError) in
      var row = RowReader(cursor)
      return try body(&row)
    }
  }

  /// The first row of a query, or `nil`.
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

  /// The first column of all rows of a query.
  package func column<Value: SQLReadable>(
    _ type: Value.Type, _ sql: String, _ values: any SQLBindable...
  ) throws(StorageError) -> [Value] {
    try rows(sql, values: values) { row throws(StorageError) in try row.read() }
  }

  /// The first column of the first row of a query.
  package func value<Value: SQLReadable>(
    _ type: Value.Type, _ sql: String, _ values: any SQLBindable...
  ) throws(StorageError) -> Value? {
    try value(sql, values)
  }

  /// The first column of the first row of a query, which may be null; `nil` then, and without a row.
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

  /// All rows of a query by their first column, a key, in the query's order; without those of which
  /// nothing is read.
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
