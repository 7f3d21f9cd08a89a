import Composable
import ComposableFoundation
import Testing

/// Which observers are notified, when, and in which order.
@MainActor @Suite struct ObservationLawTests {
  private func makeStore() -> Store<Int, Int> {
    Store(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state += action
        return .none
      }
    }
  }

  @Test func whoBeginsToObserveWhileOthersAreToldIsToldFromTheNextTurnOn() {
    let store = makeStore()
    var told: [String] = []
    var late: ObservationToken?
    let token = store.observe({ $0 }) { value in
      told.append("first \(value)")
      if late == nil { late = store.observe({ $0 }) { told.append("second \($0)") } }
    }
    store.send(1)
    store.send(1)
    #expect(told == ["first 1", "first 2", "second 2"])
    token.cancel()
    late?.cancel()
  }

  @Test func whoIsTakenAwayWhileOthersAreToldIsNotToldAnyMore() {
    let store = makeStore()
    var told: [String] = []
    var second: ObservationToken?
    let first = store.observe({ $0 }) { _ in
      told.append("first")
      second?.cancel()
    }
    second = store.observe({ $0 }) { _ in told.append("second") }
    store.send(1)
    #expect(told == ["first"])
    first.cancel()
  }

  @Test func aTokenThatIsLetGoEndsItsObservation() {
    let store = makeStore()
    var count = 0
    var token: ObservationToken? = store.observe({ $0 }) { _ in count += 1 }
    store.send(1)
    token = nil
    store.send(1)
    #expect(count == 1)
    #expect(token == nil)
  }

  @Test func whatObserversSendIsReducedAfterAllWereToldAndToldInATurnOfItsOwn() {
    let store = makeStore()
    var told: [String] = []
    let tokens = [
      store.observe({ $0 }) { value in
        told.append("a \(value)")
        if value < 3 { store.send(1) }
      },
      store.observe({ $0 }) { told.append("b \($0)") },
    ]
    store.send(1)
    #expect(told == ["a 1", "b 1", "a 2", "b 2", "a 3", "b 3"])
    for token in tokens { token.cancel() }
  }

  @Test func twoObserversThatAnswerEachOtherComeToRest() {
    let store = makeStore()
    let tokens = [
      store.observe({ $0 }) { if $0.isMultiple(of: 2), $0 < 1_000 { store.send(1) } },
      store.observe({ $0 }) { if !$0.isMultiple(of: 2) { store.send(1) } },
    ]
    store.send(1)
    #expect(store.state == 1_000)
    for token in tokens { token.cancel() }
  }

  @Test func aProjectionThatComesBackWithinATurnIsNoChange() {
    let store = Store(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state += action
        return action == 1 ? .send(-1) : .none
      }
    }
    var count = 0
    let token = store.observe({ $0 }) { _ in count += 1 }
    store.send(1)
    #expect(store.state == 0)
    #expect(count == 0)
    token.cancel()
  }

  @Test func anObserverOfAScopedStoreIsToldOnlyOfItsPart() {
    let store = Store(initialState: Family.State(optional: .init())) { Family() }
    let first = store.scope(state: \.first, action: Family.Action.firstCase)
    let optional = store.scope(state: \.optional, action: Family.Action.optionalCase)!
    var told: [String] = []
    let tokens = [
      first.observe { told.append("first") }, optional.observe { told.append("optional") },
    ]
    store.send(.second(.worked))
    store.send(.first(.worked))
    optional.send(.worked)
    // The child goes away and comes back as another one.
    store.send(.change { $0.optional = nil })
    store.send(.change { $0.optional = .init(id: 9) })
    #expect(told == ["first", "optional", "optional"])
    for token in tokens { token.cancel() }
  }

  @Test func aStreamThatIsReadSlowlyGivesTheNewestValue() async {
    let store = makeStore()
    var values = store.values { $0 }.makeAsyncIterator()
    #expect(await values.next() == 0)
    for _ in 1...5 { store.send(1) }
    #expect(await values.next() == 5)
  }

  @Test func aStoreReadsThroughToAStateThatCannotBeCompared() {
    struct Plain { var run: () -> Int }
    let store = Store(initialState: Plain { 1 }) {
      Reduce<Plain, Int> { state, action in
        state.run = { action }
        return .none
      }
    }
    var count = 0
    let token = store.observe { count += 1 }
    store.send(7)
    #expect(store.run() == 7)
    #expect(count == 1)
    token.cancel()
  }

  @Test func aStoreMadeInsideOverridesHasThem() {
    let store = withDependencies {
      $0.uuid = .incrementing
    } operation: {
      Store(initialState: [String]()) {
        Reduce<[String], Int> { state, _ in
          @Dependency(\.uuid) var uuid
          state.append(String("\(uuid())".suffix(1)))
          return .none
        }
      } withDependencies: {
        $0.logger = .silent
      }
    }
    store.send(1)
    store.send(1)
    #expect(store.state == ["0", "1"])
  }

  /// The same random actions lead to the same states, no matter how they are grouped into turns.
  @Test(arguments: 1...10) func theSameActionsMakeTheSameStates(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let actions = (0..<200).map { _ in Int.random(in: 0..<6, using: &random) }
    func run(_ send: (Store<[Int], [Int]>) -> Void) -> [Int] {
      let store = Store(initialState: [Int]()) {
        Reduce<[Int], [Int]> { state, actions in
          guard let first = actions.first else { return .none }
          if first == 5 { state.removeAll() } else { state.append(first) }
          return .send(Array(actions.dropFirst()))
        }
      }
      send(store)
      return store.state
    }
    let together = run { $0.send(actions) }
    let alone = run { store in for action in actions { store.send([action]) } }
    #expect(together == alone)
  }
}
