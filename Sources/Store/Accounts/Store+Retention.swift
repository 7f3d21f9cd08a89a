package import Clients
import Domain
import FoundationEssentials

/// What a store forgets by itself: a dump from years ago must not hold who was in danger, and where.
extension Store {
  /// How long check-ins, alerts that are over, and messages are kept. The app shows a year.
  private static let historyLifetime = TimeSpan.days(400)
  /// How long the key of a check-in or an alert is kept. One that is received again later than that
  /// changes nothing by itself: the last check-in is never moved back, and an alert has an identity.
  private static let keyLifetime = TimeSpan.days(90)
  /// The largest number of rows of a kind that are deleted in one transaction.
  private static let batch = 1_000

  /// Deletes what is too old, up to a limit, so that nobody waits for it.
  /// - Returns: Whether there may be more.
  package func pruneHistory() throws(ClientError) -> Bool {
    let limit = now() - Self.historyLifetime
    return try write(.other, isNoted: false) {
      // The last check-in of an account says how it was made.
      let checkIns = try database.rowsChanged(
        by: """
          DELETE FROM check_in WHERE (account, sequence) IN (
            SELECT check_in.account, check_in.sequence
            FROM check_in
            WHERE check_in.at < ?1 AND check_in.sequence < (
              SELECT max(sequence) FROM check_in AS last WHERE last.account = check_in.account)
            LIMIT ?2)
          """, limit, Self.batch)
      // With its messages and responses. A missed deadline raises no second alert.
      let alerts = try database.rowsChanged(
        by: """
          DELETE FROM alert WHERE key IN (
            SELECT alert.key FROM alert JOIN account ON account.key = alert.account
            WHERE settled = 1 AND resolved_at < ?1
              AND (sequence IS NULL OR sequence < account.check_in_sequence) LIMIT ?2)
          """, limit, Self.batch / 10)
      // What was sent about the current deadline, and that somebody is a contact, isn't sent again.
      let deliveries = try database.rowsChanged(
        by: """
          DELETE FROM delivery WHERE key IN (
            SELECT delivery.key FROM delivery JOIN account ON account.key = delivery.account
            WHERE alert IS NULL AND finished_at < ?1 AND stage <> 'contact_added'
              AND delivery.sequence <> account.check_in_sequence LIMIT ?2)
          """, limit, Self.batch)
      let keys = try database.rowsChanged(
        by: """
          DELETE FROM request WHERE (account, id) IN (
            SELECT account, id FROM request WHERE lasts = 1 AND at < ?1 LIMIT ?2)
          """, now() - Self.keyLifetime, Self.batch)
      return [checkIns, deliveries, keys].contains(Self.batch) || alerts == Self.batch / 10
    }
  }
}
