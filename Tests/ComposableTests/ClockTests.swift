import Composable
import ComposableTesting
import Testing

/// The clocks that replace time in tests, and the timer that works with any clock.
@MainActor @Suite struct ClockTests {
  private struct Alarm: Reducer {
    struct State: Equatable, Sendable { var rings = 0 }
    enum Action: Equatable, Sendable {
      case set
      case rang
    }

    @Dependency(\.suspendingClock) var clock

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .set:
          return .run { [clock] send in
            try await clock.sleep(for: .seconds(10))
            await send(.rang)
          }
        case .rang:
          state.rings += 1
          return .none
        }
      }
    }
  }

  @Test func theSuspendingClockIsInjected() async {
    let clock = TestClock()
    let store = TestStore(initialState: Alarm.State(), reducer: { Alarm() }) {
      $0.suspendingClock = clock
    }
    await store.send(.set)
    await clock.advance(by: .seconds(9))
    #expect(clock.sleeps == [.init(offset: .seconds(10))])
    await clock.advance(by: .seconds(1))
    await store.receive(.rang, timeout: .zero) { $0.rings = 1 }
  }

  @Test func anImmediateClockDoesNotSleep() async throws {
    let clock = ImmediateClock()
    let store = TestStore(initialState: Alarm.State(), reducer: { Alarm() }) {
      $0.suspendingClock = clock
    }
    await store.send(.set)
    await store.receive(.rang, timeout: .zero) { $0.rings = 1 }
    #expect(clock.now.offset == .seconds(10))
    // The clock doesn't go back.
    try await clock.sleep(until: .init(offset: .seconds(5)), tolerance: nil)
    #expect(clock.now.offset == .seconds(10))
  }

  @Test func sleepsEndWithTheirTask() async {
    let testClock = TestClock()
    for clock in [testClock, ImmediateClock()] as [any Clock<Duration>] {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await clock.sleep(for: .seconds(1))
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    let asleep = Task { try await testClock.sleep(for: .seconds(1)) }
    await testClock.waitForSleeps()
    asleep.cancel()
    await #expect(throws: CancellationError.self) { try await asleep.value }
    #expect(testClock.sleeps.isEmpty)
  }

  @Test func anUnimplementedClockIsAnIssueThatNamesIt() async throws {
    let clock = UnimplementedClock("AlarmClock")
    try await withKnownIssue {
      try await clock.sleep(for: .seconds(1_000))
    } matching: {
      $0.comments.first?.rawValue == """
        "AlarmClock" was used, but it is not implemented.

        Override it in the test with `withDependencies`: with a `TestClock` to control time, or with \
        an `ImmediateClock` to skip it.
        """
    }
  }

  @Test func aTestClockWakesInTheOrderOfTheDeadlines() async {
    let clock = TestClock()
    let woken = LockedLog<Int>()
    let tasks = [3, 1, 2].map { second in
      Task {
        try await clock.sleep(for: .seconds(second))
        woken.append(second)
      }
    }
    await clock.waitForSleeps(3)
    #expect(clock.sleeps.map(\.offset) == [.seconds(1), .seconds(2), .seconds(3)])
    for (index, count) in zip(1..., [1, 2, 3]) {
      await clock.advance(by: .seconds(1))
      #expect(clock.sleeps.count == 3 - count)
      while woken.values.count < index { await Task.yield() }
    }
    for task in tasks { _ = await task.result }
    #expect(woken.values == [1, 2, 3])
  }

  @Test func nobodySleepsUntilATimeThatIsOver() async {
    let clock = TestClock(now: .init(offset: .seconds(5)))
    let store = TestStore(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state = action
        guard action == 1 else { return .none }
        return .run { send in
          try await clock.sleep(for: .zero)
          try await clock.sleep(until: .init(offset: .seconds(4)))
          await send(2)
        }
      }
    }
    await store.send(1) { $0 = 1 }
    await store.receive(2, timeout: .zero) { $0 = 2 }
  }

  @Test func aTestClockRunsUntilNobodySleeps() async {
    let clock = TestClock()
    let store = TestStore(initialState: Alarm.State()) {
      CombineReducers {
        Alarm()
        Reduce { state, action in action == .rang && state.rings < 3 ? .send(.set) : .none }
      }
    } withDependencies: {
      $0.suspendingClock = clock
    }
    await store.send(.set)
    await clock.run()
    #expect(clock.now.offset == .seconds(30))
    for rings in 1...3 {
      await store.receive(.rang) { $0.rings = rings }
      if rings < 3 { await store.receive(.set) }
    }
    await store.finish(timeout: .zero)
  }

  @Test func aLateTickDoesNotDelayTheNext() async {
    let clock = TestClock()
    let store = TestStore(initialState: [Int]()) {
      Reduce<[Int], Int?> { state, second in
        if let second {
          state.append(second)
          return .none
        }
        return .run { send in
          for await _ in clock.timer(interval: .seconds(10)) {
            await send(Int(clock.now.offset / .seconds(1)))
            // Handling the first tick takes a while.
            if clock.now.offset == .seconds(10) { try await clock.sleep(for: .seconds(4)) }
          }
        }
      }
    }
    await store.send(nil)
    await clock.advance(by: .seconds(30))
    for second in [10, 20, 30] { await store.receive(second) { $0.append(second) } }
    await store.skipInFlightEffects()
  }
}
