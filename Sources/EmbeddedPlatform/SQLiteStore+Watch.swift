import Clients
import Domain
import FoundationEssentials

extension SQLiteStore {
  func watchStatus() throws(StorageError) -> WatchStatus {
    try read(StorageError.self) { try readWatchStatus(at: now()) }
  }

  private func readWatchStatus(at now: Date) throws(StorageError) -> WatchStatus {
    let monitors = try database.rows(
      "SELECT last_seen, leased_until, problem FROM monitor ORDER BY last_seen DESC"
    ) { row throws(StorageError) -> (lastSeen: Date, leasedUntil: Date, problem: String?) in
      (try row.read(), try row.read(), try row.read())
    }
    let alive = monitors.filter { $0.leasedUntil > now }
    observers.leaseEnd = alive.map(\.leasedUntil).min()
    var problem = alive.lazy.compactMap(\.problem).first
    if problem == nil { problem = try fault() }
    return WatchStatus(
      monitors: alive.count, lastSeen: monitors.first?.lastSeen, problem: problem)
  }

  /// What keeps an account from being watched at all (ESC-6).
  private func fault() throws(StorageError) -> String? {
    try database.value(
      String.self,
      """
      SELECT CASE (SELECT is_local FROM account WHERE fault IS NOT NULL ORDER BY is_local DESC)
        WHEN 1 THEN 'Your account cannot be watched: '
        ELSE 'An account of this store cannot be watched: ' END || fault || '.'
      FROM account WHERE fault IS NOT NULL ORDER BY is_local DESC LIMIT 1
      """)
  }

  /// - Returns: How many other monitors are alive.
  func heartbeat(
    _ monitor: UUID, now: Date, lease: TimeSpan, problem: String?
  ) throws(StorageError) -> Int {
    try write(StorageError.self, .other) {
      try database.run(
        """
        INSERT INTO monitor (id, last_seen, leased_until, problem) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (id) DO UPDATE SET last_seen = ?2, leased_until = ?3, problem = ?4
        """, monitor, now, now + lease, problem)
      try database.run("DELETE FROM monitor WHERE leased_until <= ?1 AND id <> ?2", now, monitor)
      try expirePings(at: now)
      return try database.value(Int.self, "SELECT count(*) FROM monitor WHERE id <> ?1", monitor)
        ?? 0
    }
  }

  /// Ends the lease; when the monitor was last seen stays known.
  func resign(_ monitor: UUID) throws(StorageError) {
    try write(StorageError.self, .other) {
      try database.run(
        "UPDATE monitor SET leased_until = 0, problem = NULL WHERE id = ?1", monitor)
      return ()
    }
  }
}
