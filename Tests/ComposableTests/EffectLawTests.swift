import Composable
import ComposableTesting
import Testing

/// Rules that hold for all combinations of effects.
@MainActor @Suite struct EffectLawTests {
  private enum ID: Hashable, Sendable {
    case outer
    case download(Int)
  }

  private let clock = TestClock()

  /// Sends a name after a number of seconds.
  private nonisolated static func later(
    _ name: String, _ clock: TestClock, _ seconds: Int = 1
  ) -> Effect<String> {
    .run { send in
      try await clock.sleep(for: .seconds(seconds))
      await send(name)
    }
  }

  /// Returns a store whose actions start these effects and which logs all other actions.
  private func makeStore(
    _ effects: [String: @Sendable (TestClock) -> Effect<String>]
  ) -> TestStore<[String], String> {
    let store = TestStore(initialState: [String]()) { [clock] in
      Reduce<[String], String> { state, action in
        if let effect = effects[action] { return effect(clock) }
        state.append(action)
        return .none
      }
    }
    store.exhaustivity = .off  // The tests assert the log, which has every action in order.
    return store
  }

  /// Sends "start", runs the clock, and expects these actions in the log.
  private func expect(
    _ names: [String], _ effect: @escaping @Sendable (TestClock) -> Effect<String>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let store = makeStore(["start": effect])
    await store.send("start")
    await clock.run()
    await store.skipReceivedActions(strict: false)
    #expect(store.state == names, sourceLocation: sourceLocation)
    await store.finish(timeout: .zero)
  }

  // MARK: Cancellation

  @Test func whatIsCancelledBeforeItInAMergeLivesAndAfterItDoesNot() async {
    await expect(["a"]) {
      .merge(.cancel(id: 1), Self.later("a", $0).cancellable(id: 1))
    }
    await expect([]) {
      .merge(Self.later("a", $0).cancellable(id: 1), .cancel(id: 1))
    }
  }

  @Test func ofSeveralInOneMergeTheLastInFlightLives() async {
    await expect(["c"]) { clock in
      .merge(
        ["a", "b", "c"].map { Self.later($0, clock).cancellable(id: 1, cancelInFlight: true) })
    }
  }

  @Test func anInnerIDEndsTheInnerAndAnOuterIDBoth() async {
    @Sendable nonisolated func nested(_ clock: TestClock) -> Effect<String> {
      .merge(
        Self.later("a", clock).cancellable(id: ID.download(1)),
        Self.later("b", clock).cancellable(id: ID.download(2))
      )
      .cancellable(id: ID.outer)
    }
    await expect(["b"]) { .merge(nested($0), .cancel(id: ID.download(1))) }
    await expect([]) { .merge(nested($0), .cancel(id: ID.outer)) }
    await expect(["a", "b"]) { .merge(nested($0), .cancel(id: ID.download(3))) }
  }

  @Test func anActionThatIsSentAtOnceStopsWhatIsInFlight() async {
    let store = makeStore([
      "slow": { Self.later("slow came", $0).cancellable(id: 1) },
      "fast": { _ in .send("fast came").cancellable(id: 1, cancelInFlight: true) },
    ])
    await store.send("slow")
    await store.send("fast")
    #expect(clock.sleeps.isEmpty)
    await store.skipReceivedActions()
    #expect(store.state == ["fast came"])
  }

  @Test func mappingKeepsIDs() async {
    await expect([]) {
      .merge(
        Self.later("a", $0).cancellable(id: 1).map { $0 + "!" }.map { $0 + "?" }, .cancel(id: 1))
    }
  }

  @Test func cancellingTwiceOrNothingIsNothing() async {
    await expect(["a"]) {
      .merge(.cancel(id: 1), .cancel(id: 1), Self.later("a", $0), .cancel(id: "none"))
    }
  }

  @Test func aStepThatIsCancelledByItsOwnIDLetsTheNextBegin() async {
    let store = makeStore([
      "start": {
        .concatenate(
          Self.later("a", $0, 5).cancellable(id: 1), Self.later("b", $0),
          Self.later("c", $0))
      },
      "cancel": { _ in .cancel(id: 1) },
    ])
    await store.send("start")
    await store.send("cancel")
    await clock.run()
    await store.skipReceivedActions()
    #expect(store.state == ["b", "c"])
  }

  @Test func whatAnEffectDoesAfterItsCancellationIsSilent() async {
    struct Failure: Error {}
    let store = makeStore([
      "start": { clock in
        .run { send in
          try? await clock.sleep(for: .seconds(1))
          await send("late")
          throw Failure()
        } catch: { _, send in
          await send("handled")
        }
        .cancellable(id: 1)
      },
      "cancel": { _ in .cancel(id: 1) },
    ])
    await store.send("start")
    await store.send("cancel")
    await store.finish()
    #expect(store.state.isEmpty)
  }

