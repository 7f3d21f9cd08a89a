import Synchronization

/// A clock that runs at a multiple of another clock's speed, or stands still. The speed can change
/// at any time, and sleeping tasks then wake at the new speed.
final class PacedClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var sinceStart: Duration

    func advanced(by duration: Duration) -> Self { Self(sinceStart: sinceStart + duration) }
    func duration(to other: Self) -> Duration { other.sinceStart - sinceStart }
    static func < (left: Self, right: Self) -> Bool { left.sinceStart < right.sinceStart }
  }

  private struct Pace {
    var speed: Int
    /// The time on the base clock, and on this one, at the last change of speed.
    var outside = Duration.zero
    var inside = Duration.zero
    /// The sleeping tasks.
    var sleepers: [Int: AsyncStream<Void>.Continuation] = [:]
    var lastSleeper = 0

    func now(at outside: Duration) -> Duration { inside + (outside - self.outside) * speed }
  }

  private let pace: Mutex<Pace>
  private let outside: @Sendable () -> Duration
  private let sleepOutside: @Sendable (Duration) async throws -> Void

  /// - Parameters:
  ///   - base: The clock to multiply.
  ///   - speed: The factor; 0 stops the clock.
  init<Base: Clock>(base: Base, speed: Int = 1) where Base.Duration == Duration {
    let start = base.now
    outside = { start.duration(to: base.now) }
    sleepOutside = { try await base.sleep(for: $0) }
    pace = Mutex(Pace(speed: speed))
  }

  var minimumResolution: Duration { .nanoseconds(1) }

  var now: Instant { pace.withLock { Instant(sinceStart: $0.now(at: outside())) } }

  /// Changes the speed from now on.
  func setSpeed(_ speed: Int) {
    let sleepers = pace.withLock { pace in
      let now = outside()
      (pace.inside, pace.outside, pace.speed) = (pace.now(at: now), now, speed)
      return Array(pace.sleepers.values)
    }
    for sleeper in sleepers { sleeper.yield() }
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let (changes, change) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let sleeper = pace.withLock { pace in
      pace.lastSleeper += 1
      pace.sleepers[pace.lastSleeper] = change
      return pace.lastSleeper
    }
    defer { pace.withLock { _ = $0.sleepers.removeValue(forKey: sleeper) } }
    while true {
      try Task.checkCancellation()
      let (left, speed) = pace.withLock { pace in
        (deadline.sinceStart - pace.now(at: outside()), pace.speed)
      }
      guard left > .zero else { return }
      await withTaskGroup { group in
        group.addTask { for await _ in changes { return } }
        if speed > 0 {
          // Makes up for rounding, which would otherwise lead to ever shorter sleeps.
          group.addTask { [sleepOutside] in
            try? await sleepOutside(left / speed + .nanoseconds(1))
          }
        }
        await group.next()
        group.cancelAll()
      }
    }
  }
}
