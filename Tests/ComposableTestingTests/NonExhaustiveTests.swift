import Composable
import ComposableTesting
import Testing

/// Tests that assert only a part of what happens.
@MainActor @Suite struct NonExhaustiveTests {
  /// Sends three actions at once, and one after a second.
  private struct Feature: Reducer {
    struct State: Equatable, Sendable {
      var log: [String] = []
      var count = 0
    }

    let clock: TestClock

    var body: some Reducer<State, String> {
      Reduce { [clock] state, action in
        state.count += 1
        guard action != "start" else {
          return .merge(
            .send("a"), .send("b"), .send("c"),
            .run { send in
              try await clock.sleep(for: .seconds(1))
              await send("later")
            })
        }
        state.log.append(action)
        return .none
      }
    }
  }

  private let clock = TestClock()

  private func makeStore(_ exhaustivity: Exhaustivity = .off) -> TestStore<Feature.State, String> {
    let store = TestStore(initialState: Feature.State()) { Feature(clock: clock) }
    store.exhaustivity = exhaustivity
    return store
  }

  @Test(arguments: [Exhaustivity.off, .off(showSkippedAssertions: true)])
  func aReceiveThatFindsNothingLeavesTheQueue(exhaustivity: Exhaustivity) async {
    let store = makeStore(.off)
    await store.send("start")
    await expectIssue(
      """
      An action was expected, but none was received.

        Expected: "missing"

      Received, and left for other assertions:
        • "a"
        • "b"
        • "c"

      These effects run and have not sent it:
        • ComposableTestingTests/NonExhaustiveTests.swift:22

      If one sleeps on a `TestClock`, advance the clock first. If one waits for a stream, let the \
      stream yield. If one works outside the store's executor, give `receive` a longer timeout.
      """
    ) { await store.receive("missing", timeout: .zero) }
    store.exhaustivity = exhaustivity == .off ? .off : .on
    await store.receive("a") {
      $0.log = ["a"]
      $0.count = 2
    }
    await store.receive("b") {
      $0.log = ["a", "b"]
      $0.count = 3
    }
    await store.receive("c") {
      $0.log = ["a", "b", "c"]
      $0.count = 4
    }
    await store.skipInFlightEffects()
  }

  @Test func whatWasSkippedHasHappened() async {
    let store = makeStore()
    await store.send("start")
    await store.receive("c") {
      $0.log = ["a", "b", "c"]
      $0.count = 4
    }
    #expect(store.state.count == 4)
    // The action was skipped, because it was sent before the asserted one.
    await withKnownIssue { await store.receive("a", timeout: .zero) }
  }

  @Test func aPartOfTheChangeMayBeSaid() async {
    let store = makeStore()
    await store.send("x") { $0.count = 1 }
    await store.send("y") { $0.log = ["x", "y"] }
    await store.send("z")
    #expect(store.state.count == 3)
  }

  @Test func whatIsSaidOfAPartIsChecked() async {
    let store = makeStore()
    await withKnownIssue { await store.send("x") { $0.count = 2 } }
    // The test continues from the actual state.
    await store.send("y") { $0.count = 2 }
  }

  @Test func aTestMayBecomeExhaustive() async {
    let store = makeStore()
    await store.send("start")
    await store.receive("b")
    store.exhaustivity = .on
    await store.receive("c") {
      $0.count = 4
      $0.log = ["a", "b", "c"]
    }
    await clock.advance(by: .seconds(1))
    await store.receive("later") {
      $0.count = 5
      $0.log.append("later")
    }
  }

  @Test func aSendAmongReceivedActionsPassesOverThem() async {
    let store = makeStore()
    await store.send("start")
    await store.send("x") { $0.count = 5 }
    #expect(store.state.log == ["a", "b", "c", "x"])
  }

  @Test func aReceiveWaitsForTheClockThatTheTestMoves() async {
    let store = makeStore()
    await store.send("start")
    await clock.advance(by: .seconds(1))
    await store.receive("later") { $0.count = 5 }
    await store.receive(where: { $0 == "later" || true }, timeout: .zero, isMissing: true)
  }

  @Test func conditionsAndPathsSearchTheQueueToo() async {
    let store = makeStore()
    await store.send("start")
    await store.receive(where: { $0 > "a" }) { $0.count = 3 }
    await store.receive(CasePath<String, Character>({ "\($0)" }, { $0.first }), "c") {
      $0.count = 4
    }
  }
}

extension TestStore {
  /// Expects that no action satisfying a condition is received.
  fileprivate func receive(
    where matches: @escaping (Action) -> Bool, timeout: Duration, isMissing: Bool
  ) async {
    await withKnownIssue { await receive(where: matches, timeout: timeout) }
  }
}
