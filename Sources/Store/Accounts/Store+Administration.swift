package import Clients
import Cryptography
package import Domain
package import FoundationEssentials

/// An account as a server's administrator sees it, without its contents.
package struct AccountSummary: Equatable, Sendable {
  package var name: String
  package var email: String?
  package var createdAt: Date
  /// When one of its sessions was last used; `nil` if it has none.
  package var lastUsedAt: Date?
  package var isDisabled: Bool
}

/// The counts of what a store contains.
package struct StoreStatistics: Equatable, Sendable {
  package var accounts = 0
  package var sessions = 0
  package var checkInsToday = 0
  package var alertsOn = 0
  package var waitingDeliveries = 0
  package var files = 0
  package var fileBytes = 0
  package var requests = 0
}

extension Store {
  package func accounts() throws(ClientError) -> [AccountSummary] {
    try read {
      try database.rows(
        """
        SELECT name, sign_in_email, created_at,
          (SELECT max(last_used_at) FROM session WHERE session.account = account.key),
          disabled_at IS NOT NULL
        FROM account WHERE deleted_at IS NULL ORDER BY key
        """
      ) { row throws(StorageError) in
        AccountSummary(
          name: try row.read(), email: try row.read(), createdAt: try row.read(),
          lastUsedAt: try row.read(), isDisabled: try row.read())
      }
    }
  }

  /// Disables or enables the account with an address. Nobody can sign in to a disabled account. It
  /// stays watched, because its person may be in danger all the same.
  /// - Returns: Whether there is such an account.
  package func setDisabled(_ isDisabled: Bool, email: String) throws(ClientError) -> Bool {
    try write {
      guard let key = try key(email: email) else { return false }
      let isChanged = try database.value(
        Bool.self, "SELECT (disabled_at IS NOT NULL) <> ?2 FROM account WHERE key = ?1", key,
        isDisabled)
      try database.run(
        "UPDATE account SET disabled_at = ?2 WHERE key = ?1", key, isDisabled ? now() : nil as Date?
      )
      if isDisabled, isChanged == true {
        // Not that nobody watches: the account is watched.
        try noticeResponders(of: key, ResponderNotice.disabled)
        try touch(key)
      }
      // The ended sessions are kept, so that a device that presents one learns why it ended.
      try database.run(
        isDisabled
          ? "UPDATE session SET expires_at = ?2 WHERE account = ?1 AND expires_at > ?2"
          : "DELETE FROM session WHERE account = ?1 AND expires_at <= ?2", key, now())
      try noteChange(of: key)
      return true
    }
  }

  /// Makes a store that was restored from a backup fit for use, and notifies everyone on screen and
  /// on their own channels that what they changed since is lost.
  ///
  /// Alerts that were on stay on. One that was armed when the backup was made was raised or stopped
  /// long ago (ALT-7).
  /// - Parameter endsSessions: Whether every device is signed out, because a session that was ended
  ///   after the backup is valid again.
  /// - Returns: When the backup was made, and how many accounts there are.
  package func noteRestored(endsSessions: Bool) throws(ClientError) -> (date: Date, accounts: Int) {
    try write {
      let date = try lastDate()
      // One that is being armed now isn't from the backup.
      try database.run("DELETE FROM armed_alert WHERE fires_at < ?1", now() - .minutes(2))
      if endsSessions { try database.run("DELETE FROM session") }
      let keys = try database.rows(
        "SELECT key FROM account WHERE deleted_at IS NULL ORDER BY key"
      ) { row throws(StorageError) in try row.read(Int.self) }
      let detail = RestoreNotice.text(date, endsSessions: endsSessions)
      for key in keys {
        // An account with a damaged row is watched as far as it can be read, and ends no restore.
        do {
          let outing = try user(key).outing
          // One that has passed may have ended since the backup.
          if var passed = outing, passed.until <= now() {
            passed.graceFrom = now().stored
            try setOuting(passed, of: key)
          }
          try noticeOwner(
            key, .serverRestored(makeUUID()),
            detail + (outing.map { RestoreNotice.outing(until: $0.until) } ?? ""))
        } catch let error as StorageError {
          guard case .serialization = error else { throw error }
        }
        try touch(key)
      }
      return (date, keys.count)
    }
  }

