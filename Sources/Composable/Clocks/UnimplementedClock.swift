/// A clock that may not be used: it reports an issue, and then behaves as `ImmediateClock`.
public struct UnimplementedClock: Clock {
  /// A time of an immediate clock.
  public typealias Instant = ImmediateClock.Instant

  private let name: String
  private let base = ImmediateClock()

  /// Makes a clock that reports its name when it is used.
  public init(_ name: String = "Clock") { self.name = name }

  /// The time, with an issue.
  public var now: Instant {
    reportUse()
    return base.now
  }

  /// The resolution.
  public var minimumResolution: Duration { .zero }

  /// Does not sleep, and reports an issue.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    reportUse()
    try await base.sleep(until: deadline, tolerance: tolerance)
  }

  private func reportUse() {
    reportIssue(
      """
      "\(name)" was used, but it is not implemented.

      Override it in the test by `withDependencies`: with a `TestClock` to control time, or with an \
      `ImmediateClock` to skip it.
      """)
  }
}
