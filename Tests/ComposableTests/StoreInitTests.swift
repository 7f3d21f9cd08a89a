import Composable
import ComposableFoundation
import ComposableTesting
import FoundationEssentials
import Testing

/// How a store is created.
@MainActor @Suite struct StoreInitTests {
  private struct Dated: Reducer {
    struct State: Equatable, Sendable {
      var id: UUID
      var log: [String] = []

      init() {
        @Dependency(\.uuid) var uuid
        id = uuid()
      }
    }

    let name: String

    var body: some Reducer<State, Int> {
      Reduce { state, action in
        state.log.append("\(name) \(action)")
        return .none
      }
    }
  }

  @Test func theInitialStateIsMadeWithTheDependenciesOfTheStore() {
    let store = Store(initialState: Dated.State()) {
      Dated(name: "a")
    } withDependencies: {
      $0.uuid = .constant(UUID(7))
    }
    #expect(store.id == UUID(7))
  }

  @Test func theInitialStateOfATestStoreToo() {
    let store = TestStore(initialState: Dated.State()) {
      Dated(name: "a")
    } withDependencies: {
      $0.uuid = .constant(UUID(7))
    }
    #expect(store.state.id == UUID(7))
  }

  @Test func aStoreTakesSeveralReducers() {
    let isLong = true
    let store = Store(initialState: Dated.State()) {
      Dated(name: "a")
      if isLong { Dated(name: "b") }
    } withDependencies: {
      $0.uuid = .incrementing
    }
    store.send(1)
    #expect(store.log == ["a 1", "b 1"])
  }

  @Test func aTestStoreTakesSeveralReducers() async {
    let store = TestStore(initialState: Dated.State()) {
      Dated(name: "a")
      Dated(name: "b")
    } withDependencies: {
      $0.uuid = .incrementing
    }
    await store.send(1) { $0.log = ["a 1", "b 1"] }
  }

  @Test func aStoreTakesOneClosure() {
    let store = Store(initialState: [Int]()) {
      Reduce<[Int], Int> { state, action in
        state.append(action)
        return .none
      }
    }
    store.send(1)
    #expect(store.state == [1])
  }

  @Test func theInitialStateIsMadeOnce() {
    let log = LockedLog<Int>()
    func state() -> Int {
      log.append(1)
      return 0
    }
    let store = Store(initialState: state()) { EmptyReducer<Int, Int>() }
    #expect(store.state == 0)
    #expect(log.values.count == 1)
  }

  // MARK: Overrides over several rounds

  /// In each round, overrides the date with one a second later than the date it reads.
  @Test func overridesInEffectsDoNotAddUpOverRounds() async {
    let store = TestStore(initialState: [Double]()) {
      Reduce<[Double], Double?> { state, seen in
        if let seen { state.append(seen) }
        guard state.count < 3 else { return .none }
        return withDependencies {
          $0.date = .constant($0.date.now.addingTimeInterval(1))
        } operation: {
          .run { send in
            @Dependency(\.date) var date
            await send(date.now.timeIntervalSince1970)
          }
        }
      }
    } withDependencies: {
      $0.date = .constant(Date(timeIntervalSince1970: 0))
    }
    await store.send(nil)
    for count in 1...3 { await store.receive(1) { $0 = Array(repeating: 1, count: count) } }
  }

  @Test func overridesAroundASendInAnEffectDoNotReachTheReducer() async {
    let store = TestStore(initialState: [Double]()) {
      Reduce<[Double], Bool> { state, isLast in
        @Dependency(\.date) var date
        state.append(date.now.timeIntervalSince1970)
        guard !isLast else { return .none }
        return .run { send in
          await withDependencies {
            $0.date = .constant(Date(timeIntervalSince1970: 9))
          } operation: {
            await send(true)
          }
        }
      }
    } withDependencies: {
      $0.date = .constant(Date(timeIntervalSince1970: 1))
    }
    await store.send(false) { $0 = [1] }
    await store.receive(true) { $0 = [1, 1] }
  }
}
