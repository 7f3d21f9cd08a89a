import Composable
import ComposableTesting
import Testing

@MainActor @Suite struct InspectorTests {
  private let clock = TestClock()

  private func makeStore() -> StoreOf<Worker> {
    Store(initialState: Worker.State()) {
      Worker()
    } withDependencies: {
      $0.continuousClock = clock
    }
  }

  @Test func anAction_isSeenWithTheStateThatItLeft() async throws {
    let store = makeStore()
    let inspector = try #require(StoreInspector(store))
    var seen: [String] = []
    store.send(.worked)
    inspector.observe { action, state in seen.append("\(action) \(state.done)") }
    store.send(.worked)
    let task = store.send(.startButtonTapped)
    await clock.advance(by: .seconds(1))
    await task.finish()
    #expect(seen == ["worked 2", "startButtonTapped 2", "worked 3"])
  }

  @Test func anEffect_isInFlightFromItsTurnToItsEnd() async throws {
    let store = makeStore()
    let inspector = try #require(StoreInspector(store))
    var seen: [[EffectInFlight]] = []
    inspector.observe(onReduced: { _, _ in }) { seen.append(inspector.effectsInFlight) }
    let task = store.send(.startButtonTapped)
    let effect = try #require(inspector.effectsInFlight.first)
    #expect(effect.ids == ["Worker.CancelID.work"])
    #expect(effect.location.fileID == "ComposableTests/Worker.swift")
    await clock.advance(by: .seconds(1))
    await task.finish()
    // After the first turn, after that of its action, after its end.
    #expect(seen == [[effect], [effect], []])
  }

  @Test func effects_areInTheOrderOfTheirPlaces() {
    func effect(_ file: String, _ line: Int, _ ids: String...) -> EffectInFlight {
      EffectInFlight(location: IssueLocation(fileID: file, line: line), ids: ids)
    }
    let effects = [
      effect("A/A.swift", 9), effect("A/A.swift", 10, "a"), effect("A/A.swift", 10, "b"),
      effect("A/B.swift", 1),
    ]
    #expect(effects.reversed().sorted() == effects)
  }

  @Test func idsAreNamedAsTheyAreWritten() async throws {
    struct Feature: Reducer {
      let clock: TestClock
      func reduce(into state: inout Int, action: String) -> Effect<String> {
        let wait = Effect<String>.run { [clock] _ in try await clock.sleep(for: .seconds(1)) }
        return .merge(
          wait.cancellable(id: "search").cancellable(id: 7), wait.cancellable(id: [true]))
      }
    }
    let store = Store(initialState: 0) { Feature(clock: clock) }
    let task = store.send("go")
    let effects = try #require(StoreInspector(store)).effectsInFlight
    #expect(Set(effects.map(\.ids)) == [["7", "\"search\""], ["[true]"]])
    task.cancel()
  }

  @Test func dependenciesThatWereSet_areNamed() throws {
    let inspector = try #require(StoreInspector(makeStore()))
    #expect(inspector.dependencies.overriddenKeys == ["DependencyValues.ContinuousClockKey"])
    #expect(DependencyValues().overriddenKeys.isEmpty)
  }

  @Test func aScopedStore_cannotBeLookedInto() {
    let store = makeStore()
    let path = CasePath<Worker.Action, Worker.Action>({ $0 }, { $0 })
    #expect(StoreInspector(store.scope(state: \.self, action: path)) == nil)
  }
}
