import Composable
import ComposableTesting
import Testing

/// A destination with several children.
@MainActor @Suite struct ChildCaseTests {
  struct Parent: Reducer {
    struct State: Equatable, Sendable {
      @Presents var destination: Destination.State?
    }

    enum Action: Equatable, Sendable {
      case destination(PresentationAction<Destination.Action>)

      static let destinationCase = CasePath(Self.destination) {
        if case .destination(let it) = $0 { it } else { nil }
      }
    }

    struct Destination: Reducer {
      enum State: Equatable, Sendable { case counter(Counter.State), other(Counter.State) }
      enum Action: Equatable, Sendable { case counter(Counter.Action), other(Counter.Action) }

      static let counter = ChildCase(State.counter, Action.counter) { Counter() }
      static let other = ChildCase(State.other, Action.other) { Counter() }

      var body: some ReducerOf<Self> { OneOf(Self.counter, Self.other) }
    }

    var body: some ReducerOf<Self> {
      Reduce { _, _ in .none }
        .ifLet(\.$destination, action: Action.destinationCase) { Destination() }
    }
  }

  struct Counter: Reducer {
    struct State: Equatable, Sendable { var count = 0 }
    enum Action: Equatable, Sendable { case raised, closed }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .raised: state.count += 1
      case .closed: return .dismiss()
      }
      return .none
    }
  }

  typealias Destination = Parent.Destination

  @Test func theChildOfTheCaseActs() async {
    let store = TestStore(initialState: Parent.State(destination: .other(Counter.State()))) {
      Parent()
    }
    await store.send(.destination(.presented(.other(.raised)))) {
      $0.destination[Destination.other]?.count = 1
    }
    #expect(store.state.destination == .other(Counter.State(count: 1)))
  }

  @Test func itTakesItselfAway() async {
    let store = TestStore(initialState: Parent.State(destination: .counter(Counter.State()))) {
      Parent()
    }
    await store.send(.destination(.presented(.counter(.closed))))
    await store.receive(.destination(.dismiss)) { $0.destination = nil }
  }

  @Test func aStoreIsScopedToTheCase() throws {
    let store = Store(initialState: Parent.State(destination: .counter(Counter.State()))) {
      Parent()
    }
    let destination = try #require(
      store.scope(state: \.$destination, action: Parent.Action.destinationCase))
    #expect(destination.scope(Destination.other) == nil)
    let counter = try #require(destination.scope(Destination.counter))
    counter.send(.raised)
    #expect(counter.count == 1)
    #expect(destination.scope(Destination.counter) === counter)
  }

  @Test func theStateOfACaseIsReadAndSet() {
    var state: Destination.State? = .counter(Counter.State(count: 2))
    #expect(state[Destination.counter]?.count == 2)
    #expect(state[Destination.other] == nil)
    state[Destination.other] = nil
    #expect(state != nil)
    state[Destination.other] = Counter.State(count: 3)
    #expect(state == .other(Counter.State(count: 3)))
    state[Destination.other] = nil
    #expect(state == nil)
  }
}
