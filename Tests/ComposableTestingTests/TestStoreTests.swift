import Composable
import ComposableTesting
import Testing

@MainActor @Suite struct TestStoreTests {
  private func makeStore(
    count: Int = 0, clock: any Clock<Duration> = TestClock()
  ) -> TestStoreOf<Counter> {
    TestStore(initialState: Counter.State(count: count), reducer: { Counter() }) {
      $0.continuousClock = clock
    }
  }

  @Test func sendAndReceiveAssertChanges() async {
    let store = makeStore(count: 2)
    await store.send(.incrementButtonTapped) { $0.count = 3 }
    await store.send(.looked)
    await store.send(.doubleButtonTapped)
    await store.receive(.doubled(6)) { $0.count = 6 }
    await store.send(.doubleButtonTapped)
    await store.receive(Counter.Action.doubledCase) { $0.count = 12 }
    await store.send(.doubleButtonTapped)
    await store.receive(Counter.Action.doubledCase, 24) { $0.count = 24 }
    await store.send(.doubleButtonTapped)
    await store.receive(where: { $0 == .doubled(48) }) { $0.count = 48 }
  }

  @Test func testClockDrivesTimersExactly() async {
    let clock = TestClock()
    let store = makeStore(clock: clock)
    await store.send(.startButtonTapped) { $0.isTicking = true }
    await clock.advance(by: .milliseconds(999))
    await clock.advance(by: .milliseconds(1))
    await store.receive(.ticked) { $0.count = 1 }
    await clock.advance(by: .seconds(3))
    await store.receive(.ticked) { $0.count = 2 }
    await store.receive(.ticked) { $0.count = 3 }
    await store.receive(.ticked) { $0.count = 4 }
    await store.send(.stopButtonTapped) { $0.isTicking = false }
    await clock.advance(by: .seconds(10))
    await store.finish()
    clock.checkSleeps()
  }

  @Test(arguments: 1...10) func deterministicWithoutYieldingOrSleeping(_: Int) async {
    for _ in 1...1_000 {
      let clock = TestClock()
      let store = makeStore(clock: clock)
      await store.send(.startButtonTapped) { $0.isTicking = true }
      await clock.advance(by: .seconds(1))
      await store.receive(.ticked, timeout: .zero) { $0.count = 1 }
      await store.send(.doubleButtonTapped)
      await store.receive(.doubled(2), timeout: .zero) { $0.count = 2 }
      await store.send(.stopButtonTapped) { $0.isTicking = false }
      await store.finish(timeout: .zero)
    }
  }

  @Test func dependenciesCanBeChangedBetweenActions() async {
    let first = TestClock()
    let second = TestClock()
    let store = makeStore(clock: first)
    store.dependencies.continuousClock = second
    await store.send(.startButtonTapped) { $0.isTicking = true }
    await first.advance(by: .seconds(1))
    await second.advance(by: .seconds(1))
    await store.receive(.ticked) { $0.count = 1 }
    await store.send(.stopButtonTapped) { $0.isTicking = false }
    #expect(second.sleeps.isEmpty)
  }

  @Test func aStoreIsInTheContextOfATest() {
    withDependencies {
      $0.context = .live
    } operation: {
      #expect(makeStore().dependencies.context == .test)
    }
  }

  @Test func theInitialStateIsMadeWithTheDependencies() {
    let store = TestStore(initialState: DependencyValues.current.context) {
      Reduce<DependencyContext, Int> { _, _ in .none }
    } withDependencies: {
      $0.context = .preview
    }
    #expect(store.state == .preview)
  }
}
