import Composable
import ComposableTesting
import Testing

@MainActor @Suite struct StackTests {
  private struct Navigation: Reducer {
    struct State: Equatable, Sendable {
      var path: StackState<Worker.State> = []
      var seen: [Int] = []
    }

    enum Action: Equatable, Sendable {
      case pushButtonTapped
      case pushLater
      case path(StackActionOf<Worker>)

      static let pathCase = CasePath(Self.path) { if case .path(let it) = $0 { it } else { nil } }
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .pushButtonTapped: state.path.append(.init())
        case .pushLater: return .send(.pushButtonTapped)
        case .path(.popFrom): state.seen.append(state.path.count)
        case .path: break
        }
        return .none
      }
      .forEach(\.path, action: Action.pathCase) { Worker() }
    }
  }

  private let clock = TestClock()

  private func makeStore() -> TestStoreOf<Navigation> {
    TestStore(initialState: Navigation.State(), reducer: { Navigation() }) {
      $0.continuousClock = clock
    }
  }

  @Test func elementsActAndGoWithTheirEffects() async {
    let store = makeStore()
    await store.send(.pushButtonTapped) { $0.path[id: 0] = .init() }
    await store.send(.pushButtonTapped) { $0.path.append(.init()) }
    await store.send(.path(.element(id: 0, action: .startButtonTapped)))
    await store.send(.path(.element(id: 1, action: .startButtonTapped)))
    #expect(clock.sleeps.count == 2)
    await store.send(.path(.popFrom(id: 1))) {
      $0.path.pop(from: 1)
      $0.seen = [2]
    }
    #expect(clock.sleeps.count == 1)
    await clock.advance(by: .seconds(1))
    await store.receive(.path(.element(id: 0, action: .worked))) { $0.path[id: 0]?.done = 1 }
    await store.finish()
  }

  @Test func anElementGoesWithAllAboveIt() async {
    let store = makeStore()
    for _ in 0..<3 { await store.send(.pushButtonTapped) { $0.path.append(.init()) } }
    for id in 0..<3 {
      await store.send(
        .path(.element(id: StackElementID(UInt64(id)), action: .startButtonTapped)))
    }
    #expect(clock.sleeps.count == 3)
    await store.send(.path(.popFrom(id: 1))) {
      $0.path.pop(from: 1)
      $0.seen = [3]
    }
    #expect(store.state.path.ids == [0])
    #expect(clock.sleeps.count == 1)
    await store.skipInFlightEffects()
  }

  @Test func idsNeverComeBack() async {
    let store = makeStore()
    await store.send(.pushButtonTapped) { $0.path[id: 0] = .init() }
    await store.send(.path(.popFrom(id: 0))) {
      $0.path.removeAll()
      $0.seen = [1]
    }
    await store.send(.pushLater)
    await store.receive(.pushButtonTapped) { $0.path.append(.init()) }
    #expect(store.state.path.ids == [1])
    await withKnownIssue { await store.send(.path(.element(id: 0, action: .worked))) }
  }

  @Test("An element that was on the stack before the store doesn't share its id with a new one")
  func elementFromBeforeTheStore() async {
    var state = Navigation.State()
    state.path.append(.init())
    let store = TestStore(initialState: state) { Navigation() }
    await store.send(.pushButtonTapped) { $0.path.append(.init()) }
    #expect(store.state.path.count == 2 && Set(store.state.path.ids).count == 2)
  }

  @Test func anElementDismissesItself() async {
    let store = makeStore()
    await store.send(.path(.push(.init(id: 5)))) { $0.path[id: 0] = .init(id: 5) }
    await store.send(.path(.element(id: 0, action: .startButtonTapped)))
    await store.send(.path(.element(id: 0, action: .closeButtonTapped)))
    await store.receive(.path(.popFrom(id: 0))) {
      $0.path.removeAll()
      $0.seen = [1]
    }
    await store.finish()
  }

  @Test func elementsHaveStores() {
    let store = Store(initialState: Navigation.State()) { Navigation() }
    store.send(.pushButtonTapped)
    store.send(.pushButtonTapped)
    for element in store.scopes(state: \.path, action: Navigation.Action.pathCase) {
      element.send(.worked)
    }
    #expect(store.path.map(\.done) == [1, 1])
  }

  @Test func poppingToOrFromWhatIsNotThereLeavesAll() {
    var stack = StackState(["a", "b"])
    stack.pop(to: 9)
    stack.pop(from: 9)
    #expect(Array(stack) == ["a", "b"])
    stack.pop(from: stack.ids[0])
    #expect(stack.isEmpty && stack.popLast() == nil)
    stack.pop(to: 0)
    #expect(stack.isEmpty)
  }

  @Test func popsToAnElement() {
    var stack = StackState(["a", "b", "c"])
    stack.pop(to: stack.ids[0])
    #expect(Array(stack) == ["a"])
    #expect(stack.popLast() == "a")
    #expect(stack.popLast() == nil)
  }
}
