package import Clients
import Domain
import FoundationEssentials

extension Store {
  func watchStatus() throws(StorageError) -> WatchStatus {
    try read(StorageError.self) { try readWatchStatus(at: now()) }
  }

  /// Returns the status without the text of a problem, which may name servers and people.
  func watchReadiness() throws(StorageError) -> WatchStatus {
    let status = try watchStatus()
    let kinds = status.failingKinds.map { kinds in kinds.map(\.rawValue).sorted().joinedAsList }
    return WatchStatus(
      monitors: status.monitors, problem: kinds.map { "nothing can be sent by \($0)" },
      failingKinds: status.failingKinds, clock: status.clock)
  }

  private func readWatchStatus(at now: Date) throws(StorageError) -> WatchStatus {
    let monitors = try database.rows(
      "SELECT last_seen, leased_until, problem, kinds FROM monitor ORDER BY last_seen DESC"
    ) { row throws(StorageError) -> MonitorRow in
      MonitorRow(
        lastSeen: try row.read(), leasedUntil: try row.read(), problem: try row.read(),
        kinds: try row.read())
    }
    let alive = monitors.filter { $0.leasedUntil > now }
    lane.observers.leaseEnd = alive.map(\.leasedUntil).min()
    // A fault in the store concerns every channel.
    var fault = try lane.place.isUnwatched ? Self.damage : fault()
    if fault == nil { fault = try watchedElsewhere() }
    var standby: StandbyStatus?
    if let key = try currentKey() { standby = try standbyStatus(of: key) }
    return WatchStatus(
      monitors: alive.count, lastSeen: monitors.first?.lastSeen,
      problems: alive.compactMap(\.monitorProblem), fault: fault, clock: lane.storeClock.warning,
      standby: standby)
  }

  private static let damage =
    "The store is damaged, and nobody is being watched: run lifesignal doctor."

  /// Returns why the caller's account isn't watched here: because it is moving, or has moved.
  private func watchedElsewhere() throws(StorageError) -> String? {
    guard let key = try currentKey() else { return nil }
    return try database.row(
      "SELECT moved_to FROM account WHERE key = ?1 AND watched_elsewhere = 1", key
    ) { row throws(StorageError) in
      let server: String? = try row.read()
      return server.map { ClientError.accountMoved(to: $0).text.description }
        ?? "Your account isn't watched here yet: the computer that it comes from still watches it."
        + " Finish moving it there, or check in here."
    }
  }

  /// Returns what keeps an account from being watched at all (ESC-6).
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

  /// Extends a monitor's lease, and the watch.
  /// - Returns: How many other monitors are alive.
  func heartbeat(
    _ monitor: UUID, now: () -> Date, lease: TimeSpan, problem: MonitorProblem?
  ) throws(StorageError) -> Int {
    let (others, now, hasExpired) = try write(StorageError.self, .other) {
      let now = now()
      // Read in the transaction that writes, so that it includes all that this monitor, or one that
      // is gone, wrote by an old clock.
      let latest = try database.optionalValue(
        Date.self, "SELECT max(last_seen) FROM monitor WHERE id = ?1 OR leased_until <= ?2",
        monitor, now)
      try database.run(
        """
        INSERT INTO monitor (id, last_seen, leased_until, problem, kinds)
        VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT (id) DO UPDATE
        SET last_seen = ?2, leased_until = ?3, problem = ?4, kinds = ?5
        """, monitor, now, now + lease, problem?.text,
        problem?.kinds.map(\.rawValue).sorted().joined(separator: " "))
      let isWatched = try extendWatch(to: now)
      if isWatched, let latest, latest > now + WatchStatus.longestGap {
        try replanEverything(at: now)
      }
      try database.run("DELETE FROM monitor WHERE leased_until <= ?1 AND id <> ?2", now, monitor)
      try pruneChanges()
      let others = try database.value(
        Int.self, "SELECT count(*) FROM monitor WHERE id <> ?1", monitor)
      return (others ?? 0, now, (try? hasExpiredPings(at: now)) ?? true)
    }
    // A faulty ping must not stop the watch (ESC-6). On screen it has expired anyway, and the next
    // heartbeat tries again.
    if hasExpired { try? write(StorageError.self, .other) { try expirePings(at: now) } }
    return others
  }

