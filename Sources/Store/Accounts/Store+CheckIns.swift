import Clients
import Domain
import FoundationEssentials

extension Store {
  /// - Parameter start: When this program was asked to.
  func checkIn(
    _ source: CheckIn.Source, since start: ContinuousClock.Instant
  ) throws(ClientError) -> User {
    try write { try moveDeadline(of: nil, source, since: start) }
  }

  /// Takes a check-in that a device has kept (OFF-3). One of which nobody knows when it was made
  /// moves nothing.
  func deliver(
    _ source: CheckIn.Source, since start: ContinuousClock.Instant
  ) throws(ClientError) -> User {
    try write { key in
      guard !session.isRemote || session.made?.earliest(now: now()) != nil else {
        return try user(key)
      }
      return try moveDeadline(of: key, source, since: start)
    }
  }

  /// Refuses a request that weakens help and was made long ago: its person may have done the
  /// opposite since.
  func refuseLateRequest() throws(ClientError) {
    try read {
      let now = now()
      guard let made = session.made?.earliest(now: now), made < now - RequestTime.lifetime else {
        return
      }
      throw ClientError.requestTooOld
    }
  }

  /// Moves the deadline and ends a missed alert, but never one raised by hand (CHK-1, CHK-6). A
  /// clock that is behind by a few hours never moves the deadline back. If the last check-in is
  /// further in the future, the clock was wrong then, and the deadline counts from now (decision
  /// 72).
  ///
  /// One that is executed late counts from the earliest instant at which it can have been made
  /// (CHK-1): if that is before the last check-in, it changes nothing; if its new deadline has
  /// passed, a missed alert stays on, and the responders learn of it.
  /// - Parameters:
  ///   - key: The account, or `nil` for the signed-in one.
  ///   - start: When this program was asked to; `nil` for just now.
  func moveDeadline(
    of key: Int?, _ source: CheckIn.Source, since start: ContinuousClock.Instant? = nil
  ) throws -> User {
    let before = try lastCheckIn(of: key)
    let (key, user) = (before.key, before.user)
    guard !before.hasMoved else { try refuseMoved(key) }
    var moved = user
    let now = now().stored
    let late = lateSign(since: start, now: now)
    let isAhead = user.lastCheckIn > now + CheckIn.maximumClockLead
    if let late, late <= user.lastCheckIn, !isAhead { return user }
    moved.lastCheckIn = late ?? (isAhead ? now : max(now, user.lastCheckIn))
    moved.checkInSequence += 1
    moved.graceFrom = nil
    let (stamp, sequence) = (moved.lastCheckIn, moved.checkInSequence)
    if let end = user.pausedUntil, end <= stamp {
      (moved.pausedAt, moved.pausedUntil) = (nil, nil)
      try setPause(nil, of: key)
    }
    // A check-in where an account is arriving means that it is watched here from now on.
    try database.run(
      """
      UPDATE account SET last_check_in = ?2, check_in_sequence = ?3, watched_elsewhere = 0,
        \(Self.touched)
      WHERE key = ?1
      """, key, stamp, sequence)
    if before.hasCodes {
      try database.run("DELETE FROM check_in_code WHERE account = ?1", key)
    }
    // A check-in by link is never merged: those in a row are counted (CHK-8).
    if (stamp - CheckIn.repeatWindow...stamp).contains(user.lastCheckIn), source != .link,
      let last = before.source, last != .link
    {
      try database.run(
        """
        UPDATE check_in SET at = ?2, sequence = ?3, received_at = ?4 WHERE account = ?1
          AND sequence = (SELECT max(sequence) FROM check_in WHERE account = ?1)
        """, key, stamp, sequence, late.map { _ in now })
    } else {
      try insertCheckIn(
        key, at: stamp, source: source, sequence: sequence,
        margin: user.deadline.margin(at: stamp), receivedAt: late.map { _ in now })
    }
    let isOverdue = late != nil && moved.deadline.date <= now
    if before.isMissed, isOverdue {
      try passOnLateSign(of: key)
    } else if before.isMissed {
      try database.run(
        """
        UPDATE alert SET resolved_at = ?2
        WHERE account = ?1 AND kind = 'missed' AND resolved_at IS NULL
        """, key, max(now, stamp))
      try notify(key, .allClear)
      // Under duress, nobody else learns that all is well (CHK-3).
      if try !isUnderDuress(key) { try notifyResponders(of: key, .allClear) }
    }
    try noteChange(ofCircleOf: key)
    return moved
  }

