import Composable
import ComposableTesting
import Testing

/// A child's effects, if the child changes, goes or is replaced in the turn in which they start.
@MainActor @Suite struct ChildTurnTests {
  private let clock = TestClock()

  /// A worker whose button makes one of these effects.
  private struct Child: Reducer {
    let effect: @Sendable (TestClock) -> Effect<Worker.Action>
    let clock: TestClock

    var body: some ReducerOf<Worker> {
      Reduce { state, action in
        switch action {
        case .startButtonTapped: return effect(clock)
        case .worked: state.done += 1
        default: break
        }
        return .none
      }
    }
  }

  private struct Parent: Reducer {
    struct State: Equatable, Sendable {
      @Presents var sheet: Worker.State?
      var optional: Worker.State?
      var rows: IdentifiedArrayOf<Worker.State> = []
    }

    enum Action: Equatable, Sendable {
      case sheet(PresentationAction<Worker.Action>)
      case optional(Worker.Action)
      case rows(IdentifiedActionOf<Worker>)
      case rowsLoaded([Worker.State])

      static let sheetCase = CasePath(Self.sheet) {
        if case .sheet(let it) = $0 { it } else { nil }
      }
      static let optionalCase = CasePath(Self.optional) {
        if case .optional(let it) = $0 { it } else { nil }
      }
      static let rowsCase = CasePath(Self.rows) { if case .rows(let it) = $0 { it } else { nil } }
    }

