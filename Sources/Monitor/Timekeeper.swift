import Clients
import Domain
import FoundationEssentials
import Synchronization

/// The time that a monitor goes by: the wall clock, as long as it keeps step with the machine's own
/// (ESC-5).
///
/// When it jumps against that one – somebody set it, or it was never right –, the monitor goes on
/// with the old time, in which every deadline stands where it stood, until the new one has held for
/// two minutes. A clock that was wrong for a moment so tells nobody and forgets nobody.
///
/// The machine's own clock has to go on while the machine sleeps, or every sleep would be a jump:
/// Swift's `ContinuousClock` is `CLOCK_BOOTTIME` on Linux.
final class Timekeeper<Time: Clock>: Sendable where Time.Duration == Duration {
  /// A step up to which the wall clock is believed, in seconds; as long as a gap in the watch that
  /// makes no difference.
  static var tolerance: Double { 120 }
  /// How long a jump has to stand, in seconds.
  static var settlingTime: Double { 120 }

  private struct State {
    /// The last time that was believed, and when on the machine's own clock that was.
    var date: Date
    var instant: Time.Instant
    /// A jump that is not believed yet.
    var doubt: (jump: Double, since: Time.Instant)?
    var believedJumps = 0
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

  /// How many jumps were believed: what was known of the past is on another time line since.
  var believedJumps: Int { state.withLock { $0.believedJumps } }

  var now: Date {
    state.withLock { state in
      let (date, instant) = (wall(), clock.now)
      let expected = state.date.addingTimeInterval(seconds(from: state.instant, to: instant))
      let jump = date.timeIntervalSince(expected)
      guard abs(jump) > Self.tolerance else {
        if state.doubt != nil { log.info("the wall clock is right again") }
        state = State(date: date, instant: instant, believedJumps: state.believedJumps)
        return date
      }
      if let doubt = state.doubt, abs(doubt.jump - jump) <= Self.tolerance {
        guard seconds(from: doubt.since, to: instant) >= Self.settlingTime else { return expected }
        log.warning("the wall clock is believed to be right; it is \(date.rfc3339)")
        state = State(date: date, instant: instant, believedJumps: state.believedJumps + 1)
        return date
      }
      log.warning("the wall clock jumped by \(Int(bounded: jump)) s to \(date.rfc3339)")
      state.doubt = (jump, instant)
      return expected
    }
  }

  private func seconds(from start: Time.Instant, to end: Time.Instant) -> Double {
    let elapsed = start.duration(to: end).components
    return Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
  }
}
