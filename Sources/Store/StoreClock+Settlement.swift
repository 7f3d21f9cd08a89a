import Clients
import Domain
import FoundationEssentials

extension StoreClock {
  /// A new time of the wall clock that is believed, and what it does to the times in the store.
  ///
  /// The time since the start never runs faster than time does, so a clock that was set *back* gives
  /// nobody more time: what this start of the machine stamped moves with the clock. A clock that was
  /// set *ahead* may be right – a virtual machine was stopped, or a clock without a battery was set
  /// – so what was stamped before stays, and monitors treat it like an outage (ESC-4), except as far
  /// as it makes up for a jump back.
  struct Settlement {
    /// In milliseconds.
    private let jump: Int
    /// When it was noticed, by the old time. What was stamped since moves with the clock.
    private let since: Date
    private let date: Date
    private let era: Date
    /// How far everything that was stamped since `era` moves.
    private let common: Int
    let note: Note

    init(by jump: Int, since: Date, to date: Date, _ uptime: Uptime, _ ledger: Ledger) {
      (self.jump, self.since, self.date, era) = (jump, since, date, ledger.era)
      common = min(jump, max(0, -ledger.moved))
      let start = common < jump ? Self.moved(since, jump) : Self.moved(ledger.era, common)
      note = Note(
        boot: uptime.boot, judge: ClockJudge(date: date, uptime: uptime.seconds),
        ledger: Ledger(
          era: start, moved: ledger.moved + jump, jumps: ledger.jumps + 1, last: (jump, date)))
    }

    private static func moved(_ date: Date, _ milliseconds: Int) -> Date {
      Date(milliseconds: date.milliseconds + milliseconds)
    }

    /// The times that move, with the one that says when the row was written.
    private static let times: [(table: String, column: String, written: String)] = [
      ("account", "last_check_in", "last_check_in"), ("account", "grace_from", "grace_from"),
      ("account", "paused_until", "paused_at"), ("account", "paused_at", "paused_at"),
      ("account", "set_times_since", "set_times_since"),
      ("responder_wait", "changed_at", "changed_at"),
      ("check_in", "at", "at"), ("alert", "resolved_at", "resolved_at"),
      ("alert", "raised_at", "raised_at"), ("acknowledgement", "at", "at"),
      ("armed_alert", "fires_at", "armed_at"), ("armed_alert", "armed_at", "armed_at"),
      ("delivery", "not_before", "not_before"), ("delivery", "leased_until", "leased_until"),
      ("delivery", "begun_at", "begun_at"), ("delivery", "finished_at", "finished_at"),
      ("delivery", "planned_at", "planned_at"),
      ("route", "held_until", "held_until"), ("route", "works_at", "works_at"),
      ("monitor", "leased_until", "leased_until"), ("monitor", "last_seen", "last_seen"),
      ("ping", "ended_at", "ended_at"), ("ping", "sent_at", "sent_at"),
      ("wrong_tries", "last_at", "last_at"), ("notification", "at", "at"),
      ("reset_code", "expires_at", "expires_at"), ("address_code", "expires_at", "expires_at"),
    ]

    func move(_ database: any SQLConnection) throws(StorageError) {
      if common != 0 { try move(since: era, by: common, database) }
      if jump > common {
        let noticed = Self.moved(since, common)
        // First, so that what moves here isn't taken for something stamped after the jump.
        try move(since: noticed, by: jump - common, database)
        // Help that is on its way isn't cut short, whichever time is right.
        for (table, column, condition) in [
          ("alert", "raised_at", "resolved_at IS NULL"),
          ("delivery", "planned_at", "state = 'pending'"),
        ] {
          try database.run(
            """
            UPDATE \(table) SET \(column) = \(column) + ?1
            WHERE \(condition) AND \(column) >= ?2 AND \(column) < ?3
            """, jump - common, era, noticed)
        }
      } else {
        try limit(database)
      }
      try Schedule.computeAgain(database)
      // As after any gap, monitors look at everyone again.
      try database.run("UPDATE watch SET since = ?1, last_seen = ?1, swept = 0", date)
      try database.run(
        "INSERT INTO change (account) SELECT key FROM account WHERE last_check_in >= ?1",
        note.ledger.era)
    }

    private func move(
      since start: Date, by milliseconds: Int, _ database: any SQLConnection
    ) throws(StorageError) {
      // A plan that was made by the old times doesn't apply any more.
      try database.run(
        "UPDATE account SET revision = revision + 1 WHERE last_check_in >= ?1", start)
      for (table, column, written) in Self.times {
        try database.run(
          """
          UPDATE \(table) SET \(column) = max(0, \(column) + ?1)
          WHERE \(written) >= ?2 AND \(column) IS NOT NULL
          """, milliseconds, start)
      }
      try changeOutings(database) { $0.move(since: start, by: Double(milliseconds) / 1_000) }
    }

    private func changeOutings(
      _ database: any SQLConnection, _ change: (inout Outing) -> Void
    ) throws(StorageError) {
      let found = try database.rows(
        "SELECT key, outing FROM account WHERE outing IS NOT NULL"
      ) { row throws(StorageError) -> (Int, Outing) in (try row.read(), try row.read()) }
      for (key, outing) in found {
        var changed = outing
        change(&changed)
        guard changed != outing else { continue }
        try database.run(
          "UPDATE account SET outing = ?2, revision = revision + 1 WHERE key = ?1", key, changed)
      }
    }

    /// Nothing was written in the future: an earlier start of the machine had a clock that was
    /// ahead. At most a whole interval is left from now.
    private func limit(_ database: any SQLConnection) throws(StorageError) {
      try database.run(
        """
        UPDATE account SET paused_until = paused_until - (paused_at - ?1), paused_at = ?1
        WHERE paused_at > ?1
        """, date)
      try changeOutings(database) { outing in
        let ahead = outing.startedAt.timeIntervalSince(date)
        if ahead > 0 { outing.move(since: date, by: -ahead) }
      }
      for (table, column) in [
        ("account", "last_check_in"), ("alert", "raised_at"), ("delivery", "planned_at"),
        ("wrong_tries", "last_at"), ("account", "set_times_since"),
        ("responder_wait", "changed_at"),
      ] {
        try database.run("UPDATE \(table) SET \(column) = ?1 WHERE \(column) > ?1", date)
      }
    }
  }
}
