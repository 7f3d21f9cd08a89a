import Composable
import ComposableTesting
import Testing

/// What a test store lets pass when it isn't exhaustive, and the warnings that it records.
@MainActor @Suite struct ExhaustivityTests {
  private func makeStore(_ exhaustivity: Exhaustivity) -> TestStoreOf<Counter> {
    let store = TestStore(initialState: Counter.State(count: 1), reducer: { Counter() }) {
      $0.continuousClock = TestClock()
    }
    store.exhaustivity = exhaustivity
    return store
  }

  @Test func offAssertsOnlyWhatIsSaid() async {
    let store = makeStore(.off)
    await store.send(.incrementButtonTapped)
    await store.send(.incrementButtonTapped) { $0.count = 3 }
    await store.send(.doubleButtonTapped)
    await store.send(.startButtonTapped) { $0.count = 6 }
  }

  @Test func offStillFailsForAWrongAssertion() async {
    let store = makeStore(.off)
    await expectIssue(
      """
      The state changed, but not as asserted.

        Action: .incrementButtonTapped

          Counter.State(
        −   count: 5
        +   count: 2
            … (2 unchanged)
          )

      Lines with − were asserted, lines with + are what the reducer made.
      """
    ) { await store.send(.incrementButtonTapped) { $0.count = 5 } }
  }

  @Test func offReceiveSearchesTheQueueAndListsWhatItSkipped() async {
    let store = TestStore(initialState: Counter.State(count: 1)) {
      Reduce<Counter.State, Counter.Action> { state, action in
        action == .looked
          ? .merge(.send(.ticked), .send(.doubled(3)), .send(.incrementButtonTapped)) : .none
      }
    }
    store.exhaustivity = .off(showSkippedAssertions: true)  // What is tested.
    await store.send(.looked)
    await expectIssue(
      """
      2 received action(s) were skipped.

        • .ticked
        • .doubled(3)
      """
    ) { await store.receive(.incrementButtonTapped) }
    await expectIssue(
      """
      An action was expected, but none was received.

        Expected: .ticked

      No effect runs that could send it. Either the action before did not return the effect, or \
      the effect ended, or was cancelled, without sending.
      """
    ) { await store.receive(.ticked) }
  }

  @Test func skipsReceivedActionsAndInFlightEffects() async {
    let store = makeStore(.on)
    await store.send(.doubleButtonTapped)
    await store.skipReceivedActions()
    #expect(store.state.count == 2)
    await store.send(.startButtonTapped) { $0.isTicking = true }
    await store.skipInFlightEffects()
    await store.finish()
    await expectIssue("There are no received actions to skip. Remove this line.") {
      await store.skipReceivedActions()
    }
    await expectIssue("There are no running effects to skip. Remove this line.") {
      await store.skipInFlightEffects()
    }
  }

  @Test func finishFailsForWhatIsLeft() async {
    let store = makeStore(.on)
    await store.send(.startButtonTapped) { $0.isTicking = true }
    await expectIssue(
      """
      The test ends while 1 effect(s) still run, started at

        • ComposableTestingTests/Counter.swift:44

      Let them end: advance the clock on which they sleep, finish the stream that they read, or \
      send the action that cancels them. An effect that must outlive the test is skipped \
      with `skipInFlightEffects`.
      """
    ) { await store.finish(timeout: .zero) }
  }

  @Test func assertsTheStateInBetween() async {
    let store = makeStore(.on)
    store.assert { $0.count = 1 }
    await expectIssue(
      """
      The state is not as asserted.

          Counter.State(
        −   count: 2
        +   count: 1
            … (2 unchanged)
          )
      """
    ) { store.assert { $0.count = 2 } }
  }

  @Test func theTaskOfASendCanBeAwaitedAndCancelled() async {
    let store = makeStore(.on)
    let task = await store.send(.startButtonTapped) { $0.isTicking = true }
    await expectIssue(
      """
      The effects of an action were expected to end, but they still run.

      If one sleeps on a `TestClock`, advance the clock first. If one runs until it is cancelled, \
      `cancel` the task.
      """
    ) { await task.finish(timeout: .zero) }
    await task.cancel()
    await task.finish()
  }

  @Test func offTurnsWhatIsLeftAtTheEndIntoNotes() async {
    await expectNotes([
      """
      The test ends with 1 received action(s) that were not asserted.

        • .doubled(2)

      Assert them with `receive`, or skip them with `skipReceivedActions`.
      """,
      """
      The test ends while 1 effect(s) still run, started at

        • ComposableTestingTests/Counter.swift:44

      Let them end: advance the clock on which they sleep, finish the stream that they read, or \
      send the action that cancels them. An effect that must outlive the test is skipped \
      with `skipInFlightEffects`.
      """,
    ]) {
      let store = makeStore(.off(showSkippedAssertions: true))
      await store.send(.startButtonTapped) { $0.isTicking = true }
      await store.send(.doubleButtonTapped)
    }
  }

  @Test func offNotesWhatWasNotAsserted() async {
    let store = makeStore(.off(showSkippedAssertions: true))
    await expectNotes([
      """
      A state change was not asserted.

          Counter.State(
        −   count: 1
        +   count: 2
            … (2 unchanged)
          )
      """
    ]) { await store.send(.incrementButtonTapped) }
    await store.send(.doubleButtonTapped)
    await expectNotes([
      """
      1 received action(s) were skipped.

        • .doubled(4)
      """
    ]) { await store.skipReceivedActions() }
  }

  @Test func finishReceivesAndSharedChangesOfATestThatIsNotExhaustiveAreNotAsked() async {
    let store = makeStore(.off)
    await store.send(.doubleButtonTapped)
    await store.finish()
    #expect(store.state.count == 2)
  }
}
