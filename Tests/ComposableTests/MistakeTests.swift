import Composable
import ComposableTesting
import Testing

/// Mistakes in features, each reported at the place where it was made.
@MainActor @Suite struct MistakeTests {
  // MARK: Presentation

  @Test func dismissingWhatIsNotPresentedIsAnIssue() async {
    let store = TestStore(initialState: Family.State()) { Family() }
    await withKnownIssue {
      await store.send(.sheet(.dismiss))
    } matching: {
      $0.comments.first?.rawValue.hasPrefix(
        """
        "ifLet" received an action for a child that is not there.

          Action: .sheet(.dismiss)
        """) == true && $0.sourceLocation?.fileName == "Family.swift"
    }
  }

  @Test func anActionOfACaseThatIsLeftIsShownAsItIsWritten() async {
    struct Feature: Reducer {
      enum State: Equatable, Sendable {
        case out
        case inside(Worker.State)
        static let insideCase = CasePath(Self.inside) {
          if case .inside(let it) = $0 { it } else { nil }
        }
      }
      enum Action: Sendable {
        case inside(Worker.Action)
        static let insideCase = CasePath(Self.inside) {
          if case .inside(let it) = $0 { it } else { nil }
        }
      }
      var body: some ReducerOf<Self> {
        EmptyReducer().ifCaseLet(State.insideCase, action: Action.insideCase) { Worker() }
      }
    }
    let store = Store(initialState: Feature.State.out) { Feature() }
    withKnownIssue {
      _ = store.send(.inside(.worked))
    } matching: {
      $0.comments.first?.rawValue.contains("\n  Action: .inside(.worked)\n") == true
    }
  }

  // MARK: Controls

  private struct Form: Reducer {
    struct State: Equatable, Sendable { var name = "" }
    enum Action: BindableAction, Equatable, Sendable {
      case binding(BindingAction<State>)
      static let bindingCase = CasePath(Self.binding) {
        if case .binding(let it) = $0 { it } else { nil }
      }
    }
    let isBound: Bool
    var body: some ReducerOf<Self> {
      if isBound { BindingReducer() }
    }
  }

  private nonisolated static let text = """
    A control changed a property, and no reducer applied the change.

      Action: .set(\\.name, Blob)

    Write `BindingReducer()` into the `body` of the feature whose action it is.
    """

  @Test func aControlWhoseChangeNobodyAppliesIsAnIssue() async {
    let store = Store(initialState: Form.State()) { Form(isBound: false) }
    withKnownIssue {
      store.binding(\.name).value = "Blob"
    } matching: {
      $0.comments.first?.rawValue == Self.text
        && $0.sourceLocation?.fileName == "MistakeTests.swift"
    }
    #expect(store.name == "")
    let test = TestStore(initialState: Form.State()) { Form(isBound: false) }
    withKnownIssue {
      test.bindings.name.value = "Blob"
    } matching: {
      $0.comments.first?.rawValue == Self.text
        && $0.sourceLocation?.fileName == "MistakeTests.swift"
    }
    await test.receive(.set(\.name, "Blob"))
  }

  @Test func aControlWhoseChangeIsAppliedIsNone() async {
    let store = Store(initialState: Form.State()) { Form(isBound: true) }
    store.binding(\.name).value = "Blob"
    #expect(store.name == "Blob")
  }

  // MARK: Time

  @Test func debouncedAndThrottledEffectsNameTheFeaturesLine() async {
    let clock = TestClock()
    let line = #line
    let store = TestStore(initialState: 0) {
      Reduce<Int, String> { _, action in
        switch action {
        case "debounce": Effect.send("later").debounce(id: 1, for: .seconds(1), clock: clock)
        case "throttle":
          Effect.send("later").throttle(id: 2, for: .seconds(1), clock: clock, latest: true)
        default: .none
        }
      }
    }
    for (action, line) in [("debounce", line + 4), ("throttle", line + 6)] {
      await store.send(action)
      await store.skipReceivedActions(strict: false)
      if action == "throttle" { await store.send(action) }
      await withKnownIssue {
        await store.finish(timeout: .zero)
      } matching: {
        $0.comments.first?.rawValue.contains("• ComposableTests/MistakeTests.swift:\(line)\n")
          == true
      }
    }
  }

