import Composable
import ComposableTesting
import Testing

/// Lifetimes of stores, effects, observers and scoped stores.
@MainActor @Suite struct LifetimeTests {
  private final class Witness: Sendable {}

  @Test func noTaskOutlivesItsStore() async {
    let executor = TestExecutor()
    let clock = TestClock()
    weak var witness: Witness?
    do {
      let object = Witness()
      witness = object
      let core = RootCore(
        initialState: 0,
        reducer: Reduce<Int, Void> { [object] _, _ in
          .concatenate(
            .run { _ in
              _ = object
              try await clock.sleep(for: .seconds(1))
            },
            .run { _ in _ = object }
          )
          .cancellable(id: "id")
        }.erased(),
        dependencies: .current, scheduler: executor)
      _ = core.send(())
      executor.drain()
      #expect(clock.sleeps.count == 1)
    }
    executor.drain()
    #expect(clock.sleeps.isEmpty)
    // The table's reference cycle between an effect and its scope is broken, too.
    #expect(witness == nil)
  }

  @Test func noCycleBetweenStoreEffectAndObservers() async {
    weak var weakStore: Store<Int, Int>?
    let ended = Gate()
    let task: StoreTask
    do {
      let store = Store(initialState: 0) {
        Reduce<Int, Int> { state, action in
          state = action
          return action == 1
            ? .run { send in
              await ended.wait()
              await send(2)
            } : .none
        }
      }
      weakStore = store
      let token = store.observe { [weak store] in _ = store?.state }
      task = store.send(1)
      token.cancel()
    }
    #expect(weakStore == nil)
    ended.open()
    await task.finish()
  }

  @Test func sendDoesNothingOnceTheStoreIsGone() async {
    let ended = Gate()
    let log = LockedLog<Int>()
    let task: StoreTask
    do {
      let store = Store(initialState: 0) {
        Reduce<Int, Int> { _, action in
          log.append(action)
          return action == 1
            ? .run { send in
              await ended.wait()
              await send(2)
            } : .none
        }
      }
      task = store.send(1)
    }
    ended.open()
    await task.finish()
    #expect(log.values == [1])
  }

  @Test func theSameScopeGivesTheSameStoreWhileItLives() {
    let store = Store(initialState: Family.State(optional: .init())) { Family() }
    let first = store.scope(state: \.first, action: Family.Action.firstCase)
    #expect(first === store.scope(state: \.first, action: Family.Action.firstCase))
    #expect(first !== store.scope(state: \.second, action: Family.Action.secondCase))
    let optional = store.scope(state: \.optional, action: Family.Action.optionalCase)
    #expect(optional != nil)
    #expect(optional === store.scope(state: \.optional, action: Family.Action.optionalCase))
  }

  @Test func aStoreScopedByTwoStepsAndOneScopedByBothAtOnceShowTheSameChild() {
    struct Page: Reducer {
      struct State: Equatable, Sendable { var nest = PlainWorker.State() }
      static let nest = CasePath<Worker.Action, Worker.Action>({ $0 }, { $0 })
      static let worker = CasePath<Worker.Action, Worker.Action>({ $0 }, { $0 })
      static let both = nest.appending(worker)
      var body: some Reducer<State, Worker.Action> {
        Scope(state: \.nest, action: Self.nest) { PlainWorker() }
      }
    }
    let store = Store(initialState: Page.State()) { Page() }
    let steps = store.scope(state: \.nest, action: Page.nest)
      .scope(state: \.worker, action: Page.worker)
    let both = store.scope(state: \.nest.worker, action: Page.both)
    #expect(both === store.scope(state: \.nest.worker, action: Page.both))
    #expect(both !== steps)
    steps.send(.worked)
    both.send(.worked)
    #expect(steps.state == both.state && both.done == 2)
  }

