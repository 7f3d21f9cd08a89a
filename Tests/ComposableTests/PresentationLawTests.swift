import Composable
import ComposableTesting
import Testing

/// The lifetimes of presented children and stack elements, and of their effects.
@MainActor @Suite struct PresentationLawTests {
  private let clock = TestClock()

  private func makeStore(
    _ state: Family.State,
    after: @escaping @Sendable (inout Family.State, Family.Action) -> Void = { _, _ in }
  ) -> TestStoreOf<Family> {
    TestStore(initialState: state, reducer: { Family(after: after) }) {
      $0.continuousClock = clock
    }
  }

  @Test func aParentThatActsOrChangesTheChildLeavesItsEffects() async {
    let store = makeStore(.init(sheet: .init()))
    await store.send(.sheet(.presented(.startButtonTapped)))
    await store.send(.first(.worked)) { $0.first.done = 1 }
    await store.send(.change { $0.sheet?.worker.done = 5 }) { $0.sheet?.worker.done = 5 }
    await store.send(.change { $0.sheet = .init(worker: .init(done: 6)) }) {
      $0.sheet?.worker.done = 6
    }
    #expect(clock.sleeps.count == 1)
    await clock.advance(by: .seconds(1))
    await store.receive(Family.Action.sheetCase, .presented(.worked)) {
      $0.sheet?.worker.done = 7
    }
    await store.finish()
  }

  @Test func whatTheChildDoesAfterItsDismissalIsSilent() async {
    struct Child: Reducer {
      @Dependency(\.dismiss) var dismiss
      var body: some Reducer<PlainWorker.State, Worker.Action> {
        Reduce { _, action in
          .run { [dismiss] send in
            await dismiss()
            await send(.worked)
            await dismiss()
          }
        }
      }
    }
    let store = TestStore(initialState: Family.State(sheet: .init())) {
      EmptyReducer<Family.State, Family.Action>()
        .ifLet(\.$sheet, action: Family.Action.sheetCase) { Child() }
    }
    await store.send(.sheet(.presented(.closeButtonTapped)))
    await store.receive(Family.Action.sheetCase, .dismiss) { $0.sheet = nil }
    await store.finish(timeout: .zero)
  }

  @Test func whatTheChildSaysBeforeItsDismissalIsHeard() async {
    struct Child: Reducer {
      @Dependency(\.dismiss) var dismiss
      var body: some Reducer<PlainWorker.State, Worker.Action> {
        Reduce { state, action in
          if case .worked = action { state.worker.done += 1 }
          guard case .closeButtonTapped = action else { return .none }
          return .run { [dismiss] send in
            await send(.worked)
            await dismiss()
          }
        }
      }
    }
    let store = TestStore(initialState: Family.State(sheet: .init())) {
      EmptyReducer<Family.State, Family.Action>()
        .ifLet(\.$sheet, action: Family.Action.sheetCase) { Child() }
    }
    await store.send(.sheet(.presented(.closeButtonTapped)))
    await store.receive(Family.Action.sheetCase, .presented(.worked)) {
      $0.sheet?.worker.done = 1
    }
    await store.receive(Family.Action.sheetCase, .dismiss) { $0.sheet = nil }
    await store.finish(timeout: .zero)
  }

  @Test func aChildMayTellItsParentWhichThenTakesItAway() async {
    let store = makeStore(.init(sheet: .init())) { state, action in
      if case .sheet(.presented(.worked)) = action { state.sheet = nil }
    }
    await store.send(.sheet(.presented(.startButtonTapped)))
    await clock.advance(by: .seconds(1))
    await store.receive(Family.Action.sheetCase, .presented(.worked)) { $0.sheet = nil }
    await store.finish(timeout: .zero)
  }

  @Test func twoThatArePresentedAtOnceDoNotTouchEachOther() async {
    let store = makeStore(.init(optional: .init(), sheet: .init()))
    await store.send(.sheet(.presented(.startButtonTapped)))
    await store.send(.optional(.startButtonTapped))
    await store.send(.sheet(.dismiss)) { $0.sheet = nil }
    #expect(clock.sleeps.count == 1)
    await store.send(.optional(.cancelButtonTapped))
    await store.finish(timeout: .zero)
  }

  @Test func aChildThatIsPresentedAgainStartsAfresh() async {
    let store = makeStore(.init())
    for _ in 1...3 {
      await store.send(.change { $0.sheet = .init() }) { $0.sheet = .init() }
      await store.send(.sheet(.presented(.startButtonTapped)))
      #expect(clock.sleeps.count == 1)
      await store.send(.sheet(.dismiss)) { $0.sheet = nil }
      #expect(clock.sleeps.isEmpty)
    }
    await store.finish(timeout: .zero)
  }

  @Test func anOlderStateThatComesBackKeepsThePresentationThatItHas() async {
    let store = makeStore(.init(sheet: .init()))
    let older = store.state
    await store.send(.sheet(.presented(.startButtonTapped)))
    await store.send(.sheet(.presented(.worked))) { $0.sheet?.worker.done = 1 }
    await store.send(.change { $0 = older }) { $0 = older }
    #expect(clock.sleeps.count == 1)
    await store.skipInFlightEffects()
  }