  @Test func aHandlerOfErrorsIsCancelledWithItsEffect() async {
    struct Failure: Error {}
    let store = makeStore([
      "start": { clock in
        .run { _ in
          throw Failure()
        } catch: { _, send in
          try? await clock.sleep(for: .seconds(1))
          await send("handled")
        }
        .cancellable(id: 1)
      },
      "cancel": { _ in .cancel(id: 1) },
    ])
    await store.send("start")
    #expect(clock.sleeps.count == 1)
    await store.send("cancel")
    #expect(clock.sleeps.isEmpty)
    await store.finish()
  }

  @Test func anEffectMayCancelItselfByAnAction() async {
    let store = makeStore([
      "start": { clock in
        .run { send in
          await send("cancel")
          await send("late")
        }
        .cancellable(id: 1)
      },
      "cancel": { _ in .cancel(id: 1) },
    ])
    await store.send("start")
    await store.finish(timeout: .zero)
    #expect(store.state.isEmpty)
  }

  @Test func anEffectThatStartsItselfAgainIsCancelledAndTheNewOneRuns() async {
    let store = makeStore([
      "start": { _ in
        .run { send in
          await send("again")
          await send("late")
        }
        .cancellable(id: 1, cancelInFlight: true)
      },
      "again": { Self.later("done", $0).cancellable(id: 1, cancelInFlight: true) },
    ])
    await store.send("start")
    await clock.run()
    await store.skipReceivedActions()
    #expect(store.state == ["done"])
    await store.finish(timeout: .zero)
  }

  // MARK: Sequences

  @Test func aStepWithSeveralEffectsEndsWithTheLastOfThem() async {
    await expect(["a", "b", "c"]) {
      .concatenate(
        .merge(Self.later("a", $0, 1), Self.later("b", $0, 3)), Self.later("c", $0, 1))
    }
    #expect(clock.now.offset == .seconds(4))
  }

  @Test func sequencesWithinSequencesKeepTheirOrder() async {
    await expect(["a", "b", "c", "d"]) {
      .concatenate(
        .concatenate(Self.later("a", $0), .send("b")),
        .concatenate(.none, Self.later("c", $0)), .send("d"))
    }
  }

  @Test func aStepThatThrowsLetsTheNextBegin() async {
    await expect(["a"]) { _ in
      .concatenate(.run { _ in throw CancellationError() }, .send("a"))
    }
  }

  @Test func aHundredThousandStepsTakeNoStack() async {
    let store = Store(initialState: 0) {
      Reduce<Int, Bool> { state, isStart in
        if !isStart { state += 1 }
        return isStart ? .concatenate((0..<100_000).map { _ in .send(false) }) : .none
      }
    }
    await store.send(true).finish()
    #expect(store.state == 100_000)
  }

  @Test func aThousandEffectsMergedOneByOne() async {
    let store = Store(initialState: 0) {
      Reduce<Int, Bool> { state, isStart in
        if !isStart { state += 1 }
        return isStart
          ? (0..<1_000).reduce(Effect.none) { effect, _ in effect.merge(with: .send(false)) }
          : .none
      }
    }
    await store.send(true).finish()
    #expect(store.state == 1_000)
  }

  // MARK: Mapping

  @Test func mappingByNothingChangesNothingAndTwoMapsAreOne() async {
    @Sendable nonisolated func all(_ clock: TestClock) -> Effect<String> {
      .merge(
        .send("a"), Self.later("b", clock), .concatenate(Self.later("c", clock, 2), .send("d")),
        .send("e").debounce(id: 1, for: .seconds(4), clock: clock))
    }
    await expect(["a", "b", "c", "d", "e"]) { all($0) }
    await expect(["a", "b", "c", "d", "e"]) { all($0).map { $0 } }
    await expect(["a?!", "b?!", "c?!", "d?!", "e?!"]) {
      all($0).map { $0 + "?" }.map { $0 + "!" }
    }
    await expect(["a?!", "b?!", "c?!", "d?!", "e?!"]) { all($0).map { $0 + "?" + "!" } }
  }

  // MARK: Time

  @Test func onlyTheLastOfManyDebouncedRunsAndEachIDHasItsOwnSilence() async {
    var effects: [String: @Sendable (TestClock) -> Effect<String>] = [:]
    for number in 1...5 {
      effects["\(number)"] = {
        .send("ran \(number)").debounce(id: number % 2, for: .seconds(1), clock: $0)
      }
    }
    let store = makeStore(effects)
    for number in 1...5 {
      await store.send("\(number)")
      await clock.advance(by: .milliseconds(400))
    }
    await clock.run()
    await store.skipReceivedActions()
    #expect(store.state == ["ran 4", "ran 5"])
  }