  /// Returns when a sign of life that is executed late was given at the earliest; `nil` for one that
  /// isn't late.
  private func lateSign(since start: ContinuousClock.Instant? = nil, now: Date) -> Date? {
    let waited = start.map { $0.duration(to: .now) / .seconds(1) }
    let times = [session.made?.earliest(now: now), waited.map { now - $0 }]
    let made = times.compactMap(\.self).min()?.stored
    return made.flatMap { $0 < now - RequestTime.tolerance ? $0 : nil }
  }

  /// Notifies the responders, once per missed alert, that a check-in came too late to end it.
  private func passOnLateSign(of key: Int) throws {
    let alert = try database.row(
      """
      SELECT alert.id, EXISTS (
        SELECT 1 FROM delivery WHERE delivery.alert = alert.key AND stage = ?2)
      FROM alert WHERE account = ?1 AND kind = 'missed' AND resolved_at IS NULL
      """, key, Stage.lateSign
    ) { row throws(StorageError) -> (id: UUID, isKnown: Bool) in (try row.read(), try row.read()) }
    guard let alert, !alert.isKnown else { return }
    try insert(.lateSign, toRespondersOf: key, about: .alert(alert.id), "")
    // Responders with an account in this store see the silent alert instead.
    if try !isUnderDuress(key) {
      try notifyResponders(of: key, .info, detail: ResponderNotice.lateSign)
    }
    try requestAttention(for: key)
  }

  /// The state that a check-in depends on.
  private struct LastCheckIn {
    var key: Int
    var user: User
    var hasMoved, hasCodes, isMissed: Bool
    var source: CheckIn.Source?

    static let columns = """
      account.key, \(User.columns), account.moved_to IS NOT NULL,
      EXISTS (SELECT 1 FROM check_in_code WHERE check_in_code.account = account.key),
      EXISTS (SELECT 1 FROM alert
        WHERE alert.account = account.key AND kind = 'missed' AND resolved_at IS NULL),
      \(CheckIn.lastSource(of: "account.key"))
      """

    init(reading row: inout RowReader) throws(StorageError) {
      (key, user) = (try row.read(), try User(reading: &row))
      (hasMoved, hasCodes, isMissed) = (try row.read(), try row.read(), try row.read())
      source = try row.read()
    }
  }

  /// Reads it in one query, because each is a round trip to a server's database.
  private func lastCheckIn(of key: Int?) throws -> LastCheckIn {
    let found =
      if let key {
        try database.row(
          "SELECT \(LastCheckIn.columns) FROM account WHERE key = ?1", key,
          read: LastCheckIn.init(reading:))
      } else {
        try current(LastCheckIn.columns, read: LastCheckIn.init(reading:))
      }
    guard let found else { throw NoAccount() }
    return found
  }

  // MARK: Pauses

  func pause(until end: Date) throws(ClientError) -> User {
    try writeHere { key in
      let now = now().stored
      let pause = try Pause(from: now, until: end.stored)
      let isMissed =
        try database.value(
          Int.self,
          """
          SELECT 1 FROM alert
          WHERE account = ?1 AND kind = 'missed' AND resolved_at IS NULL LIMIT 1
          """, key) != nil
      guard !isMissed, now < (try user(key)).deadline.date else { throw ClientError.checkInFirst }
      try setPause(pause, of: key)
      try database.run(
        "UPDATE account SET check_in_sequence = check_in_sequence + 1 WHERE key = ?1", key)
      try touch(key)
      try noteChange(forPeersOf: key)
      return try user(key)
    }
  }

