package import Clients
package import Domain
package import FoundationEssentials
import Synchronization

/// The clock of a store: the wall clock, as far as it agrees with the time since the machine was
/// started (ESC-5, decision 89).
///
/// The store keeps both as of its last write, so that each program that opens it, also one that is
/// started while the clock is wrong, can tell a jump of the wall clock from passing time. Where
/// there is no uptime to compare with, such as with a database's clock, the wall clock counts.
///
/// Across starts of the machine, only a wall clock behind the store's last write is a jump.
package final class StoreClock: Sendable {
  private let wall: @Sendable () -> Date
  private let uptime: @Sendable () -> Uptime?
  private let state = Mutex(State())

  fileprivate struct State {
    var boot: String?
    var judge: ClockJudge?
    var ledger = Ledger(era: Date(milliseconds: 0))
    /// Whether the store was asked what it knows, and what that was.
    var isInformed = false
    var noted: Note?
  }

  package init(
    wall: @escaping @Sendable () -> Date, uptime: @escaping @Sendable () -> Uptime? = { nil }
  ) {
    (self.wall, self.uptime) = (wall, uptime)
  }

  /// The time that counts.
  package var now: Date {
    let wall = wall()
    guard let uptime = uptime() else { return wall }
    return state.withLock { $0.time(wall: wall, uptime: uptime) }
  }

  /// Whether the clock jumped, and how often a jump was believed; `nil` if nothing judges it.
  package var judgement: ClockJudgement? {
    guard uptime() != nil else { return nil }
    _ = now
    return state.withLock {
      ClockJudgement(pendingJump: $0.judge?.jump?.seconds, acceptedJumps: $0.ledger.jumps)
    }
  }

  /// What the person must know of the clock.
  var warning: ClockWarning? {
    let now = now
    return state.withLock { state in
      if let jump = state.judge?.jump {
        return ClockWarning(seconds: Int(bounded: jump.seconds.rounded()))
      }
      guard let last = state.ledger.last, last.at > now - ClockWarning.lifetime else { return nil }
      return ClockWarning(
        seconds: Int((Double(last.milliseconds) / 1_000).rounded()), acceptedAt: last.at)
    }
  }

  // MARK: The store's note

  /// Reads what the store knows, in the transaction that is about to work with its times.
  func begin(_ database: any SQLConnection) throws(StorageError) {
    guard let uptime = uptime() else { return }
    do throws(StorageError) {
      let note = try database.row("SELECT \(Note.columns) FROM clock", read: Note.init(reading:))
      state.withLock { $0.adopt(note, wall: wall(), uptime: uptime) }
    } catch {
      // A damaged row keeps nobody from being watched (ESC-6).
      guard case .corrupt = error else { throw error }
    }
  }

  /// Keeps the present time, in the transaction that has written something else.
  /// - Parameter age: How old the time in the store can be, in milliseconds.
  func note(in database: any SQLConnection, age: Int) throws(StorageError) {
    guard let uptime = uptime() else { return }
    let (note, noted) = state.withLock { ($0.note(at: uptime), $0.noted) }
    guard let note, note.isNews(to: noted, age: age) else { return }
    do throws(StorageError) { try note.write(to: database) } catch {
      guard case .corrupt = error else { throw error }
    }
  }

  /// Whether a jump has lasted for long enough to be believed.
  var isSettled: Bool {
    guard let uptime = uptime() else { return false }
    _ = now
    return state.withLock { $0.judge?.isSettled(at: uptime.seconds) ?? false }
  }

  /// Believes the new time of the wall clock in a transaction, unless another program has done so.
  /// - Returns: What to remember once the transaction is kept.
  func settle(_ database: any SQLConnection) throws -> Settlement? {
    try begin(database)
    guard let uptime = uptime() else { return nil }
    let wall = wall().stored
    let settlement = state.withLock { $0.settlement(wall: wall, uptime: uptime) }
    guard let settlement else { return nil }
    try settlement.move(database)
    try settlement.note.write(to: database)
    return settlement
  }

  func remember(_ settlement: Settlement) {
    state.withLock { $0.set(settlement.note) }
  }
}

extension StoreClock.State {
  mutating func time(wall: Date, uptime: Uptime) -> Date {
    if judge == nil || !isSame(uptime) { begin(at: wall, uptime) }
    return judge!.time(wall: wall, uptime: uptime.seconds)
  }

  private func isSame(_ uptime: Uptime) -> Bool {
    boot == uptime.boot && (judge.map { $0.uptime <= uptime.seconds } ?? false)
  }

  private mutating func begin(at date: Date, _ uptime: Uptime, jumps: Int = 0) {
    boot = uptime.boot
    judge = ClockJudge(date: date, uptime: uptime.seconds)
    ledger = StoreClock.Ledger(era: date, jumps: jumps)
  }

