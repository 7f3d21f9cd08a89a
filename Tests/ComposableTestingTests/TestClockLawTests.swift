import Composable
import ComposableTesting
import Synchronization
import Testing

/// The order in which a test clock wakes sleeping tasks.
@MainActor @Suite struct TestClockLawTests {
  private let clock = TestClock()
  private let log = Log()

  private final class Log: Sendable {
    private let contents = Mutex<[String]>([])
    var entries: [String] { contents.withLock { $0 } }
    func append(_ entry: String) { contents.withLock { $0.append(entry) } }
  }

  private func sleeper(_ name: String, _ seconds: Int) -> Task<Void, Never> {
    Task { [clock, log] in
      do {
        try await clock.sleep(for: .seconds(seconds))
        log.append(name)
      } catch {
        log.append("\(name) cancelled")
      }
    }
  }

  @Test func thoseWithOneDeadlineWakeInTheOrderInWhichTheyFellAsleep() async {
    let store = TestStore(initialState: [String]()) { [clock] in
      Reduce<[String], String> { state, action in
        guard action == "start" else {
          state.append(action)
          return .none
        }
        return .merge(
          ["a", "b", "c", "d"].map { name in
            .run { send in
              try await clock.sleep(for: .seconds(1))
              await send(name)
            }
          })
      }
    }
    await store.send("start")
    await clock.advance(by: .seconds(1))
    for name in ["a", "b", "c", "d"] { await store.receive(name) { $0.append(name) } }
  }

  @Test func goingToThePastOrNowhereWakesNobodyAndKeepsTheTime() async {
    let task = sleeper("a", 5)
    await clock.waitForSleeps()
    await clock.advance(by: .seconds(2))
    await clock.advance(to: .init(offset: .seconds(1)))
    await clock.advance(by: .zero)
    #expect(clock.now.offset == .seconds(2))
    #expect(clock.sleeps.map(\.offset) == [.seconds(5)])
    await clock.advance(by: .seconds(3))
    await task.value
    #expect(log.entries == ["a"])
  }

  @Test func aSleeperThatIsCancelledIsForgottenAndTheOthersSleepOn() async {
    let first = sleeper("a", 1)
    await clock.waitForSleeps(1)
    let second = sleeper("b", 2)
    await clock.waitForSleeps(2)
    first.cancel()
    await first.value
    #expect(clock.sleeps.map(\.offset) == [.seconds(2)])
    await clock.advance(by: .seconds(2))
    await second.value
    #expect(log.entries == ["a cancelled", "b"])
  }

  @Test func aTaskThatIsCancelledBeforeItSleepsDoesNotSleep() async {
    let task = sleeper("a", 1)
    task.cancel()
    await task.value
    #expect(log.entries == ["a cancelled"])
    #expect(clock.sleeps.isEmpty)
  }

  @Test func whoFallsAsleepAgainWakesWithinOneAdvanceAtTheRightTimes() async {
    let store = TestStore(initialState: [Duration]()) { [clock] in
      Reduce<[Duration], Duration?> { state, time in
        if let time { state.append(time) }
        return time == nil
          ? .run { send in
            for seconds in 1...4 {
              try await clock.sleep(for: .seconds(seconds))
              await send(clock.now.offset)
            }
          } : .none
      }
    }
    await store.send(nil)
    await clock.advance(by: .seconds(9))
    for time in [Duration.seconds(1), .seconds(3), .seconds(6)] {
      await store.receive(time) { $0.append(time) }
    }
    #expect(clock.now.offset == .seconds(9))
    await clock.run()
    await store.receive(.seconds(10)) { $0.append(.seconds(10)) }
    #expect(clock.now.offset == .seconds(10))
  }

  @Test func twoTimersTickInTheOrderOfTheirTimes() async {
    let store = TestStore(initialState: [String]()) { [clock] in
      Reduce<[String], String> { state, action in
        switch action {
        case "start":
          return .merge(
            .run { send in
              for await _ in clock.timer(interval: .seconds(2)) { await send("two") }
            },
            .run { send in
              for await _ in clock.timer(interval: .seconds(3)) { await send("three") }
            }
          )
          .cancellable(id: 1)
        case "stop": return .cancel(id: 1)
        default:
          state.append(action)
          return .none
        }
      }
    }
    await store.send("start")
    await clock.advance(by: .seconds(9))
    for name in ["two", "three", "two", "three", "two", "two", "three"] {
      await store.receive(name) { $0.append(name) }
    }
    await store.send("stop")
    #expect(clock.sleeps.isEmpty)
    await clock.run()
    await store.finish()
  }

  @Test func anImmediateClockGoesToTheLatestDeadline() async throws {
    let clock = ImmediateClock()
    try await clock.sleep(for: .seconds(3))
    try await clock.sleep(until: .init(offset: .seconds(1)), tolerance: nil)
    #expect(clock.now.offset == .seconds(3))
    var ticks = 0
    for await _ in clock.timer(interval: .seconds(1)) {
      ticks += 1
      if ticks == 5 { break }
    }
    #expect(clock.now.offset == .seconds(8))
  }

  @Test func runningAClockOnWhichNobodySleepsIsNothing() async {
    await clock.run()
    #expect(clock.now.offset == .zero)
    clock.checkSleeps()
  }
}