  @Test func aStoreIsTheSameHoweverManyOthersHaveComeAndGone() {
    let rows = IdentifiedArray(uniqueElements: (0..<200).map { Worker.State(id: $0) })
    let store = Store(initialState: Family.State(rows: rows)) { Family() }
    func row(_ id: Int) -> StoreOf<Worker>? {
      store.scope(id: id, state: \.rows, action: Family.Action.rowsCase)
    }
    let first = row(0)
    for id in 1..<200 { #expect(row(id)?.id == id) }
    #expect(first != nil && first === row(0))
  }

  @Test func aScopedStoreKeepsTheRootUsableAfterIntermediateOnesGo() {
    func leaf() -> Store<PlainWorker.State, Worker.Action>? {
      Store(initialState: Family.State(either: .left(.init()))) { Family() }
        .scope(state: \.either, action: Family.Action.eitherCase)?
        .scope(state: Either.State.leftCase, action: Either.Action.leftCase)
    }
    let store = leaf()
    store?.send(.worked)
    #expect(store?.worker.done == 1)
  }

  @Test func aStoreWhoseStateVanishedReadsItsLastValueAndIgnoresSends() {
    let store = Store(initialState: Family.State(rows: [.init(id: 1)])) { Family() }
    let row = store.scope(id: 1, state: \.rows, action: Family.Action.rowsCase)
    row?.send(.worked)
    #expect(row?.done == 1)
    store.send(.change { $0.rows.remove(id: 1) })
    #expect(row?.done == 1)
    withKnownIssue {
      row?.send(.worked)
    } matching: {
      $0.comments.first?.rawValue == """
        An action was sent to a store whose state is gone.

          Action: .worked

        The action was ignored. Release a child's store when the child's state becomes nil.
        """
    }
    #expect(row?.done == 1)
    #expect(store.scope(id: 1, state: \.rows, action: Family.Action.rowsCase) == nil)
  }

  @Test func onlyTheObserversOfChangedRowsAreTold() {
    let rows: IdentifiedArrayOf<Worker.State> = [.init(id: 1), .init(id: 2), .init(id: 3)]
    let store = Store(initialState: Family.State(rows: rows)) { Family() }
    var told: [Int] = []
    let stores = store.scopes(state: \.rows, action: Family.Action.rowsCase)
    let tokens = stores.map { row in row.observe { told.append(row.id) } }
    stores[1].send(.worked)
    #expect(told == [2])
    store.send(.change { $0.rows[id: 3]?.done = 5 })
    #expect(told == [2, 3])
    store.send(.change { $0.rows.remove(id: 1) })
    #expect(told == [2, 3])
    // An older list comes back. Its rows differ, although no row was changed in place.
    store.send(.change { $0.rows = rows })
    #expect(told == [2, 3, 2, 3])
    // The store of a removed row continues with the new row that has its id.
    stores[0].send(.worked)
    #expect(told == [2, 3, 2, 3, 1])
    // A read in another observer never returns the value from before the turn.
    let token = store.observe { #expect(stores[1].done == store.rows[id: 2]?.done) }
    stores[1].send(.worked)
    #expect(told.count == 6)
    token.cancel()
    for token in tokens { token.cancel() }
  }

  @Test func sendingThroughScopedStoresReachesTheRoot() {
    let store = Store(initialState: Family.State(sheet: .init(), rows: [.init(id: 1)])) { Family() }
    store.scope(state: \.first, action: Family.Action.firstCase).send(.worked)
    store.scope(state: \.sheet, action: Family.Action.sheetCase)?.send(.worked)
    store.scope(state: \.$sheet, action: Family.Action.sheetCase)?.send(.worked)
    for row in store.scopes(state: \.rows, action: Family.Action.rowsCase) { row.send(.worked) }
    #expect(store.first.done == 1)
    #expect(store.sheet?.worker.done == 2)
    #expect(store.rows[id: 1]?.done == 1)
  }

  @Test func oneHundredThousandActionsFromEightTasksAreAllReducedInEachSendersOrder() async {
    struct State: Sendable {
      var last = [Int](repeating: 0, count: 8)
      var count = 0
      var isInOrder = true
    }
    let store = Store(initialState: State()) {
      Reduce<State, (sender: Int, number: Int)> { state, action in
        if state.last[action.sender] + 1 != action.number { state.isInOrder = false }
        state.last[action.sender] = action.number
        state.count += 1
        return .none
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for sender in 0..<8 {
        group.addTask {
          for number in 1...12_500 { await store.send((sender, number)) }
        }
      }
    }
    #expect(store.count == 100_000)
    #expect(store.isInOrder)
  }
}
