import Synchronization

/// A clock that does not sleep: each sleep moves it to the deadline at once.
public final class ImmediateClock: Clock, Sendable {
  /// A time of the clock, counted from its start.
  public struct Instant: InstantProtocol {
    /// The time since the clock's start.
    public var offset: Duration

    /// A time after the clock's start.
    public init(offset: Duration = .zero) { self.offset = offset }

    /// The time that lies a duration later.
    public func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }

    /// How much later another time is.
    public func duration(to other: Self) -> Duration { other.offset - offset }

    /// Whether a time is earlier than another.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.offset < rhs.offset }
  }

  private let time: Mutex<Instant>

  /// Makes a clock.
  public init(now: Instant = Instant()) { time = Mutex(now) }

  /// The latest deadline that was slept for.
  public var now: Instant { time.withLock { $0 } }

  /// The resolution.
  public var minimumResolution: Duration { .zero }

  /// Moves the clock to the deadline.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    time.withLock { $0 = max($0, deadline) }
    await Task.yield()
  }
}
