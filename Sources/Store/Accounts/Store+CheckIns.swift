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
  ///   - sendsNews: Whether responders who chose it get a message (NOT-4).
  func moveDeadline(
    of key: Int?, _ source: CheckIn.Source, since start: ContinuousClock.Instant? = nil,
    sendsNews: Bool = true
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
    let stamp = moved.lastCheckIn
    // An early one moves no deadline, and so begins no sequence (SCH-2). One that ends an alert, or
    // comes after a clock had brought the deadline too soon, begins one: what was sent then must be
    // sent again when the deadline really passes.
    let isEarly = user.schedule.map { stamp < $0.opens } ?? false
    let isOverdue = late != nil && user.schedule.map { $0.next <= now } ?? false
    let isNew = !isEarly || (!isOverdue && (before.isMissed || user.graceFrom != nil))
    // Early ones have used numbers beyond the account's sequence.
    let sequence = max(user.checkInSequence, before.lastNumber ?? 0) + 1
    if isNew {
      moved.checkInSequence = sequence
      moved.graceFrom = nil
    }
    if let end = user.pausedUntil, end <= stamp {
      (moved.pausedAt, moved.pausedUntil) = (nil, nil)
      try setPause(nil, of: key)
    }
    if user.schedule != nil {
      moved.schedule?.isEarly = isEarly
      if !isEarly { moved.schedule?.moveOn(lastCheckIn: stamp, pausedUntil: moved.pausedUntil) }
      try store(moved.schedule, of: key)
    }
    // A check-in where an account is arriving means that it is watched here from now on.
    try database.run(
      """
      UPDATE account SET last_check_in = ?2, check_in_sequence = ?3, watched_elsewhere = 0,
        \(Self.touched)
      WHERE key = ?1
      """, key, stamp, moved.checkInSequence)
    if before.hasCodes, !isEarly {
      try database.run("DELETE FROM check_in_code WHERE account = ?1", key)
    }
    var hasRow = false
    // Only true check-ins are merged: the others in a row have a budget (CHK-8, CHK-10).
    if (stamp - CheckIn.repeatWindow...stamp).contains(user.lastCheckIn), source.isTrue,
      before.source?.isTrue == true, isEarly || !before.wasEarly
    {
      try database.run(
        """
        UPDATE check_in SET at = ?2, sequence = iif(?5 = 1, sequence, ?3), received_at = ?4
        WHERE account = ?1
          AND sequence = (SELECT max(sequence) FROM check_in WHERE account = ?1)
        """, key, stamp, sequence, late.map { _ in now }, isEarly)
    } else {
      try insertCheckIn(
        key, at: stamp, source: source, sequence: sequence,
        margin: user.deadline.margin(at: stamp), receivedAt: late.map { _ in now },
        isEarly: isEarly)
      hasRow = true
    }
    let isStillOverdue = late != nil && moved.deadline.date <= now
    if before.isMissed, isStillOverdue {
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
    } else if before.hasNews, sendsNews, hasRow, late == nil {
      try sendNews(of: source, key)
    }
    try noteChange(ofCircleOf: key)
    return moved
  }

  /// Returns when a sign of life that is executed late was given at the earliest; `nil` for one that
  /// isn't late.
  func lateSign(since start: ContinuousClock.Instant? = nil, now: Date) -> Date? {
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
    var wasEarly: Bool
    var lastNumber: Int?
    /// Whether a responder gets a message at each check-in (NOT-4).
    var hasNews: Bool

    static let columns = """
      account.key, \(User.columns), account.moved_to IS NOT NULL,
      EXISTS (SELECT 1 FROM check_in_code WHERE check_in_code.account = account.key),
      EXISTS (SELECT 1 FROM alert
        WHERE alert.account = account.key AND kind = 'missed' AND resolved_at IS NULL),
      \(CheckIn.lastSource(of: "account.key")),
      \(CheckIn.last("is_early", of: "account.key")), \(CheckIn.last("sequence", of: "account.key")),
      EXISTS (SELECT 1 FROM check_in_news WHERE check_in_news.account = account.key)
      """

    init(reading row: inout RowReader) throws(StorageError) {
      (key, user) = (try row.read(), try User(reading: &row))
      (hasMoved, hasCodes, isMissed) = (try row.read(), try row.read(), try row.read())
      source = try row.read()
      wasEarly = try row.read(Bool?.self) ?? false
      lastNumber = try row.read()
      hasNews = try row.read()
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
      let user = try self.user(key)
      try requireNotOverdue(user, key)
      try setPause(pause, of: key)
      try moveOn(user, pausedUntil: pause.end, of: key)
      try endSequence(of: key)
      try touch(key)
      try noteChange(forPeersOf: key)
      return try self.user(key)
    }
  }

  /// - Throws: ``ClientError/checkInFirst`` once the deadline has passed, or while an alert about a
  ///   missed one is on.
  func requireNotOverdue(_ user: User, _ key: Int) throws {
    let isMissed =
      try database.value(
        Int.self,
        """
        SELECT 1 FROM alert
        WHERE account = ?1 AND kind = 'missed' AND resolved_at IS NULL LIMIT 1
        """, key) != nil
    guard !isMissed, now().stored < user.deadline.date else { throw ClientError.checkInFirst }
  }

  func resume(_ source: CheckIn.Source) throws(ClientError) -> User {
    try write { key in
      let user = try self.user(key)
      guard user.deadline.isPaused(at: now().stored) else { throw ClientError.notPaused }
      // One that was made before the pause, or before another check-in in it, ends nothing.
      let isAhead = user.lastCheckIn > now().stored + CheckIn.maximumClockLead
      let endsPause =
        lateSign(now: now()).map {
          ($0 > user.lastCheckIn || isAhead) && $0 >= user.pausedAt ?? .distantPast
        } ?? true
      if endsPause, user.schedule != nil {
        // The pause ends now, so that no set time before counts, and what is open is served (SCH-2).
        try setPause(nil, of: key)
        var resumed = user
        resumed.schedule?.since = now().stored
        try moveOn(resumed, pausedUntil: nil, of: key)
        try endSequence(of: key)
      }
      _ = try moveDeadline(of: key, source)
      if endsPause { try setPause(nil, of: key) }
      return try self.user(key)
    }
  }

  /// Stores the next set time as it follows from a pause; nothing for an interval.
  private func moveOn(_ user: User, pausedUntil: Date?, of key: Int) throws(StorageError) {
    guard var schedule = user.schedule else { return }
    schedule.moveOn(lastCheckIn: user.lastCheckIn, pausedUntil: pausedUntil)
    try store(schedule, of: key)
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
    receivedAt: Date? = nil, isEarly: Bool = false
  ) throws(StorageError) {
    try database.run(
      """
      INSERT INTO check_in (account, sequence, id, at, source, margin, received_at, is_early)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """, account, sequence, makeUUID(), date, source, margin, receivedAt, isEarly)
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
        SELECT at, margin, sequence, is_early FROM check_in
        WHERE account = ?1 AND at >= ?2 ORDER BY at DESC
        """, key, now() - CheckInRecord.length
      ) { row throws(StorageError) in
        let (date, margin, sequence, isEarly): (Date, TimeSpan?, Int, Bool) =
          (try row.read(), try row.read(), try row.read(), try row.read())
        if tally.add(date, margin: isEarly ? nil : margin) { closest = sequence }
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
      let after = before.checkingIn(every: interval)
      let now = now().stored
      // Leaving set times is never a deadline in the past (SCH-4).
      if before.schedule != nil {
        try requireNotOverdue(before, key)
        guard now < after.deadline.date else { throw ClientError.checkInFirst }
      }
      try database.run(
        "UPDATE account SET interval = ?2, reminders = ?3 WHERE key = ?1", key, interval,
        reminders.json)
      try store(nil, of: key)
      try endSequence(of: key)
      if before.isPostponed(by: after, at: now) {
        try noticeResponders(
          of: key, ResponderNotice.promise(after.promise, insteadOf: before.promise))
      }
      try touch(key)
      try noteChange(forPeersOf: key)
      return try user(key)
    }
  }
}
