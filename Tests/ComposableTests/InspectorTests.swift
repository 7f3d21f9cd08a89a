import Composable
import ComposableTesting
import Testing

/// Works until its gate is opened.
private struct Gated: Reducer {
  enum Action { case started, worked }
  enum CancelID { case work }

  let gate: AsyncStream<Never>

  func reduce(into state: inout Int, action: Action) -> Effect<Action> {
    switch action {
    case .started:
      return .run { [gate] send in
        for await _ in gate {}
        await send(.worked)
      }
      .cancellable(id: CancelID.work)
    case .worked:
      state += 1
      return .none
    }
  }
}

@MainActor @Suite struct InspectorTests {
  private let gate = AsyncStream<Never>.makeStream()

  private func makeStore() -> StoreOf<Gated> {
    Store(initialState: 0) {
      Gated(gate: gate.stream)
    } withDependencies: {
      $0.continuousClock = ImmediateClock()
    }
  }

  @Test func anAction_isSeenWithTheStateThatItLeft() async throws {
    let store = makeStore()
    let inspector = try #require(StoreInspector(store))
    var seen: [String] = []
    store.send(.worked)
    inspector.observe { action, state in seen.append("\(action) \(state)") }
    store.send(.worked)
    let task = store.send(.started)
    gate.continuation.finish()
    await task.finish()
    #expect(seen == ["worked 2", "started 2", "worked 3"])
  }

  @Test func anEffect_isInFlightFromItsTurnToItsEnd() async throws {
    let store = makeStore()
    let inspector = try #require(StoreInspector(store))
    var seen: [[EffectInFlight]] = []
    inspector.observe(onReduced: { _, _ in }) { seen.append(inspector.effectsInFlight) }
    let task = store.send(.started)
    let effect = try #require(inspector.effectsInFlight.first)
    #expect(effect.ids == ["Gated.CancelID.work"])
    #expect(effect.location.fileID == "ComposableTests/InspectorTests.swift")
    gate.continuation.finish()
    await task.finish()
    // After the first turn, after the turn of the effect's action, and after the effect's end.
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
      func reduce(into state: inout Int, action: String) -> Effect<String> {
        let wait = Effect<String>.run { _ in
          for await _ in AsyncStream<Never>.makeStream().stream {}
        }
        return .merge(
          wait.cancellable(id: "search").cancellable(id: 7), wait.cancellable(id: [true]))
      }
    }
    let store = Store(initialState: 0) { Feature() }
    let task = store.send("go")
    let effects = try #require(StoreInspector(store)).effectsInFlight
    #expect(Set(effects.map(\.ids)) == [["7", "\"search\""], ["[true]"]])
    task.cancel()
  }

  @Test func dependenciesThatWereSet_areNamed() throws {
    let store = makeStore()
    let inspector = try #require(StoreInspector(store))
    #expect(inspector.dependencies.overriddenKeys == ["DependencyValues.ContinuousClockKey"])
    #expect(DependencyValues().overriddenKeys.isEmpty)
  }

  @Test func aScopedStore_cannotBeLookedInto() {
    let path = CasePath<Gated.Action, Gated.Action>({ $0 }, { $0 })
    #expect(StoreInspector(makeStore().scope(state: \.self, action: path)) == nil)
  }
}