  @Test func aReplacementWithinTheSendOfTheDismissalIsAnotherPresentation() async {
    let store = makeStore(.init(sheet: .init())) { state, action in
      if case .sheet(.presented(.worked)) = action {
        state.sheet = nil
        state.sheet = .init()
      }
    }
    await store.send(.sheet(.presented(.startButtonTapped)))
    await store.send(.sheet(.presented(.worked)))
    #expect(clock.sleeps.isEmpty)
    await store.finish(timeout: .zero)
  }

  @Test func aHundredPresentationsInOneTurnLeaveNothing() async {
    let executor = TestExecutor()
    let core = RootCore(
      initialState: Family.State(), reducer: Family().erased(),
      dependencies: DependencyValues.current, scheduler: executor)
    withDependencies {
      $0.continuousClock = clock
    } operation: {
      core.dependencies = .current
      for _ in 1...100 {
        _ = core.send(.change { $0.sheet = .init() })
        _ = core.send(.sheet(.presented(.startButtonTapped)))
        _ = core.send(.sheet(.dismiss))
      }
    }
    executor.drain()
    #expect(core.isTableEmpty)
    #expect(clock.sleeps.isEmpty)
  }

  // MARK: Rows

  @Test func aRowThatMovesKeepsItsEffects() async {
    let store = makeStore(.init(rows: [.init(id: 1), .init(id: 2), .init(id: 3)]))
    await store.send(.rows(.element(id: 1, action: .startButtonTapped)))
    await store.send(.change { $0.rows.reverse() }) { $0.rows.reverse() }
    await store.send(.change { $0.rows.remove(atOffsets: [0]) }) { $0.rows.remove(id: 3) }
    await store.send(.change { $0.rows[id: 1] = .init(id: 1, done: 9) }) {
      $0.rows[id: 1]?.done = 9
    }
    #expect(clock.sleeps.count == 1)
    await clock.advance(by: .seconds(1))
    await store.receive(Family.Action.rowsCase, .element(id: 1, action: .worked)) {
      $0.rows[id: 1]?.done = 10
    }
    await store.finish()
  }

  @Test func aRowThatGoesAndComesBackInOneSendKeepsItsEffects() async {
    let store = makeStore(.init(rows: [.init(id: 1)]))
    await store.send(.rows(.element(id: 1, action: .startButtonTapped)))
    await store.send(
      .change {
        let row = $0.rows.remove(id: 1)
        if let row { $0.rows.append(row) }
      })
    #expect(clock.sleeps.count == 1)
    await store.skipInFlightEffects()
  }

  // MARK: Stacks

  private func path(_ count: UInt64) -> Family.State {
    var state = Family.State()
    for id in 0..<count { state.path[id: StackElementID(1_000 + id)] = .init() }
    return state
  }

  @Test func anElementInTheMiddleThatDismissesItselfTakesAllAboveIt() async {
    let store = makeStore(path(3))
    for id in 1_000..<1_003 {
      await store.send(
        .path(.element(id: StackElementID(UInt64(id)), action: .startButtonTapped)))
    }
    await store.send(.path(.element(id: 1_001, action: .closeButtonTapped)))
    await store.receive(Family.Action.pathCase, .popFrom(id: 1_001)) { $0.path.pop(to: 1_000) }
    #expect(clock.sleeps.count == 1)
    await store.skipInFlightEffects()
  }

  @Test func anElementThatIsTakenOutOfTheMiddleTakesOnlyItsOwn() async {
    let store = makeStore(path(3))
    for id in 1_000..<1_003 {
      await store.send(
        .path(.element(id: StackElementID(UInt64(id)), action: .startButtonTapped)))
    }
    await store.send(.change { $0.path[id: 1_001] = nil }) { $0.path[id: 1_001] = nil }
    #expect(clock.sleeps.count == 2)
    await store.skipInFlightEffects()
  }

  @Test func elementsThatChangePlacesKeepTheirEffects() async {
    let store = makeStore(path(2))
    await store.send(.path(.element(id: 1_000, action: .startButtonTapped)))
    await store.send(.change { $0.path.reverse() }) { $0.path.reverse() }
    await store.send(.change { $0.path[0].done = 3 }) { $0.path[id: 1_001]?.done = 3 }
    await clock.advance(by: .seconds(1))
    await store.receive(Family.Action.pathCase, .element(id: 1_000, action: .worked)) {
      $0.path[1].done = 1
    }
    await store.finish()
  }

  @Test func aStackSaysWhatIsOnIt() {
    var stack: StackState<String> = ["a", "b"]
    #expect(stack.count == 2)
    #expect(stack.last == "b")
    #expect(stack.dropFirst().map(\.self) == ["b"])
    #expect(stack[id: 12_345] == nil)
    stack.pop(from: 12_345)
    stack.pop(to: 12_345)
    #expect(stack.count == 2)
    let id = stack.ids[1]
    #expect(stack != StackState(["a", "b"]))
    #expect(stack.modify(id: id) { $0.count } == 1)
    stack.removeAll()
    #expect(stack.isEmpty)
  }
}