  @Test func whatIsDebouncedIsCancelledWhileItWaitsAndWhileItRuns() async {
    let store = makeStore([
      "start": { Self.later("late", $0).debounce(id: 1, for: .seconds(1), clock: $0) },
      "cancel": { _ in .cancel(id: 1) },
    ])
    await store.send("start")
    await store.send("cancel")
    #expect(clock.sleeps.isEmpty)
    await store.send("start")
    await clock.advance(by: .seconds(1))
    #expect(clock.sleeps.count == 1)
    await store.send("cancel")
    #expect(clock.sleeps.isEmpty)
    await store.finish()
    #expect(store.state.isEmpty)
  }

  @Test func throttledEffectsOfOneIDInTwoRowsDoNotHoldEachOtherBack() async {
    let clock = clock
    let store = TestStore(
      initialState: Family.State(rows: [.init(id: 1), .init(id: 2)])
    ) {
      EmptyReducer<Family.State, Family.Action>().forEach(\.rows, action: Family.Action.rowsCase) {
        Reduce { state, action in
          if action == .worked { state.done += 1 }
          return action == .startButtonTapped
            ? Effect.send(.worked).throttle(id: 1, for: .seconds(1), clock: clock, latest: true)
            : .none
        }
      }
    }
    for id in 1...2 {
      await store.send(.rows(.element(id: id, action: .startButtonTapped)))
      await store.receive(Family.Action.rowsCase, .element(id: id, action: .worked)) {
        $0.rows[id: id]?.done = 1
      }
    }
  }

  // MARK: Streams

  @Test func aStreamThatEndsEndsItsEffect() async {
    await expect(["1", "2"]) { _ in
      .stream(
        AsyncStream { continuation in
          continuation.yield(1)
          continuation.yield(2)
          continuation.finish()
        }
      ) { "\($0)" }
    }
  }

  @Test func aStreamIsToldThatItsEffectWasCancelled() async {
    let ended = LockedLog<Bool>()
    let store = makeStore([
      "start": { _ in
        .stream(
          AsyncStream<Int> { continuation in
            continuation.onTermination = {
              if case .cancelled = $0 { ended.append(true) }
            }
          }
        ) { "\($0)" }
        .cancellable(id: 1)
      },
      "cancel": { _ in .cancel(id: 1) },
    ])
    await store.send("start")
    await store.send("cancel")
    await store.finish()
    #expect(ended.values == [true])
  }

  @Test func anEffectHasTheTaskLocalValuesOfItsSend() async {
    let store = makeStore([
      "start": { clock in
        .run { send in
          try await clock.sleep(for: .seconds(1))
          await send(Asking.reason)
        }
      },
      "later": { _ in .send("start") },
    ])
    await Asking.$reason.withValue("asked") { _ = await store.send("start") }
    await Asking.$reason.withValue("asked at once") { _ = await store.send("later") }
    await clock.run()
    await store.skipReceivedActions()
    #expect(store.state == ["asked", "asked at once"])
  }

  @Test func nothingAmongEffectsIsNothing() async {
    await expect([]) { _ in .merge([]) }
    await expect([]) { _ in .concatenate([]) }
    await expect(["a", "b"]) {
      .concatenate(.none, Self.later("a", $0), .merge(.none), Self.later("b", $0), .none)
    }
    let store = makeStore(["start": { _ in .merge(.none, .concatenate(.none), .merge([])) }])
    #expect(await store.send("start").isFinished)
  }

  // MARK: Tasks of sends

  @Test func theTaskOfASendWithoutEffectsIsOver() async {
    let store = makeStore([:])
    let task = await store.send("nothing")
    #expect(task.isFinished)
    await task.finish(timeout: .zero)
    await task.cancel()
  }

  @Test func cancellingTheTaskOfOneSendLeavesThoseOfOthers() async {
    let store = makeStore([
      "a": { Self.later("a came", $0) }, "b": { Self.later("b came", $0) },
    ])
    let first = await store.send("a")
    let second = await store.send("b")
    await first.cancel()
    #expect(first.isCancelled)
    #expect(!second.isCancelled)
    await clock.run()
    await second.finish()
    await store.skipReceivedActions()
    #expect(store.state == ["b came"])
  }

  @Test func sendingManyTimesFromOneEffectKeepsTheOrder() async {
    await expect((0..<500).map(String.init)) { _ in
      .run { send in
        for number in 0..<500 { await send("\(number)") }
      }
    }
  }
}

private enum Asking {
  @TaskLocal static var reason = "none"
}
