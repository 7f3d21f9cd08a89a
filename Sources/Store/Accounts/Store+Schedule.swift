import Clients
import Domain
import FoundationEssentials

extension Schedule {
  /// The columns that ``read(from:)`` reads, in its order.
  /// - Parameter table: The table `account`, or its name in a query.
  static func columns(of table: String = "account") -> String {
    [
      "set_times", "zone", "zone_rule", "opening", "set_times_since", "opens_at", "due_at",
      "was_early",
    ].map { "\(table).\($0)" }.joined(separator: ", ")
  }

  /// Reads the schedule of an account, `nil` if its interval counts.
  static func read(from row: inout RowReader) throws(StorageError) -> Schedule? {
    let (times, zone, rule): (String?, String?, String?) =
      (try row.read(), try row.read(), try row.read())
    let (opening, since): (TimeSpan?, Date?) = (try row.read(), try row.read())
    let (opens, next): (Date?, Date?) = (try row.read(), try row.read())
    let isEarly: Bool = try row.read()
    guard let times else { return nil }
    guard let zone, let rule, let opening, let since, let opens, let next,
      let times = try? SetTimes(stored: times, zone: zone, opening: opening)
    else { throw StorageError.corrupt(detail: "set times") }
    return Schedule(
      times: times, since: since, rule: rule, opens: opens, next: next, isEarly: isEarly)
  }

  /// Computes the next set time of every account again, after a clock was set (ESC-5).
  static func computeAgain(_ database: any SQLConnection) throws(StorageError) {
    let found = try database.rows(
      """
      SELECT key, last_check_in, paused_until, \(columns()) FROM account
      WHERE set_times IS NOT NULL
      """
    ) { row throws(StorageError) -> (key: Int, lastCheckIn: Date, pause: Date?, Schedule?) in
      (try row.read(), try row.read(), try row.read(), try read(from: &row))
    }
    for (key, lastCheckIn, pause, schedule) in found {
      guard var schedule else { continue }
      schedule.moveOn(lastCheckIn: lastCheckIn, pausedUntil: pause)
      try database.run(
        "UPDATE account SET opens_at = ?2, due_at = ?3, revision = revision + 1 WHERE key = ?1",
        key, schedule.opens, schedule.next)
    }
  }
}

extension SetTimes {
  /// The times without their zone as they are stored: `540/127,1080/31`.
  fileprivate var stored: String {
    times.map { "\($0.minute)/\($0.days.rawValue)" }.joined(separator: ",")
  }

  fileprivate init(stored text: String, zone: String, opening: TimeSpan) throws(ValidationError) {
    var times: [Time] = []
    for part in text.split(separator: ",") {
      let numbers = part.split(separator: "/").compactMap { Int($0) }
      guard numbers.count == 2 else { throw .setTimes(text) }
      times.append(Time(minute: numbers[0], days: Weekdays(rawValue: numbers[1])))
    }
    try self.init(times, zone: zone, opening: opening)
  }
}

extension Store {
  /// Sets the times by which the person checks in. Not a check-in, and never a deadline in the past
  /// (SCH-4).
  func updateSchedule(_ times: SetTimes) throws(ClientError) -> User {
    try writeHere { key in
      let before = try user(key)
      try requireNotOverdue(before, key)
      let now = now().stored
      let after = try before.changing(to: .setTimes(times), at: now)
      try store(after.schedule, of: key)
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

  /// - Parameter schedule: `nil` if the interval counts from now on.
  func store(_ schedule: Schedule?, of key: Int) throws(StorageError) {
    try database.run(
      """
      UPDATE account SET set_times = ?2, zone = ?3, zone_rule = ?4, opening = ?5,
        set_times_since = ?6, opens_at = ?7, due_at = ?8, was_early = ?9
      WHERE key = ?1
      """, key, schedule?.times.stored, schedule?.times.zone, schedule?.rule,
      schedule?.times.opening, schedule?.since, schedule?.opens, schedule?.next,
      schedule?.isEarly ?? false)
  }

  /// Begins another sequence without a check-in. Early check-ins have used numbers beyond the
  /// account's.
  func endSequence(of key: Int) throws(StorageError) {
    try database.run(
      """
      UPDATE account SET check_in_sequence = max(check_in_sequence, coalesce(
        (SELECT max(sequence) FROM check_in WHERE check_in.account = account.key), 0)) + 1
      WHERE key = ?1
      """, key)
  }
}