  /// Takes over what the store holds.
  mutating func adopt(_ note: StoreClock.Note?, wall: Date, uptime: Uptime) {
    defer { (isInformed, noted) = (true, note) }
    if let note, note.boot == uptime.boot, note.judge.uptime <= uptime.seconds {
      let own = ledger.jumps == note.ledger.jumps ? judge?.jump : nil
      set(note)
      if judge?.jump == nil { judge?.jump = own }
    } else if !isInformed || !isSame(uptime) {
      // The machine was started since. The clock may be behind, as one without a battery is; the
      // time since the last write isn't known, but no write can be in the future.
      let last = note?.judge.date ?? wall
      let isBehind = last.timeIntervalSince(wall) > ClockJudge.tolerance
      begin(at: isBehind ? last : wall, uptime, jumps: note?.ledger.jumps ?? 0)
    }
    _ = judge?.time(wall: wall, uptime: uptime.seconds)
  }

  mutating func set(_ note: StoreClock.Note) {
    (boot, judge, ledger) = (note.boot, note.judge, note.ledger)
  }

  func note(at uptime: Uptime) -> StoreClock.Note? {
    guard let judge else { return nil }
    let date = judge.expected(at: uptime.seconds).stored
    return StoreClock.Note(
      boot: uptime.boot,
      judge: ClockJudge(date: date, uptime: uptime.seconds, jump: judge.jump), ledger: ledger)
  }

  func settlement(wall: Date, uptime: Uptime) -> StoreClock.Settlement? {
    guard let judge, let jump = judge.jump, judge.isSettled(at: uptime.seconds) else { return nil }
    let old = judge.expected(at: uptime.seconds)
    return StoreClock.Settlement(
      by: wall.milliseconds - old.milliseconds,
      since: (old - (uptime.seconds - jump.since)).stored, to: wall, uptime, ledger)
  }
}

extension StoreClock {
  /// What is known of the clock since the machine was started.
  struct Ledger: Equatable {
    /// Since when times in the store can be compared by the time since the start.
    var era: Date
    /// The sum of the jumps that were believed since then, in milliseconds.
    var moved = 0
    /// The number of jumps that were ever believed.
    var jumps = 0
    var last: (milliseconds: Int, at: Date)?

    init(era: Date, moved: Int = 0, jumps: Int = 0, last: (milliseconds: Int, at: Date)? = nil) {
      (self.era, self.moved, self.jumps, self.last) = (era, moved, jumps, last)
    }

    static func == (left: Self, right: Self) -> Bool {
      left.era == right.era && left.moved == right.moved && left.jumps == right.jumps
    }
  }

  /// The row of the store.
  struct Note {
    var boot: String
    var judge: ClockJudge
    var ledger: Ledger

    static let columns =
      "boot, at, uptime, jump, jump_since, era, moved, jumps, last_jump, last_jump_at"

    init(boot: String, judge: ClockJudge, ledger: Ledger) {
      (self.boot, self.judge, self.ledger) = (boot, judge, ledger)
    }

    init(reading row: inout RowReader) throws(StorageError) {
      boot = try row.read()
      let (date, uptime): (Date, Int) = (try row.read(), try row.read())
      let (jump, since): (Int?, Int?) = (try row.read(), try row.read())
      judge = ClockJudge(date: date, uptime: Double(uptime) / 1_000)
      if let jump, let since {
        judge.jump = .init(seconds: Double(jump) / 1_000, since: Double(since) / 1_000)
      }
      ledger = Ledger(era: try row.read(), moved: try row.read(), jumps: try row.read())
      let (last, at): (Int?, Date?) = (try row.read(), try row.read())
      if let last, let at { ledger.last = (last, at) }
    }

    /// Returns whether it says more than what the store holds.
    /// - Parameter age: How old the time in the store can be, in milliseconds.
    func isNews(to old: Note?, age: Int) -> Bool {
      guard let old, old.boot == boot, old.ledger == ledger else { return true }
      if (old.judge.jump == nil) != (judge.jump == nil) { return true }
      return Int((judge.uptime - old.judge.uptime) * 1_000) > age
    }

    func write(to database: any SQLConnection) throws(StorageError) {
      func milliseconds(_ seconds: Double) -> Int { Int((seconds * 1_000).rounded()) }
      try database.run(
        """
        INSERT INTO clock (key, \(Self.columns))
        VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
        ON CONFLICT (key) DO UPDATE SET boot = ?1, at = ?2, uptime = ?3, jump = ?4, jump_since = ?5,
          era = ?6, moved = ?7, jumps = ?8, last_jump = ?9, last_jump_at = ?10
        """, boot, judge.date, milliseconds(judge.uptime),
        judge.jump.map { milliseconds($0.seconds) }, judge.jump.map { milliseconds($0.since) },
        ledger.era, ledger.moved, ledger.jumps, ledger.last?.milliseconds, ledger.last?.at)
    }
  }
}
