import Composable
import ComposableTesting
import Testing

@testable import CommandLine

@MainActor @Suite struct PacedClockTests {
  let base = TestClock()

  @Test func theTimeGoesAtThePaceThatIsSet() async {
    let clock = PacedClock(base: base, speed: 60)
    let start = clock.now
    await base.advance(by: .seconds(2))
    #expect(start.duration(to: clock.now) == .seconds(120))
    clock.setSpeed(0)
    await base.advance(by: .seconds(100))
    #expect(start.duration(to: clock.now) == .seconds(120))
    clock.setSpeed(10_000)
    await base.advance(by: .milliseconds(1))
    #expect(start.duration(to: clock.now) == .seconds(130))
  }

  @Test func whoSleepsWakesByTheNewPace() async {
    let clock = PacedClock(base: base, speed: 1)
    let sleep = Task { try await clock.sleep(for: .seconds(3_600)) }
    await base.waitForSleeps(1)
    #expect(base.sleeps.count == 1)
    clock.setSpeed(3_600)
    // The underlying sleep is restarted, so it ends after a second rather than an hour.
    while base.sleeps.first.map({ $0 > base.now.advanced(by: .seconds(2)) }) ?? true {
      await Task.yield()
    }
    await base.advance(by: .seconds(1) + .milliseconds(1))
    #expect(await sleep.result.isSuccess)
  }

  @Test func whileItStandsStillNobodyWakes_andASleepCanBeCancelled() async {
    let clock = PacedClock(base: base, speed: 0)
    let sleep = Task { try await clock.sleep(for: .nanoseconds(1)) }
    for _ in 0..<20 { await Task.yield() }
    await base.advance(by: .seconds(1_000_000))
    #expect(base.sleeps.isEmpty)
    sleep.cancel()
    #expect(await !sleep.result.isSuccess)
  }

  @Test func aDeadlineThatIsPastDoesNotSleep() async throws {
    let clock = PacedClock(base: base, speed: 0)
    try await clock.sleep(until: clock.now, tolerance: nil)
    try await clock.sleep(for: .seconds(-1))
  }
}

extension Result {
  fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}
