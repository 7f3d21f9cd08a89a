public import FoundationEssentials
import Synchronization

/// A machine whose wall clock jumps, with the time since its start, which doesn't.
public final class JumpingClock: Sendable {
  private struct State {
    var date: Date
    var uptime: Double
    var boot = 1
  }

  private let state: Mutex<State>

  public init(_ date: Date, uptime: Double = 1_000_000) {
    state = Mutex(State(date: date, uptime: uptime))
  }

  public var wall: @Sendable () -> Date { { self.state.withLock { $0.date } } }
  /// Which start of the machine this is, and how many seconds ago that was.
  public var running: (boot: String, seconds: Double) {
    state.withLock { ("boot \($0.boot)", $0.uptime) }
  }

  /// Lets seconds pass.
  public func advance(_ seconds: Double) {
    state.withLock {
      $0.date += seconds
      $0.uptime += seconds
    }
  }

  /// Sets the wall clock.
  public func jump(_ seconds: Double) { state.withLock { $0.date += seconds } }

  /// Starts the machine again after it was off for some seconds.
  public func restart(after seconds: Double = 60) {
    state.withLock {
      $0.date += seconds
      $0.uptime = 30
      $0.boot += 1
    }
  }
}
