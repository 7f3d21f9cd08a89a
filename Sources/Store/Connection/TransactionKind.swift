/// The isolation that a transaction needs. SQLite has one writer at a time, so it gives each kind
/// more than it asks for.
package enum TransactionKind {
  /// Sees one state of the store.
  case read
  /// Runs as if nobody else wrote in the meantime: the rules rely on what they have read. An engine
  /// with several writers runs the body again if it couldn't keep that.
  case serializable
  /// Takes rows from a queue that others take from, too. Rows that another transaction is taking
  /// are skipped, and nobody waits.
  case queue
}
