import Composable
import Testing

/// Where effects run in a program. Those of a test store run on the store's executor.
@MainActor @Suite struct EffectIsolationTests {
  private enum Action: Equatable, Sendable {
    case start
    case told(String)
  }

  private func store(_ effect: @escaping @Sendable () -> Effect<Action>) -> Store<[String], Action>
  {
    Store(initialState: []) {
      Reduce { state, action in
        switch action {
        case .start:
          state.append("started")
          return effect()
        case .told(let text):
          state.append(text)
          return .none
        }
      }
    }
  }

  @Test func effectsBeginOnTheMainActorWhenTheSendHasReturned() async {
    let store = store { .run { send in await send(.told(name(of: #isolation))) } }
    let task = store.send(.start)
    #expect(store.state == ["started"])
    await task.finish()
    #expect(store.state == ["started", "the main actor"])
  }

  @Test func effectsOfPresentedChildrenToo() async {
    struct Sheet: Reducer {
      struct State: Equatable, Sendable { @Presents var child: [String]? = [] }
      enum Action: Sendable {
        case child(PresentationAction<EffectIsolationTests.Action>)
        static let childCase = CasePath(Self.child) {
          if case .child(let it) = $0 { it } else { nil }
        }
      }
      var body: some ReducerOf<Self> {
        EmptyReducer().ifLet(\.$child, action: Action.childCase) {
          Reduce { state, action in
            if case .told(let text) = action { state.append(text) }
            return action == .start
              ? .run { send in await send(.told(name(of: #isolation))) } : .none
          }
        }
      }
    }
    let store = Store(initialState: Sheet.State()) { Sheet() }
    await store.send(.child(.presented(.start))).finish()
    #expect(store.child == ["the main actor"])
  }

  @Test func theHandlerOfAnErrorRunsOnTheMainActor() async {
    struct Failure: Error {}
    let store = store {
      .run { _ in
        throw Failure()
      } catch: { _, send in
        await send(.told(name(of: #isolation)))
      }
    }
    await store.send(.start).finish()
    #expect(store.state == ["started", "the main actor"])
  }

  @Test func sendingFromAnotherThreadReachesTheStore() async {
    let store = store {
      .run { send in await Task.detached { await send(.told(name(of: #isolation))) }.value }
    }
    await store.send(.start).finish()
    #expect(store.state == ["started", "no actor"])
  }
}

private func name(of actor: (any Actor)?) -> String {
  actor == nil ? "no actor" : actor === MainActor.shared ? "the main actor" : "another actor"
}
