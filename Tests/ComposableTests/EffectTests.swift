import Composable
import ComposableTesting
import Testing

/// The actions that each kind of effect sends.
@MainActor @Suite struct EffectTests {
  private struct Failure: Error, CustomStringConvertible {
    var description: String { "no paper" }
  }

  /// Returns a store that logs what the effect of "start" sends.
  private func store(
    _ effect: @escaping @Sendable () -> Effect<String>
  ) -> TestStore<[String], String> {
    TestStore(initialState: []) {
      Reduce { state, action in
        if action == "start" { return effect() }
        state.append(action)
        return .none
      }
    }
  }

  private func expect(
    _ sent: [String], of effect: @escaping @Sendable () -> Effect<String>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let store = store(effect)
    await store.send("start")
    await store.skipReceivedActions(strict: false)
    #expect(store.state == sent, sourceLocation: sourceLocation)
    await store.finish(timeout: .zero)
  }

  @Test func noneSendsNothing() async {
    await expect([]) { .none }
    await expect([]) { .merge(.none, .none) }
    await expect([]) { .concatenate(.none, .none) }
    await expect([]) { Effect.none.cancellable(id: 1) }
    await expect([]) { Effect.none.map { (action: Int) in "\(action)" } }
  }

  @Test func effectsAreMergedAndConcatenatedWithEachOther() async {
    await expect(["a", "b"]) { .send("a").merge(with: .send("b")) }
    await expect(["a", "b"]) {
      .run { send in
        await Task.yield()
        await send("a")
      }
      .concatenate(with: .send("b"))
    }
  }

  @Test func mapChangesTheActionsOfEveryKindOfEffect() async {
    @Sendable nonisolated func mapped(_ effect: Effect<Int>) -> Effect<String> {
      effect.map { "\($0)" }
    }
    await expect(["1"]) { mapped(.send(1)) }
    await expect(["1", "2"]) {
      mapped(
        .run { send in
          await send(1)
          await send(2)
        })
    }
    await expect(["3"]) {
      mapped(
        .run { _ in
          throw Failure()
        } catch: { _, send in
          await send(3)
        })
    }
    await expect(["1", "2"]) { mapped(.merge(.send(1), .send(2))) }
    await expect(["1", "2"]) {
      mapped(
        .concatenate(
          .run { send in
            await Task.yield()
            await send(1)
          },
          .send(2)))
    }
    @Sendable nonisolated func never() -> Effect<Int> {
      .run { send in
        try await TestClock().sleep(for: .seconds(1))
        await send(1)
      }
      .cancellable(id: "id")
    }
    await expect(["2"]) {
      .merge(mapped(never()), mapped(.cancel(id: "id")), mapped(.send(2)))
    }
    await expect(["2"]) {
      .merge(mapped(never()), mapped(.send(2).cancellable(id: "id", cancelInFlight: true)))
    }
    await expect(["1"]) {
      mapped(.send(1).throttle(id: "id", for: .seconds(1), clock: TestClock(), latest: true))
    }
  }

  @Test func runHasItsPriority() async {
    await expect(["true"]) {
      .run(priority: .background) { send in
        await send("\(Task.currentPriority == .background)")
      }
    }
  }

  @Test func anErrorOfAStreamGoesToCatch() async {
    @Sendable nonisolated func numbers() -> AsyncThrowingStream<Int, any Error> {
      AsyncThrowingStream { continuation in
        continuation.yield(1)
        continuation.finish(throwing: Failure())
      }
    }
    await expect(["1", "no paper"]) {
      .stream(numbers()) {
        "\($0)"
      } catch: { error, send in
        await send("\(error)")
      }
    }
    let store = store { .stream(numbers()) { "\($0)" } }
    await withKnownIssue {
      await store.send("start")
      await store.receive("1") { $0 = ["1"] }
      await store.finish()
    } matching: {
      $0.comments.first?.rawValue.contains("no paper") == true
    }
  }

  @Test func theTaskOfASendIsAwaitedAndCancelledByWhoAwaitsIt() async {
    let clock = TestClock()
    let store = Store(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state = action
        return action == 1
          ? .run { send in
            try await clock.sleep(for: .seconds(1))
            await send(2)
          } : .none
      }
    }
    let first = store.send(1)
    await clock.waitForSleeps()
    #expect(!first.isFinished)
    await clock.advance(by: .seconds(1))
    await first.finish()
    #expect(store.state == 2)

    let second = store.send(1)
    await clock.waitForSleeps()
    let waiting = Task { await second.finish() }
    waiting.cancel()
    await waiting.value
    #expect(second.isCancelled)
    #expect(second.isFinished)
    #expect(clock.sleeps.isEmpty)
    #expect(store.state == 1)
  }
}
