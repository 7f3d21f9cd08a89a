import Composable
import ComposableTesting
import Testing

/// Debounced and throttled effects, streams and timers, driven by a test clock.
@MainActor @Suite struct TimeTests {
  private let clock = TestClock()

  private enum Action: Equatable, Sendable {
    case send(Int)
    case cancel
    case emitted(Int)
  }

  private func store(
    _ effect: @escaping @Sendable (Effect<Action>) -> Effect<Action>
  ) -> TestStore<[Int], Action> {
    TestStore(initialState: []) {
      Reduce { state, action in
        switch action {
        case .send(let value): return effect(.send(.emitted(value)))
        case .cancel: return .cancel(id: "id")
        case .emitted(let value):
          state.append(value)
          return .none
        }
      }
    } withDependencies: {
      $0.continuousClock = clock
    }
  }

  @Test func debounceWaitsForSilence() async {
    let store = store { $0.debounce(id: "id", for: .seconds(1)) }
    await store.send(.send(1))
    await clock.advance(by: .milliseconds(900))
    await store.send(.send(2))
    await clock.advance(by: .milliseconds(999))
    await clock.advance(by: .milliseconds(1))
    await store.receive(.emitted(2), timeout: .zero) { $0 = [2] }
    await store.send(.send(3))
    await clock.advance(by: .milliseconds(500))
    await store.send(.cancel)
    await clock.advance(by: .seconds(5))
    await store.finish()
  }

  @Test func throttleEmitsTheFirstAndTheLatestOfATime() async {
    let store = store { $0.throttle(id: "id", for: .seconds(1), latest: true) }
    await store.send(.send(1))
    await store.receive(.emitted(1)) { $0 = [1] }
    await store.finish(timeout: .zero)
    await clock.advance(by: .milliseconds(250))
    await store.send(.send(2))
    await store.send(.send(3))
    await clock.advance(by: .milliseconds(749))
    await store.send(.send(4))
    await clock.advance(by: .milliseconds(1))
    await store.receive(.emitted(4)) { $0 = [1, 4] }
    await store.finish(timeout: .zero)
    // The next window begins with what was sent at the end of the last one.
    await clock.advance(by: .milliseconds(500))
    await store.send(.send(5))
    await clock.advance(by: .milliseconds(500))
    await store.receive(.emitted(5)) { $0 = [1, 4, 5] }
    await clock.advance(by: .seconds(1))
    await store.send(.send(6))
    await store.receive(.emitted(6)) { $0 = [1, 4, 5, 6] }
    await store.finish(timeout: .zero)
  }

  @Test func throttleEmitsTheFirstOfATimeIfNotTheLatest() async {
    let store = store { $0.throttle(id: "id", for: .seconds(1), latest: false) }
    await store.send(.send(1))
    await store.receive(.emitted(1)) { $0 = [1] }
    await store.send(.send(2))
    await store.send(.send(3))
    await clock.advance(by: .seconds(1))
    await store.receive(.emitted(2)) { $0 = [1, 2] }
    await store.finish(timeout: .zero)
  }

  @Test func cancelDropsWhatAThrottleHoldsBack() async {
    let store = store { $0.throttle(id: "id", for: .seconds(1), latest: true) }
    await store.send(.send(1))
    await store.receive(.emitted(1)) { $0 = [1] }
    await store.send(.send(2))
    await store.send(.cancel)
    await clock.advance(by: .milliseconds(500))
    await store.send(.send(3))
    await clock.advance(by: .milliseconds(500))
    await store.receive(.emitted(3)) { $0 = [1, 3] }
    await store.finish(timeout: .zero)
  }

  @Test func streamSendsAnActionForEachElement() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let store = store { _ in .stream(stream) { .emitted($0) } }
    await store.send(.send(0))
    continuation.yield(1)
    await store.receive(.emitted(1)) { $0 = [1] }
    continuation.yield(2)
    continuation.finish()
    await store.receive(.emitted(2)) { $0 = [1, 2] }
    await store.finish()
  }

  @Test func timersTickExactly() async {
    let store = store { [clock] _ in
      .run { send in
        for await _ in clock.timer(interval: .seconds(1)) {
          await send(.emitted(Int(clock.now.offset / .milliseconds(1))))
        }
      }
      .cancellable(id: "id")
    }
    await store.send(.send(0))
    await clock.advance(by: .milliseconds(2_500))
    await store.receive(.emitted(1_000)) { $0 = [1_000] }
    await store.receive(.emitted(2_000)) { $0 = [1_000, 2_000] }
    await clock.advance(by: .milliseconds(500))
    await store.receive(.emitted(3_000)) { $0 = [1_000, 2_000, 3_000] }
    await store.send(.cancel)
    await store.finish()
  }
}
