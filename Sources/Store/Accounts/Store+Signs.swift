import Clients
import Domain
import FoundationEssentials

/// Signs of life (CHK-10), and the budget that they share with links (CHK-8).
extension Store {
  func allowSigns(_ isAllowed: Bool) throws(ClientError) -> User {
    try writeHere { key in
      guard try !isAllowed || !user(key).locks.contains(.gate) else {
        throw ClientError.signsWithGate
      }
      try database.run("UPDATE account SET takes_signs = ?2 WHERE key = ?1", key, isAllowed)
      try touch(key)
      return try user(key)
    }
  }

  /// Checks in if a sign of life counts now, and otherwise does nothing.
  /// - Parameter start: When this program was asked to.
  func sign(since start: ContinuousClock.Instant) throws(ClientError) {
    try writeHere { key in
      let now = now().stored
      let sign = SignOfLife(
        of: try user(key), lastTrueCheckIn: try untrueCheckIns(of: key).since,
        isAlertShown: try isAlertShown(of: key) || unstoppedAlert(of: key) != nil)
      // One that waited on its way says nothing of now.
      guard sign.refusal(at: now) == nil, lateSign(since: start, now: now) == nil else { return }
      _ = try moveDeadline(of: key, .automatic)
    }
  }

  /// The check-ins since the last true one.
  struct UntrueCheckIns {
    /// When the last true check-in was; `nil` if there is none.
    var since: Date?
    /// How many links have checked in since, the early ones aside.
    var links: Int
    var hasSign: Bool
  }

  func untrueCheckIns(of key: Int) throws(StorageError) -> UntrueCheckIns {
    let last = try database.row(
      """
      SELECT sequence, at FROM check_in
      WHERE account = ?1 AND source NOT IN ('automatic', 'link') ORDER BY sequence DESC LIMIT 1
      """, key
    ) { row throws(StorageError) -> (sequence: Int, date: Date) in
      (try row.read(), try row.read())
    }
    let found = try database.row(
      """
      SELECT count(iif(source = 'link' AND is_early = 0, 1, NULL)),
        count(iif(source = 'automatic', 1, NULL)) > 0
      FROM check_in WHERE account = ?1 AND sequence > ?2
      """, key, last?.sequence ?? -1
    ) { row throws(StorageError) -> (Int, Bool) in (try row.read(), try row.read()) }
    return UntrueCheckIns(since: last?.date, links: found?.0 ?? 0, hasSign: found?.1 ?? false)
  }

  /// Returns whether a link can't check in now: the last check-ins were all by links, up to the limit,
  /// or would carry the deadline beyond what signs of life can, of which there was one.
  func isLinkBudgetSpent(_ user: User, _ key: Int) throws(StorageError) -> Bool {
    let untrue = try untrueCheckIns(of: key)
    if untrue.links >= LinkCheckIn.limit { return true }
    guard untrue.hasSign, !user.deadline.isEarly(at: now()) else { return false }
    let sign = SignOfLife(of: user, lastTrueCheckIn: untrue.since, isAlertShown: false)
    return !sign.isWithinLimit(at: now().stored)
  }
}
