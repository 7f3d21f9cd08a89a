import Clients
import Composable
import Domain
import SQLite
import FoundationEssentials

extension DependencyValues {
  /// Returns the values of a preview: every client of the demo, at one fixed time. None of them has
  /// an effect outside.
  static func preview(at now: Date, calendar: CivilCalendar = .utc) async -> Self {
    let clock = StoppedClock()
    var values = DependencyValues()
    values.context = .preview
    await EmbeddedPlatform.demo(now: { now }, calendar: calendar, clock: clock)
      .install(in: &values)
    values.dateClient = .constant(now, calendar: calendar)
    values.continuousClock = clock
    values.mailSettingsClient.settings = { () async throws(ClientError) in nil }
    return values
  }
}

/// A clock on which every sleep lasts until cancelled.
private struct StoppedClock: Clock {
  typealias Instant = ContinuousClock.Instant
  var now: Instant { ContinuousClock.now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let never = AsyncStream<Never> { _ in }
    for await _ in never {}
    throw CancellationError()
  }
}
