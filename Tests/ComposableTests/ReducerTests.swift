import Composable
import ComposableTesting
import Testing

/// The composition of reducers.
@MainActor @Suite struct ReducerTests {
  /// Appends its name to the state.
  private struct Mark: Reducer {
    let name: String

    func reduce(into state: inout [String], action: Int) -> Effect<Int> {
      state.append(name)
      return action == 0 ? .none : .send(action - 1)
    }
  }

  private struct Marks: Reducer {
    let isShort: Bool
    let extra: String?

    var body: some Reducer<[String], Int> {
      Mark(name: "first")
      if isShort { Mark(name: "short") } else { Mark(name: "long") }
      if let extra { Mark(name: extra) }
      for number in 1...2 { Mark(name: "\(number)") }
      EmptyReducer()
    }
  }

  @Test func aBodyRunsItsReducersInTheOrderWritten() async {
    let store = TestStore(initialState: [String]()) { Marks(isShort: true, extra: nil) }
    await store.send(0) { $0 = ["first", "short", "1", "2"] }
    let other = TestStore(initialState: [String]()) { Marks(isShort: false, extra: "extra") }
    await other.send(0) { $0 = ["first", "long", "extra", "1", "2"] }
  }

  @Test func theEffectsOfAllReducersAreMerged() async {
    let store = TestStore(initialState: [String]()) {
      CombineReducers {
        Mark(name: "a")
        Mark(name: "b")
      }
    }
    await store.send(1) { $0 = ["a", "b"] }
    await store.receive(0) { $0 += ["a", "b"] }
    await store.receive(0) { $0 += ["a", "b"] }
  }

  @Test func anEmptyBodyDoesNothing() async {
    struct Nothing: Reducer {
      var body: some Reducer<Int, Int> {}
    }
    let store = TestStore(initialState: 1) { Nothing() }
    await store.send(5)
  }

  @Test func anOperatorOnCombinedReducersAppliesToAllOfThem() async {
    let log = LockedLog<String>()
    let store = TestStore(initialState: [String]()) {
      CombineReducers {
        Mark(name: "a")
        Mark(name: "b")
      }
      .onChange(of: \.count) { old, new in
        Reduce { _, _ in
          log.append("\(old) → \(new)")
          return .none
        }
      }
    }
    await store.send(0) { $0 = ["a", "b"] }
    #expect(log.values == ["0 → 2"])
  }

  @Test func onChangeRunsWhenAPartHasChangedAndItsEffectsToo() async {
    struct State: Equatable, Sendable {
      var value = 0
      var log: [String] = []
    }
    let store = TestStore(initialState: State()) {
      Reduce<State, Int> { state, action in
        state.value = action
        return .none
      }
      .onChange(of: \.value) { old, new in
        Reduce { state, action in
          state.log.append("\(old) → \(new)")
          return action == 1 ? .send(2) : .none
        }
      }
    }
    await store.send(1) {
      $0.value = 1
      $0.log = ["0 → 1"]
    }
    await store.receive(2) {
      $0.value = 2
      $0.log = ["0 → 1", "1 → 2"]
    }
    await store.send(2)
  }

  @Test func whatOneOnChangeChangesTheNextOneSees() async {
    struct State: Equatable, Sendable {
      var celsius = 0
      var fahrenheit = 32
      var isHot = false
    }
    let store = TestStore(initialState: State()) {
      Reduce<State, Int> { state, action in
        state.celsius = action
        return .none
      }
      .onChange(of: \.celsius) { _, new in
        Reduce { state, _ in
          state.fahrenheit = new * 9 / 5 + 32
          return .none
        }
      }
      .onChange(of: \.fahrenheit) { old, new in
        Reduce { state, _ in
          state.isHot = new > 86
          return new < old ? .send(35) : .none
        }
      }
    }
    await store.send(-5) {
      $0.celsius = -5
      $0.fahrenheit = 23
    }
    await store.receive(35) {
      $0.celsius = 35
      $0.fahrenheit = 95
      $0.isHot = true
    }
  }

  @Test func aChangeThatIsTakenBackInTheSameActionIsNone() async {
    let log = LockedLog<Int>()
    let store = TestStore(initialState: 1) {
      CombineReducers {
        Reduce<Int, Int> { state, action in
          state += action
          return .none
        }
        Reduce { state, action in
          if action < 0 { state -= action }
          return .none
        }
      }
      .onChange(of: \.self) { _, new in
        Reduce { _, _ in
          log.append(new)
          return .none
        }
      }
    }
    await store.send(-1)
    await store.send(1) { $0 = 2 }
    #expect(log.values == [2])
  }

  // MARK: Cases of an enum

  private struct Session: Reducer {
    enum State: Equatable, Sendable {
      case out
      case working(Worker.State)

      static let workingCase = CasePath(Self.working) {
        if case .working(let it) = $0 { it } else { nil }
      }
    }

    enum Action: Equatable, Sendable {
      case leaveButtonTapped
      case working(Worker.Action)

      static let workingCase = CasePath(Self.working) {
        if case .working(let it) = $0 { it } else { nil }
      }
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        if action == .leaveButtonTapped { state = .out }
        return .none
      }
      .ifCaseLet(State.workingCase, action: Action.workingCase) { Worker() }
    }
  }

  @Test func ifCaseLetRunsTheChildInItsCaseAndCancelsItsEffectsAfterIt() async {
    let clock = TestClock()
    let store = TestStore(initialState: .working(.init()), reducer: { Session() }) {
      $0.continuousClock = clock
    }
    await store.send(.working(.startButtonTapped))
    await clock.advance(by: .seconds(1))
    await store.receive(.working(.worked)) { $0 = .working(.init(done: 1)) }
    await store.send(.working(.startButtonTapped))
    await store.send(.leaveButtonTapped) { $0 = .out }
    #expect(clock.sleeps.isEmpty)
    await store.finish(timeout: .zero)
  }

  @Test func ifCaseLetCancelsTheEffectsOfAChildThatAnotherIdentityReplaces() async {
    let clock = TestClock()
    let store = TestStore(initialState: Session.State.working(.init(id: 1))) {
      CombineReducers {
        Session()
        Reduce<Session.State, Session.Action> { state, action in
          if action == .working(.worked) { state = .working(.init(id: 2)) }
          return .none
        }
      }
    } withDependencies: {
      $0.continuousClock = clock
    }
    await store.send(.working(.startButtonTapped))
    await store.send(.working(.worked)) { $0 = .working(.init(id: 2)) }
    #expect(clock.sleeps.isEmpty)
    await store.finish(timeout: .zero)
  }
}