  /// Returns the last time that the store tells of. A running monitor notes the time every ten
  /// seconds.
  private func lastDate() throws(StorageError) -> Date {
    let now = now().stored
    var last: Date?
    for (table, column) in [
      ("monitor", "last_seen"), ("check_in", "at"), ("notification", "at"),
      ("account", "created_at"),
    ] {
      let date = try database.optionalValue(
        Date.self, "SELECT max(\(column)) FROM \(table) WHERE \(column) <= ?1", now)
      if let date { last = max(last ?? date, date) }
    }
    return last ?? now
  }

  /// Makes a code with which the owner of an account can set a new password within an hour. The
  /// administrator passes it on; it isn't mailed.
  /// - Returns: The code, or `nil` if there is no such account.
  package func makeResetCode(email: String) throws(ClientError) -> String? {
    try write { try key(email: email).flatMap { key in try addResetCode(for: key) } }
  }

  private func key(email: String) throws(StorageError) -> Int? {
    try database.value(
      Int.self,
      "SELECT key FROM account WHERE sign_in_email = ?1 COLLATE NOCASE AND deleted_at IS NULL",
      email)
  }

  /// Returns the channels that may go on reaching private addresses because they were there before
  /// that was refused, with the names of their people.
  package func channelsOfBefore() throws(ClientError) -> [(person: String, address: String)] {
    try ask {
      try database.rows(
        """
        SELECT account.name, address FROM channel JOIN account ON account.key = channel.account
        WHERE may_be_private = 1 AND deleted_at IS NULL ORDER BY account.name, address
        """
      ) { row throws(StorageError) -> (String, String) in (try row.read(), try row.read()) }
    }
  }

  package func statistics() throws(ClientError) -> StoreStatistics {
    try read {
      func count(_ sql: String, _ value: Date? = nil) throws(StorageError) -> Int {
        if let value { return try database.value(Int.self, sql, value) ?? 0 }
        return try database.value(Int.self, sql) ?? 0
      }
      return StoreStatistics(
        accounts: try count("SELECT count(*) FROM account WHERE deleted_at IS NULL"),
        sessions: try count("SELECT count(*) FROM session WHERE expires_at > ?1", now()),
        checkInsToday: try count("SELECT count(*) FROM check_in WHERE at > ?1", now() - .days(1)),
        alertsOn: try count(
          "SELECT count(*) FROM alert WHERE resolved_at IS NULL AND kind IN ('manual', 'missed', 'outing')"
        ),
        waitingDeliveries: try count("SELECT count(*) FROM delivery WHERE state = 'pending'"),
        files: try count("SELECT count(*) FROM file"),
        fileBytes: try count("SELECT coalesce(sum(size), 0) FROM file"),
        requests: try count("SELECT count(*) FROM request"))
    }
  }

  /// Returns whether a monitor has checked the store within the last minute, how many are running,
  /// and which problem keeps them from delivering on which channels.
  /// - Throws: An error if the store can't be written now.
  package func readiness() throws(ClientError) -> (
    isWritable: Bool, isWatched: Bool, monitors: Int, problem: MonitorProblem?
  ) {
    _ = try write(.other) { try database.run("UPDATE account SET key = key WHERE key = -1") }
    let status: WatchStatus
    do throws(StorageError) { status = try watchStatus() } catch { throw .storage(error) }
    let problem = status.problem.flatMap { text in
      status.failingKinds.map { MonitorProblem(text, kinds: $0) }
    }
    let isWatched = status.lastSeen.map { now().timeIntervalSince($0) < 60 } ?? false
    return (true, isWatched, status.monitors, problem)
  }
}
