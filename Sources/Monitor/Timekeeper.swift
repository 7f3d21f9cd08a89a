import Clients
import Domain
import FoundationEssentials
import Synchronization

/// The time a monitor works by: that of its store, which judges the machine's clock (ESC-5). If
/// nothing judges the store's clock, as with a database on another machine, the time since the
/// monitor started does.
///
/// The monotonic clock must run while the machine sleeps, or every sleep would look like a jump.
/// Swift's `ContinuousClock` does: it is `CLOCK_BOOTTIME` on Linux.
final class Timekeeper<Time: Clock>: Sendable where Time.Duration == Duration {
  private let clock: Time
  private let start: Time.Instant
  private let dateClient: DateClient
  private let log: MonitorLog
  private let state: Mutex<State>

  private struct State {
    var judge: ClockJudge
    var judgement = ClockJudgement()
  }

  init(clock: Time, dateClient: DateClient, log: MonitorLog) {
    self.clock = clock
    start = clock.now
    self.dateClient = dateClient
    self.log = log
    let judgement = dateClient.judgement()
    state = Mutex(
      State(
        judge: ClockJudge(date: dateClient.now(), uptime: 0),
        judgement: ClockJudgement(acceptedJumps: judgement?.acceptedJumps ?? 0)))
  }

  /// The number of accepted jumps. Times noted before a jump don't compare with later ones.
  var acceptedJumps: Int {
    if let judgement = dateClient.judgement() { return judgement.acceptedJumps }
    return state.withLock { $0.judgement.acceptedJumps }
  }

  var now: Date {
    state.withLock { state in
      var date = dateClient.now()
      var judgement = dateClient.judgement()
      if judgement == nil {
        let uptime = uptime
        let wall = date
        date = state.judge.time(wall: wall, uptime: uptime)
        judgement = ClockJudgement(
          pendingJump: state.judge.jump?.seconds, acceptedJumps: state.judgement.acceptedJumps)
        if state.judge.isSettled(at: uptime) {
          state.judge = ClockJudge(date: wall, uptime: uptime)
          date = wall
          judgement = ClockJudgement(acceptedJumps: state.judgement.acceptedJumps + 1)
        }
      }
      if let judgement, judgement != state.judgement {
        report(judgement, after: state.judgement, at: date)
        state.judgement = judgement
      }
      return date
    }
  }

  private var uptime: Double {
    let elapsed = start.duration(to: clock.now).components
    return Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
  }

  private func report(_ new: ClockJudgement, after old: ClockJudgement, at date: Date) {
    if new.acceptedJumps != old.acceptedJumps {
      log.warning("the new wall clock time counts from now on: \(date.rfc3339)")
    }
    guard let jump = new.pendingJump else {
      if old.pendingJump != nil, new.acceptedJumps == old.acceptedJumps {
        log.info("the wall clock is right again")
      }
      return
    }
    let isKnown = old.pendingJump.map { abs($0 - jump) <= ClockJudge.tolerance } ?? false
    if !isKnown {
      log.warning("the wall clock jumped by \(Int(bounded: jump)) s to \((date + jump).rfc3339)")
    }
  }
}