  @Test func runningAClockOnWhichATimerTicksGivesUpAndNamesTheTimer() async {
    let clock = TestClock()
    let line = #line
    let store = TestStore(initialState: 0) {
      Reduce<Int, Bool> { state, isTick in
        if isTick { state += 1 }
        return isTick
          ? .none
          : .run { send in
            for await _ in clock.timer(interval: .seconds(1)) { await send(true) }
          }
      }
    }
    store.exhaustivity = .off  // A thousand ticks come before the clock gives up.
    await store.send(false)
    let outside = Task { try await clock.sleep(for: .seconds(5_000)) }
    await clock.waitForSleeps(2)
    await withKnownIssue {
      await clock.run()
    } matching: {
      $0.comments.first?.rawValue == """
        The clock was moved to 1000 deadlines, and 2 task(s) still sleep on it:

          • ComposableTests/MistakeTests.swift:\(line + 6), until 1001.0 seconds
          • outside a test store, until 5000.0 seconds

        A timer never ends by itself: move the clock with `advance(by:)`, and let the test end the timer.
        """
        && $0.sourceLocation?.fileName == "MistakeTests.swift"
    }
    outside.cancel()
    await store.skipInFlightEffects()
    await store.skipReceivedActions()
    #expect(store.state == 1_000)
  }

  // MARK: Reducers made per action

  @Test func aChildThatWorksInOnChangeIsAnIssue() async {
    let clock = TestClock()
    let store = TestStore(initialState: Family.State()) {
      Reduce<Family.State, Family.Action> { state, action in
        if case .cancelWork = action { state.second.done += 1 }
        return .none
      }
      .onChange(of: \.second.done) { _, _ in
        Scope(state: \.first, action: CasePath(Family.Action.first, { _ in .startButtonTapped })) {
          Worker()
        }
      }
    } withDependencies: {
      $0.continuousClock = clock
    }
    await withKnownIssue {
      await store.send(.cancelWork) { $0.second.done = 1 }
    } matching: {
      $0.comments.first?.rawValue == """
        A reducer in "onChange" has a child that started an effect.

          Action: .cancelWork

        The reducer is made for this action only, so the effect would outlive its child. Send an \
        action instead, and let a reducer outside of "onChange" run the child.
        """
        && $0.sourceLocation?.fileName == "Worker.swift"
    }
    await store.skipInFlightEffects()
  }

  // MARK: Removed rows

  @Test func theStoreOfARowThatIsGoneKeepsItsLastValueForEveryReader() {
    struct Page: Reducer {
      struct State: Equatable, Sendable {
        var nests: IdentifiedArrayOf<Nest.State> = [.init(id: 1), .init(id: 2)]
      }
      enum Action: Sendable {
        case nests(IdentifiedActionOf<Nest>)
        case change(@Sendable (inout State) -> Void)
        static let nestsCase = CasePath(Self.nests) {
          if case .nests(let it) = $0 { it } else { nil }
        }
      }
      var body: some ReducerOf<Self> {
        Reduce { state, action in
          if case .change(let change) = action { change(&state) }
          return .none
        }
        .forEach(\.nests, action: Action.nestsCase) { Nest() }
      }
    }
    let store = Store(initialState: Page.State()) { Page() }
    let row = store.scope(id: 1, state: \.nests, action: Page.Action.nestsCase)
    let child = row?.scope(state: \.inner, action: Nest.Action.innerCase)
    // Nothing reads the row's store in the meantime.
    store.send(.change { $0.nests[id: 1]?.inner?.done = 5 })
    store.send(.change { $0.nests.remove(id: 1) })
    #expect(row?.inner?.done == 5)
    #expect(row?.withState { $0.inner?.done } == 5)
    let id = row?.scope(
      state: \.id, action: CasePath<Nest.Action, Int>({ _ in .removeButtonTapped }, { _ in nil }))
    #expect(id?.state == 1)
    // The child was last seen when its store was made.
    #expect(child?.done == 0)
  }
}
