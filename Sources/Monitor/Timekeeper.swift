import Clients
import Domain
import FoundationEssentials
import Synchronization

/// The time a monitor works by: the wall clock, as long as it agrees with the machine's monotonic
/// clock (ESC-5).
///
/// When the wall clock jumps – it was set, or was wrong before – the monitor keeps to the old time,
/// in which every deadline stays where it was, until the new time has held for two minutes. So a
/// clock that is wrong for a moment triggers no alert and drops no deadline.
///
/// The monotonic clock must run while the machine sleeps, or every sleep would look like a jump.
/// Swift's `ContinuousClock` does: it is `CLOCK_BOOTTIME` on Linux.
final class Timekeeper<Time: Clock>: Sendable where Time.Duration == Duration {
  /// The largest jump of the wall clock that is accepted at once, in seconds. Equal to the longest
  /// gap in the watch that makes no difference.
  static var tolerance: Double { 120 }
  /// How long a larger jump must last before it is accepted, in seconds.
  static var settlingTime: Double { 120 }

  private struct State {
    /// The last accepted time, with `instant` as its reading on the monotonic clock.
    var date: Date
    var instant: Time.Instant
    /// A jump that is not accepted yet.
    var pendingJump: (jump: Double, since: Time.Instant)?
    var acceptedJumps = 0
  }

  private let clock: Time
  private let wall: @Sendable () -> Date
  private let log: MonitorLog
  private let state: Mutex<State>

  init(clock: Time, wall: @escaping @Sendable () -> Date, log: MonitorLog) {
    self.clock = clock
    self.wall = wall
    self.log = log
    state = Mutex(State(date: wall(), instant: clock.now))
  }

  /// The number of accepted jumps. Times noted before a jump don't compare with later ones.
  var acceptedJumps: Int { state.withLock { $0.acceptedJumps } }

  var now: Date {
    state.withLock { state in
      let (date, instant) = (wall(), clock.now)
      let expected = state.date.addingTimeInterval(seconds(from: state.instant, to: instant))
      let jump = date.timeIntervalSince(expected)
      guard abs(jump) > Self.tolerance else {
        if state.pendingJump != nil { log.info("the wall clock is right again") }
        state = State(date: date, instant: instant, acceptedJumps: state.acceptedJumps)
        return date
      }
      if let pendingJump = state.pendingJump, abs(pendingJump.jump - jump) <= Self.tolerance {
        guard seconds(from: pendingJump.since, to: instant) >= Self.settlingTime else {
          return expected
        }
        log.warning("the new wall clock time counts from now on: \(date.rfc3339)")
        state = State(date: date, instant: instant, acceptedJumps: state.acceptedJumps + 1)
        return date
      }
      log.warning("the wall clock jumped by \(Int(bounded: jump)) s to \(date.rfc3339)")
      state.pendingJump = (jump, instant)
      return expected
    }
  }

  private func seconds(from start: Time.Instant, to end: Time.Instant) -> Double {
    let elapsed = start.duration(to: end).components
    return Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
  }
}