    let child: Child
    let after: @Sendable (inout State, Action) -> Void

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        if case .rowsLoaded(let rows) = action { state.rows = .init(uniqueElements: rows) }
        after(&state, action)
        return .none
      }
      .ifLet(\.$sheet, action: Action.sheetCase) { child }
      .ifLet(\.optional, action: Action.optionalCase) { child }
      .forEach(\.rows, action: Action.rowsCase) { child }
    }
  }

  private func makeStore(
    _ state: Parent.State,
    after: @escaping @Sendable (inout Parent.State, Parent.Action) -> Void =
      { _, _ in },
    effect: @escaping @Sendable (TestClock) -> Effect<Worker.Action>
  ) -> TestStoreOf<Parent> {
    TestStore(initialState: state) {
      Parent(child: Child(effect: effect, clock: clock), after: after)
    }
  }

  @Test func anActionSentAtOnceNeverReachesTheChildThatReplacesItsSender() async {
    let store = makeStore(.init(optional: .init(id: 1))) { state, action in
      if action == .optional(.startButtonTapped) { state.optional = .init(id: 2) }
    } effect: { _ in
      .send(.worked)
    }
    await store.send(.optional(.startButtonTapped)) { $0.optional = .init(id: 2) }
    await store.finish(timeout: .zero)
  }

  @Test func theRestOfASequenceNeverStartsIfItsFirstActionRemovesTheChild() async {
    let store = makeStore(.init(optional: .init())) { state, action in
      if action == .optional(.worked) { state.optional = nil }
    } effect: { clock in
      .concatenate(.send(.worked), .run { _ in try await clock.sleep(for: .seconds(1)) })
    }
    await store.send(.optional(.startButtonTapped))
    await store.receive(.optional(.worked)) { $0.optional = nil }
    #expect(clock.sleeps.isEmpty)
    await store.finish(timeout: .zero)
  }

  @Test func rowsThatAreLoadedAgainKeepTheirEffects() async {
    let store = makeStore(.init(rows: [.init(id: 1), .init(id: 2)])) { clock in
      .run { send in
        try await clock.sleep(for: .seconds(1))
        await send(.worked)
      }
    }
    await store.send(.rows(.element(id: 1, action: .startButtonTapped)))
    await store.send(.rows(.element(id: 2, action: .startButtonTapped)))
    await store.send(.rowsLoaded([.init(id: 3), .init(id: 2, done: 5)])) {
      $0.rows = [.init(id: 3), .init(id: 2, done: 5)]
    }
    await clock.advance(by: .seconds(1))
    await store.receive(.rows(.element(id: 2, action: .worked))) { $0.rows[id: 2]?.done = 6 }
    await store.finish(timeout: .zero)
  }

  @Test func aRowThatComesBackIsNotHeldBackByItsEarlierThrottle() async {
    let store = makeStore(.init(rows: [.init(id: 1)])) {
      .send(.worked).throttle(id: "work", for: .seconds(1), clock: $0, latest: true)
    }
    await store.send(.rows(.element(id: 1, action: .startButtonTapped)))
    await store.receive(.rows(.element(id: 1, action: .worked))) { $0.rows[id: 1]?.done = 1 }
    await store.send(.rows(.element(id: 1, action: .startButtonTapped)))
    await store.send(.rowsLoaded([])) { $0.rows = [] }
    await store.send(.rowsLoaded([.init(id: 1)])) { $0.rows = [.init(id: 1)] }
    await store.send(.rows(.element(id: 1, action: .startButtonTapped)))
    await store.receive(.rows(.element(id: 1, action: .worked))) { $0.rows[id: 1]?.done = 1 }
    await clock.advance(by: .seconds(5))
    await store.finish(timeout: .zero)
  }

  @Test func aChildWithAnIDWhoseStateIsAssignedAgainAtItsDismissalGoes() async {
    let store = makeStore(.init(sheet: .init(id: 1))) { state, action in
      guard action == .sheet(.dismiss), var sheet = state.sheet else { return }
      sheet.done += 1
      state.sheet = sheet
    } effect: { _ in
      .none
    }
    await store.send(.sheet(.dismiss)) { $0.sheet = nil }
  }

  @Test func aChildWithAnotherIDThatIsAssignedAtADismissalStays() async {
    let store = makeStore(.init(sheet: .init(id: 1))) { state, action in
      if action == .sheet(.dismiss) { state.sheet = .init(id: 2) }
    } effect: { _ in
      .none
    }
    await store.send(.sheet(.dismiss)) { $0.sheet = .init(id: 2) }
  }

  @Test func twoEffectsThatDismissAtOnceDismissOnce() async {
    let store = makeStore(.init(sheet: .init())) { _ in .merge(.dismiss(), .dismiss()) }
    await store.send(.sheet(.presented(.startButtonTapped)))
    await store.receive(.sheet(.dismiss)) { $0.sheet = nil }
    await store.finish(timeout: .zero)
  }

  @Test(
    arguments: [
      { .dismiss().debounce(id: 1, for: .seconds(1), clock: $0) },
      {
        .merge(
          Effect.send(.worked).throttle(id: 1, for: .seconds(1), clock: $0, latest: false),
          .dismiss().throttle(id: 1, for: .seconds(1), clock: $0, latest: false))
      },
      { clock in
        .concatenate(.run { _ in try await clock.sleep(for: .seconds(1)) }, .dismiss())
      },
    ] as [@Sendable (TestClock) -> Effect<Worker.Action>])
  func anEffectThatWaitedDismissesItsChild(
    effect: @escaping @Sendable (TestClock) -> Effect<Worker.Action>
  ) async {
    let store = makeStore(.init(sheet: .init()), effect: effect)
    store.exhaustivity = .off  // Only the dismissal matters, not what came before it.
    await store.send(.sheet(.presented(.startButtonTapped)))
    #expect(store.state.sheet != nil)
    await clock.advance(by: .seconds(1))
    await store.receive(.sheet(.dismiss)) { $0.sheet = nil }
    await store.finish(timeout: .zero)
  }

  @Test func aSharedChangeBeforeADismissalIsAssertedWithIt() async {
    struct Form: Reducer {
      struct State: Equatable, Sendable {
        @Shared(.inMemory("count")) var count = 0
      }
      enum Action: Equatable, Sendable { case saveButtonTapped }
      var body: some ReducerOf<Self> {
        Reduce { state, _ in
          .run { [count = state.$count] _ in
            @Dependency(\.dismiss) var dismiss
            count.withLock { $0 += 1 }
            await dismiss()
          }
        }
      }
    }
    struct Page: Reducer {
      struct State: Equatable, Sendable {
        @Shared(.inMemory("count")) var count = 0
        @Presents var form: Form.State?
      }
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
    let store = TestStore(initialState: Page.State(form: .init())) { Page() }
    await store.send(.form(.presented(.saveButtonTapped)))
    await store.receive(.form(.dismiss)) {
      $0.$count.withLock { $0 = 1 }
      $0.form = nil
    }
    await store.finish(timeout: .zero)
  }

  // MARK: Optionals in optionals

  /// A list whose page can be closed (`nil`), or open with nothing on it (`.some(nil)`).
  private struct Book: Reducer {
    struct State: Equatable, Sendable {
      var page: Worker.State??
      @Presents var sheet: Worker.State??
    }

    enum Action: Sendable {
      case page(Worker.Action)
      case sheet(PresentationAction<Worker.Action>)
      case change(@Sendable (inout State) -> Void)

      static let pageCase = CasePath(Self.page) { if case .page(let it) = $0 { it } else { nil } }
      static let sheetCase = CasePath(Self.sheet) {
        if case .sheet(let it) = $0 { it } else { nil }
      }
    }

    struct Page: Reducer {
      var body: some Reducer<Worker.State?, Worker.Action> {
        EmptyReducer().ifLet(\.self, action: CasePath({ $0 }, { $0 })) { Worker() }
      }
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        if case .change(let change) = action { change(&state) }
        return .none
      }
      .ifLet(\.page, action: Action.pageCase) { Page() }
      .ifLet(\.$sheet, action: Action.sheetCase) { Page() }
    }
  }

  private func makeBook(_ state: Book.State) -> TestStoreOf<Book> {
    TestStore(initialState: state, reducer: { Book() }) { $0.continuousClock = clock }
  }

  @Test func aChildThatIsNilInsideAnOptionalIsThereButItsOwnChildIsGone() async {
    let store = makeBook(.init(page: .init(), sheet: .init()))
    await store.send(.page(.startButtonTapped))
    await store.send(.sheet(.presented(.startButtonTapped)))
    #expect(clock.sleeps.count == 2)
    await store.send(.change { $0.page = .some(nil) }) { $0.page = .some(nil) }
    await store.send(.change { $0.sheet = .some(nil) }) { $0.sheet = .some(nil) }
    #expect(clock.sleeps.isEmpty)
    // The dismissal finds the sheet, which is there with nothing on it.
    await store.send(.sheet(.dismiss)) { $0.sheet = nil }
    await store.send(.change { $0.page = nil }) { $0.page = nil }
    await store.finish(timeout: .zero)
  }

  @Test func aFailureTellsNilFromNilInsideAnOptional() async {
    let store = makeBook(.init())
    await withKnownIssue {
      await store.send(
        .change {
          $0.page = .some(nil)
          $0.sheet = .some(nil)
        })
    } matching: {
      $0.comments.first?.rawValue.contains(
        """
            ChildTurnTests.Book.State(
          −   page: nil
          +   page: .some(nil)
          −   sheet: nil
          +   sheet: .some(nil)
            )
        """) == true
    }
  }
}
