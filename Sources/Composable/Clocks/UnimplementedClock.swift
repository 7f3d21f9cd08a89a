/// A clock that must not be used: it reports an issue and then behaves like `ImmediateClock`.
public struct UnimplementedClock: Clock {
  /// A time of an immediate clock.
  public typealias Instant = ImmediateClock.Instant

  private let name: String
  private let base = ImmediateClock()

  /// Creates a clock that names itself in its issues.
  public init(_ name: String = "Clock") { self.name = name }

  /// The current time. Reading it reports an issue.
  public var now: Instant {
    reportUse()
    return base.now
  }

  /// The resolution of the clock: zero.
  public var minimumResolution: Duration { .zero }

  /// Reports an issue and returns without waiting.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    reportUse()
    try await base.sleep(until: deadline, tolerance: tolerance)
  }

  private func reportUse() {
    reportIssue(
      """
      "\(name)" was used, but it is not implemented.

      Override it in the test with `withDependencies`: with a `TestClock` to control time, or with an \
      `ImmediateClock` to skip it.
      """)
  }
}
