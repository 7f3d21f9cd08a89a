import Composable
import ComposableTesting
import Testing

/// Features that rely on their surroundings (a parent that presents them, controls that set their
/// properties), and what replaces these surroundings in a test.
@MainActor @Suite struct TestStoreFeatureTests {
  private struct Form: Reducer {
    struct State: Equatable, Sendable {
      var name = ""
      var isLong = false
    }

    enum Action: BindableAction, Equatable, Sendable {
      case binding(BindingAction<State>)
      case measured
      case saveButtonTapped
      case saved

      static let bindingCase = CasePath(Self.binding) {
        if case .binding(let it) = $0 { it } else { nil }
      }
    }

    @Dependency(\.continuousClock) var clock
    @Dependency(\.dismiss) var dismiss

    var body: some ReducerOf<Self> {
      BindingReducer()
      Reduce { state, action in
        switch action {
        case .binding: return .send(.measured)
        case .measured:
          state.isLong = state.name.count > 3
          return .none
        case .saveButtonTapped:
          return .merge(
            .run { [clock] send in
              try await clock.sleep(for: .seconds(1))
              await send(.saved)
            },
            .run { [dismiss] send in
              await dismiss()
              await send(.saved)
            })
        case .saved: return .none
        }
      }
    }
  }

  private func makeStore(line: Int = #line) -> TestStoreOf<Form> {
    TestStore(
      initialState: Form.State(), reducer: { Form() },
      withDependencies: { $0.continuousClock = TestClock() }, line: line)
  }

  // MARK: Bindings

  @Test func bindingsReadAndSetTheProperties() async {
    let store = makeStore()
    let name = store.bindings.name
    name.value = "Blob"
    #expect(name.value == "Blob")
    #expect(store.bindings.isLong.value)
    await store.receive(.set(\.name, "Blob")) { $0.name = "Blob" }
    await store.receive(.measured) { $0.isLong = true }
  }

  @Test func whatAControlSetsHasToBeAsserted() async {
    await expectIssue(
      """
      The test ends with 2 received action(s) that were not asserted.

        • .binding(.set(\\.name, "Blob"))
        • .measured

      Assert them with `receive`, or skip them with `skipReceivedActions`.
      """
    ) {
      let store = makeStore()
      store.bindings.name.value = "Blob"
    }
  }

  // MARK: Dismissal

  @Test func aFeatureThatDismissesItselfIsDismissedAndItsEffectsEnd() async {
    let store = makeStore()
    #expect(!store.isDismissed)
    await store.send(.saveButtonTapped)
    #expect(store.isDismissed)
    await store.finish(timeout: .zero)
  }

  @Test func anActionAfterTheDismissal() async {
    let store = makeStore()
    await store.send(.saveButtonTapped)
    await expectIssue(
      """
      An action was sent to a feature that has dismissed itself.

        Action: .measured

      Its parent has removed its state by then, so the action was ignored. Send it before the \
      dismissal, or find out why the feature dismisses itself.
      """
    ) { await store.send(.measured) }
  }

  @Test func aTestMayReplaceTheDismissal() async {
    let (dismissals, continuation) = AsyncStream.makeStream(of: Void.self)
    let clock = TestClock()
    let store = TestStore(initialState: Form.State()) {
      Form()
    } withDependencies: {
      $0.continuousClock = clock
      $0.dismiss = DismissEffect { continuation.finish() }
    }
    await store.send(.saveButtonTapped)
    for await _ in dismissals {}
    #expect(!store.isDismissed)
    await store.receive(.saved)
    await clock.advance(by: .seconds(1))
    await store.receive(.saved)
  }

  @Test func aPresentedChildIsDismissedByItsParentAndNotByTheTest() async {
    struct Parent: Reducer {
      struct State: Equatable, Sendable { @Presents var form: Form.State? }
      enum Action: Equatable, Sendable {
        case form(PresentationAction<Form.Action>)
        static let formCase = CasePath(Self.form) {
          if case .form(let it) = $0 { it } else { nil }
        }
      }
      var body: some ReducerOf<Self> {
        EmptyReducer().ifLet(\.$form, action: Action.formCase) { Form() }
      }
    }
    let store = TestStore(initialState: Parent.State(form: .init()), reducer: { Parent() }) {
      $0.continuousClock = TestClock()
    }
    await store.send(.form(.presented(.saveButtonTapped)))
    await store.receive(.form(.dismiss)) { $0.form = nil }
    #expect(!store.isDismissed)
  }
}
