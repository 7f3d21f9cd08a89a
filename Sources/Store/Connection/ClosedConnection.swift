import Clients

/// A stand-in for a connection that could not be opened yet.
final class ClosedConnection: SQLConnection {
  private let error: StorageError

  init(_ error: StorageError) { self.error = error }

  let dialect = SQLDialect.sqlite
  let totalChanges = 0
  let hasFailed = true
  let hasMoved = false
  var hasFoundDamage = false

  func execute(_ sql: String, _ values: [any SQLBindable]) throws(StorageError) -> Int {
    throw error
  }

  func query(
    _ sql: String, _ values: [any SQLBindable],
    _ body: (any SQLCursor) throws(StorageError) -> Bool
  ) throws(StorageError) {
    throw error
  }

  func transaction<Value>(_ kind: TransactionKind, _ body: () throws -> Value) throws -> Value {
    throw error
  }

  func othersVersion() throws(StorageError) -> Int? { nil }
}