  /// Returns how much a monitor has to do.
  package func watchLoad() throws(StorageError) -> WatchLoad {
    try read(StorageError.self) {
      WatchLoad(
        accounts: try database.value(
          Int.self, "SELECT count(*) FROM account WHERE deleted_at IS NULL") ?? 0,
        pendingMessages: try database.value(
          Int.self,
          """
          SELECT count(*) FROM delivery LEFT JOIN alert ON alert.key = delivery.alert
          WHERE state = 'pending' AND coalesce(alert.kind, 'drill') = 'drill'
          """) ?? 0,
        pendingCalls: try database.value(
          Int.self,
          """
          SELECT (SELECT count(*) FROM delivery LEFT JOIN alert ON alert.key = delivery.alert
            WHERE state = 'pending' AND coalesce(alert.kind, '') NOT IN ('drill', 'duress')
              AND (\(Self.neverHeldBack)))
            + (SELECT count(*) FROM armed_alert WHERE stopped_at IS NULL)
          """) ?? 0)
    }
  }

  // MARK: Gaps

  /// Returns since when monitors have watched without a gap (ESC-4).
  func watchedSince() throws(StorageError) -> Date? {
    try database.value(Date.self, "SELECT since FROM watch")
  }

  /// Extends the watch to now, or starts it from scratch after a gap.
  /// - Returns: Whether there was no gap since the last heartbeat.
  private func extendWatch(to now: Date) throws(StorageError) -> Bool {
    let lastSeen = try database.value(Date.self, "SELECT last_seen FROM watch")
    if let lastSeen, abs(now.timeIntervalSince(lastSeen)) <= Double(WatchStatus.longestGap.seconds)
    {
      try database.run("UPDATE watch SET last_seen = max(last_seen, ?1)", now)
      return true
    }
    try database.run(
      """
      INSERT INTO watch (key, since, last_seen) VALUES (1, ?1, ?1)
      ON CONFLICT (key) DO UPDATE SET since = ?1, last_seen = ?1
      """, now)
    try replanEverything(at: now)
    return false
  }

  /// Makes monitors check everything again after a time without one, or after the clock was set:
  /// what was far away on the old clock may be due now, or might never come (ESC-5). Accounts with
  /// a recent write stay ahead of the others. Introductions that were put off stay so.
  private func replanEverything(at now: Date) throws(StorageError) {
    try database.run("UPDATE watch SET swept = 0")
    try sweepOn(at: now)
    let soon = now + WatchStatus.longestGap
    try database.run(
      """
      UPDATE delivery SET not_before = ?1, leased_until = min(leased_until, ?1)
      WHERE state = 'pending' AND not_before > ?1
        AND NOT (stage = ?2 AND attempts = 0)
      """, soon, Stage.contactAdded)
    try database.run("UPDATE monitor SET leased_until = ?1 WHERE leased_until > ?1", soon)
    try tidyRoutes()
  }

  /// The number of accounts that are marked at once: a million in one transaction would make a
  /// person who checks in wait for seconds.
  static let sweep = 2_000

  /// Makes the next accounts due that weren't checked since the gap.
  /// - Returns: Whether there were any left.
  func sweep(at now: Date) throws(StorageError) -> Bool {
    guard try swept() != nil else { return false }
    return try write(StorageError.self, .other) { try sweepOn(at: now) }
  }

  @discardableResult
  private func sweepOn(at now: Date) throws(StorageError) -> Bool {
    guard let swept = try swept() else { return false }
    let keys = try database.column(
      Int.self, "SELECT key FROM account WHERE key > ?1 ORDER BY key LIMIT ?2", swept, Self.sweep)
    try database.run(
      "UPDATE watch SET swept = ?1", keys.count == Self.sweep ? keys.last : nil)
    guard let last = keys.last else { return false }
    try database.run(
      "UPDATE account SET attention_at = ?3 WHERE key > ?1 AND key <= ?2 AND attention_at > ?3",
      swept, last, now)
    return true
  }

  private func swept() throws(StorageError) -> Int? {
    try database.optionalValue(Int.self, "SELECT swept FROM watch")
  }

  // MARK: Resigning

  /// Ends the lease, and keeps the time when the monitor was last seen.
  func resign(_ monitor: UUID) throws(StorageError) {
    try write(StorageError.self, .other) {
      try database.run(
        "UPDATE monitor SET leased_until = 0, problem = NULL WHERE id = ?1", monitor)
      return ()
    }
  }
}

/// A monitor's last heartbeat.
private struct MonitorRow {
  var lastSeen: Date
  var leasedUntil: Date
  var problem: String?
  var kinds: String?

  var monitorProblem: MonitorProblem? {
    problem.map { text in
      let kinds = kinds?.split(separator: " ").compactMap { Channel.Kind(rawValue: String($0)) }
      return MonitorProblem(text, kinds: Set(kinds ?? Channel.Kind.allCases))
    }
  }
}
