import Synchronization

/// A clock that doesn't wait: each sleep moves it to the deadline immediately.
public final class ImmediateClock: Clock, Sendable {
  /// A time of the clock, measured from its start.
  public struct Instant: InstantProtocol {
    /// The time since the clock's start.
    public var offset: Duration

    /// Creates a time from the duration since the clock's start.
    public init(offset: Duration = .zero) { self.offset = offset }

    /// Returns the time that is a duration later.
    public func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }

    /// Returns the duration from this time to another.
    public func duration(to other: Self) -> Duration { other.offset - offset }

    /// Returns whether one time is earlier than another.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.offset < rhs.offset }
  }

  private let time: Mutex<Instant>

  /// Creates a clock.
  public init(now: Instant = Instant()) { time = Mutex(now) }

  /// The latest deadline of any sleep so far, or the starting time.
  public var now: Instant { time.withLock { $0 } }

  /// The resolution of the clock: zero.
  public var minimumResolution: Duration { .zero }

  /// Moves the clock to the deadline without waiting.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    time.withLock { $0 = max($0, deadline) }
    await Task.yield()
  }
}