  func resume(_ source: CheckIn.Source) throws(ClientError) -> User {
    try write { key in
      let user = try user(key)
      guard user.deadline.isPaused(at: now().stored) else { throw ClientError.notPaused }
      let moved = try moveDeadline(of: key, source)
      // One that was made before the pause, or before another check-in in it, ends nothing.
      if let made = lateSign(now: now()),
        moved.checkInSequence == user.checkInSequence || made < user.pausedAt ?? .distantPast
      {
        return try self.user(key)
      }
      try setPause(nil, of: key)
      return try self.user(key)
    }
  }

  private func setPause(_ pause: Pause?, of key: Int) throws(StorageError) {
    try database.run(
      "UPDATE account SET paused_at = NULL, paused_until = NULL WHERE key = ?1", key)
    guard let pause else { return }
    try database.run(
      "UPDATE account SET paused_at = ?2, paused_until = ?3 WHERE key = ?1",
      key, pause.start, pause.end)
  }

  func insertCheckIn(
    _ account: Int, at date: Date, source: CheckIn.Source, sequence: Int, margin: TimeSpan?,
    receivedAt: Date? = nil
  ) throws(StorageError) {
    try database.run(
      """
      INSERT INTO check_in (account, sequence, id, at, source, margin, received_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """, account, sequence, makeUUID(), date, source, margin, receivedAt)
  }

  func history(_ limit: Int) throws(ClientError) -> [CheckIn] {
    try read {
      try database.rows(
        """
        SELECT \(CheckIn.columns) FROM check_in
        WHERE account = ?1 ORDER BY sequence DESC LIMIT ?2
        """, requireCurrentKey(), max(0, limit), read: CheckIn.init(reading:))
    }
  }

  func history(since start: Date) throws(ClientError) -> [CheckIn] {
    try read {
      try database.rows(
        """
        SELECT \(CheckIn.columns) FROM check_in
        WHERE account = ?1 AND at >= ?2 ORDER BY at DESC, sequence DESC
        """, requireCurrentKey(), start, read: CheckIn.init(reading:))
    }
  }

  /// Sums up the last year's check-ins. All but the closest call are read from an index alone.
  func record(_ calendar: CivilCalendar) throws(ClientError) -> CheckInRecord {
    try read { key in
      var tally = CheckInRecord.Tally(calendar: calendar)
      var closest: Int?
      try database.visit(
        """
        SELECT at, margin, sequence FROM check_in
        WHERE account = ?1 AND at >= ?2 ORDER BY at DESC
        """, key, now() - CheckInRecord.length
      ) { row throws(StorageError) in
        let (date, margin, sequence): (Date, TimeSpan?, Int) =
          (try row.read(), try row.read(), try row.read())
        if tally.add(date, margin: margin) { closest = sequence }
        return true
      }
      let closestCall = try closest.flatMap { sequence in
        try database.row(
          "SELECT \(CheckIn.columns) FROM check_in WHERE account = ?1 AND sequence = ?2", key,
          sequence, read: CheckIn.init(reading:))
      }
      return tally.record(closestCall: closestCall)
    }
  }

  func updateInterval(_ interval: CheckInInterval) throws(ClientError) -> User {
    try writeHere { key in
      let before = try user(key)
      let reminders = before.reminders.filter { $0 < interval.span }
      try database.run(
        """
        UPDATE account SET interval = ?2, reminders = ?3,
          check_in_sequence = check_in_sequence + 1
        WHERE key = ?1
        """,
        key, interval, reminders.json)
      if interval.span > before.interval.span {
        try noticeResponders(
          of: key, ResponderNotice.interval(interval, insteadOf: before.interval))
      }
      try touch(key)
      try noteChange(forPeersOf: key)
      return try user(key)
    }
  }
}
