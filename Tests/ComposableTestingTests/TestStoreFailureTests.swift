import Composable
import ComposableTesting
import Testing

/// The exact text of each failure, and the line that it points to.
@MainActor @Suite struct TestStoreFailureTests {
  private func makeStore(
    count: Int = 0, clock: TestClock = TestClock(), line: Int = #line
  ) -> TestStoreOf<Counter> {
    TestStore(
      initialState: Counter.State(count: count), reducer: { Counter() },
      withDependencies: { $0.continuousClock = clock }, line: line)
  }

  @Test func stateChangedAndWasNotAsserted() async {
    let store = makeStore()
    await expectIssue(
      """
      The state changed, but no change was asserted.

        Action: .incrementButtonTapped

          Counter.State(
        −   count: 0
        +   count: 1
            … (2 unchanged)
          )

      Assert the change in a trailing closure, as in `{ $0.count = 1 }`, or find out why the \
      action changes the state.
      """
    ) { await store.send(.incrementButtonTapped) }
  }

  @Test func stateChangedOtherwiseThanAsserted() async {
    let store = makeStore()
    await expectIssue(
      """
      The state changed, but not as asserted.

        Action: .incrementButtonTapped

          Counter.State(
        −   count: 2
        +   count: 1
            … (2 unchanged)
          )

      Lines with − were asserted, lines with + are what the reducer made.
      """
    ) { await store.send(.incrementButtonTapped) { $0.count = 2 } }
  }

  @Test func changeAssertedAndNothingChanged() async {
    let store = makeStore()
    await expectIssue(
      """
      A change was asserted, but the state did not change.

        Action: .looked

          Counter.State(
        −   count: 1
        +   count: 0
            … (2 unchanged)
          )

      Remove the closure if nothing should change. Otherwise the reducer does not handle this \
      action, or a dependency of the test makes it leave early.
      """
    ) { await store.send(.looked) { $0.count = 1 } }
  }

  @Test func closureThatChangesNothing() async {
    let store = makeStore()
    await expectIssue(
      """
      The closure changes nothing, and the state did not change.

        Action: .looked

      Remove the closure; or, to assert a value that stays as it is, use `assert` or \
      `#expect(store.state…)` after it.
      """
    ) { await store.send(.looked) { $0.count = 0 } }
  }

  @Test func unreceivedActionAtTheEnd() async {
    await expectIssue(
      """
      The test ends with 1 received action(s) that were not asserted.

        • .doubled(2)

      Assert them with `receive`, or skip them with `skipReceivedActions`.
      """
    ) {
      let store = makeStore(count: 1)
      await store.send(.doubleButtonTapped)
    }
  }

  @Test func runningEffectAtTheEndNamesTheLineThatStartedIt() async {
    await expectIssue(
      """
      The test ends while 1 effect(s) still run, started at

        • ComposableTestingTests/Counter.swift:44

      Let them end: advance the clock on which they sleep, finish the stream that they read, or \
      send the action that cancels them. An effect that must outlive the test is skipped \
      with `skipInFlightEffects`.
      """
    ) {
      let store = makeStore()
      await store.send(.startButtonTapped) { $0.isTicking = true }
    }
  }

  @Test func nothingReceived() async {
    let store = makeStore()
    await expectIssue(
      """
      An action was expected, but none was received.

        Expected: .ticked

      No effect runs that could send it. Either the action before did not return the effect, or \
      the effect ended, or was cancelled, without sending.
      """
    ) { await store.receive(.ticked) }
  }

  @Test func anotherActionReceived() async {
    let store = makeStore(count: 1)
    await store.send(.doubleButtonTapped)
    await expectIssue(
      """
      A different action was received than expected.

          .doubled(
        −   3
        +   2
          )

      Assert the actions in the order in which the effects send them.
      """
    ) { await store.receive(.doubled(3)) }
  }

  @Test func actionsLeftBeforeTheNextSend() async {
    let store = makeStore(count: 1)
    await store.send(.doubleButtonTapped)
    await expectIssue(
      """
      1 received action(s) must be asserted before the next is sent.

        Sent: .looked

        Received, not asserted:
        • .doubled(2)

      Assert them with `receive`, or skip them with `skipReceivedActions`.
      """
    ) { await store.send(.looked) }
  }

  @Test func nothingReceivedWhileAnEffectRuns() async {
    let clock = TestClock()
    let store = makeStore(clock: clock)
    await store.send(.startButtonTapped) { $0.isTicking = true }
    await expectIssue(
      """
      An action was expected, but none was received.

        Expected: .ticked

      These effects run and have not sent it:
        • ComposableTestingTests/Counter.swift:44

      If one sleeps on a `TestClock`, advance the clock first. If one waits for a stream, let the \
      stream yield. If one works outside the store's executor, give `receive` a longer timeout.
      """
    ) { await store.receive(.ticked, timeout: .zero) }
    await store.skipInFlightEffects()
  }

  @Test func nothingOfACaseOrConditionReceived() async {
    let store = makeStore()
    let reason = """
      No effect runs that could send it. Either the action before did not return the effect, or \
      the effect ended, or was cancelled, without sending.
      """
    await expectIssue(
      """
      An action was expected, but none was received.

        Expected: an action of the case that holds a Int

      \(reason)
      """
    ) { await store.receive(Counter.Action.doubledCase) }
    await expectIssue(
      """
      An action was expected, but none was received.

        Expected: .doubled(1)

      \(reason)
      """
    ) { await store.receive(Counter.Action.doubledCase, 1) }
    await expectIssue(
      """
      An action was expected, but none was received.

        Expected: an action that fulfils the condition

      \(reason)
      """
    ) { await store.receive(where: { $0 == .ticked }) }
  }

  @Test func anotherActionThanOfTheConditionReceived() async {
    let store = makeStore(count: 1)
    await store.send(.doubleButtonTapped)
    await expectIssue(
      """
      A different action was received than expected.

        Expected: an action that fulfils the condition
        Received: .doubled(2)

      Assert the actions in the order in which the effects send them.
      """
    ) { await store.receive(where: { $0 == .ticked }) }
    // The received action counts as asserted, so that one mistake is one failure.
    #expect(store.state.count == 2)
  }

  @Test func assertionThatThrows() async {
    struct Failure: Error, CustomStringConvertible { var description: String { "no such row" } }
    let store = makeStore()
    await expectIssue("The assertion threw an error: no such row") {
      await store.send(.looked) { _ in throw Failure() }
    }
  }
}
