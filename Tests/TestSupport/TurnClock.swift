public import Composable

/// A clock of one turn of the monitor, which doesn't wait. No message takes so long that its lease is
/// renewed, so anyone who waits for that sleeps until the turn ends; with an ``ImmediateClock`` they
/// would move the time for as long as a busy machine lets them.
public final class TurnClock: Clock, Sendable {
  private let base = ImmediateClock()

  public init() {}

  public var now: ImmediateClock.Instant { base.now }
  public var minimumResolution: Duration { base.minimumResolution }

  public func sleep(until deadline: ImmediateClock.Instant, tolerance: Duration?) async throws {
    guard now.duration(to: deadline) != .seconds(30) else {
      for await _ in AsyncStream<Void>.makeStream().stream {}
      throw CancellationError()
    }
    try await base.sleep(until: deadline, tolerance: tolerance)
  }
}
