import Composable
import ComposableTesting
import Testing

/// Ids that are used only once leave nothing behind.
@MainActor @Suite struct OnceUsedIdsTests {
  private enum Way: CaseIterable { case throttle, debounce, cancellable, cancel, delayed }

  private struct Rows: Reducer {
    struct State: Sendable {
      var rows = IdentifiedArray(uniqueElements: (0..<2_000).map { Worker.State(id: $0) })
    }

    typealias Action = IdentifiedAction<Int, Worker.Action>

    let clock: ImmediateClock
    let way: Way

    var body: some ReducerOf<Self> {
      EmptyReducer().forEach(\.rows, action: CasePath({ $0 }, { $0 })) {
        Reduce { state, action in
          guard action == .startButtonTapped else { return .none }
          let effect = Effect<Worker.Action>.run { send in await send(.worked) }
          return switch way {
          case .throttle: effect.throttle(id: state.id, for: .zero, clock: clock, latest: true)
          case .debounce: effect.debounce(id: state.id, for: .zero, clock: clock)
          case .cancellable: effect.cancellable(id: state.id, cancelInFlight: true)
          case .cancel: .cancel(id: state.id)
          case .delayed: .concatenate(effect, .cancel(id: state.id), effect)
          }
        }
      }
    }
  }

  @Test(arguments: Way.allCases) private func leaveNothingBehind(way: Way) async {
    let executor = TestExecutor()
    let core = RootCore(
      initialState: Rows.State(), reducer: Rows(clock: ImmediateClock(), way: way).erased(),
      dependencies: .current, scheduler: executor)
    for id in 0..<2_000 {
      _ = core.send(.element(id: id, action: .startButtonTapped))
      executor.drain()
    }
    #expect(core.isIdle)
    if way == .throttle {
      #expect(core.throttleCount <= 17)
    } else {
      #expect(core.isTableEmpty)
    }
  }

  @Test func aWindowIsForgottenOnceItIsOverThoughItWasOpenAtTheLastLook() async {
    let clock = TestClock()
    let core = RootCore(
      initialState: 0,
      reducer: Reduce<Int, Int> { _, id in
        id > 0
          ? .send(-id).throttle(
            id: id, for: id <= 17 ? .seconds(1) : .zero, clock: clock, latest: true)
          : .none
      }.erased(),
      dependencies: .current)
    for id in 1...17 { _ = core.send(id) }
    #expect(core.throttleCount == 17)
    await clock.advance(by: .seconds(1))
    for id in 18...35 { _ = core.send(id) }
    #expect(core.throttleCount == 0)
    #expect(core.isTableEmpty)
  }

  @Test func aWindowThatIsOpenIsNeverForgotten() async {
    let clock = TestClock()
    let store = TestStore(initialState: [Int]()) {
      Reduce<[Int], Int> { state, id in
        if id < 0 {
          state.append(-id)
          return .none
        }
        return .send(-id).throttle(
          id: id, for: .seconds(id == 1 ? 10 : 1), clock: clock, latest: true)
      }
    }
    store.exhaustivity = .off  // The hundred actions are asserted together.
    for id in 1...100 {
      await store.send(id)
      await clock.advance(by: .seconds(1) / 20)
    }
    await store.skipReceivedActions()
    #expect(store.state == Array(1...100))
    // Id 1 is still within its ten seconds.
    await store.send(1)
    await store.skipReceivedActions(strict: false)
    #expect(store.state.count == 100)
    await clock.run()
    await store.receive(-1)
    await store.finish()
  }
}
