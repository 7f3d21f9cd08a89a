/// What a transaction asks of the engine. SQLite lets one write at a time, and gives each of them more.
package enum TransactionKind {
  /// Sees one state of the store.
  case read
  /// As if nobody else wrote in the meantime: the rules count on what they have read. An engine that lets
  /// several write at once runs the body again where that could not be kept.
  case serializable
  /// Takes rows from a line in which others stand, too: those that somebody is taking just now are
  /// stepped over, and nobody waits for anybody.
  case queue
}
