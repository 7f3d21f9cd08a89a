import Composable
import ComposableTesting
import Testing

/// The effects of children that go away, and the actions that still reach a child.
@MainActor @Suite struct ChildTests {
  let clock = TestClock()

  func makeStore(
    _ state: Family.State, _ family: Family = Family()
  ) -> TestStoreOf<Family> {
    TestStore(initialState: state, reducer: { family }) { $0.continuousClock = clock }
  }

  typealias Change = @Sendable (inout Family.State) -> Void

  /// Starts a child's work, changes the state, and expects the work to be cancelled.
  func expectChangeCancels(
    _ state: Family.State, _ start: Family.Action, _ change: @escaping Change,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let store = makeStore(state)
    await store.send(start)
    #expect(clock.sleeps.count == 1, sourceLocation: sourceLocation)
    await store.send(.change(change), assert: change)
    #expect(clock.sleeps.isEmpty, sourceLocation: sourceLocation)
    await clock.advance(by: .seconds(1))
    await store.finish()
  }

  @Test func optionalThatGoesTakesItsEffects() async {
    await expectChangeCancels(.init(optional: .init()), .optional(.startButtonTapped)) {
      $0.optional = nil
    }
  }

  @Test func optionalThatIsReplacedByAnotherIdentityTakesItsEffects() async {
    await expectChangeCancels(.init(optional: .init(id: 1)), .optional(.startButtonTapped)) {
      $0.optional = .init(id: 2)
    }
  }

  @Test func enumCaseThatIsLeftTakesItsEffects() async {
    await expectChangeCancels(
      .init(either: .left(.init())), .either(.left(.startButtonTapped))
    ) {
      $0.either = .right(.init())
    }
  }

  @Test func rowThatGoesTakesItsEffects() async {
    await expectChangeCancels(
      .init(rows: [.init(id: 1)]), .rows(.element(id: 1, action: .startButtonTapped))
    ) {
      $0.rows.remove(id: 1)
    }
  }

  @Test func rowThatIsReplacedByAnotherIdentityTakesItsEffects() async {
    await expectChangeCancels(
      .init(rows: [.init(id: 1)]), .rows(.element(id: 1, action: .startButtonTapped))
    ) {
      $0.rows = [.init(id: 2)]
    }
  }

  @Test func presentationThatGoesTakesItsEffects() async {
    await expectChangeCancels(.init(sheet: .init()), .sheet(.presented(.startButtonTapped))) {
      $0.sheet = nil
    }
  }

  @Test func presentationThatIsReplacedTakesItsEffects() async {
    await expectChangeCancels(.init(sheet: .init()), .sheet(.presented(.startButtonTapped))) {
      $0.sheet = nil
      $0.sheet = .init(worker: .init(done: 1))
    }
  }

  @Test func presentationThatIsReplacedInPlaceTakesItsEffects() async {
    @Sendable func put(_ worker: Worker.State?, into sheet: inout PlainWorker.State?) {
      sheet = worker.map { PlainWorker.State(worker: $0) }
    }
    await expectChangeCancels(.init(sheet: .init()), .sheet(.presented(.startButtonTapped))) {
      put(nil, into: &$0.sheet)
      put(.init(done: 1), into: &$0.sheet)
    }
  }

  @Test func elementOfAStackThatGoesTakesItsEffects() async {
    let id: StackElementID = 1_000
    var state = Family.State()
    state.path[id: id] = .init()
    await expectChangeCancels(state, .path(.element(id: id, action: .startButtonTapped))) {
      $0.path.removeAll()
    }
  }

  @Test func elementOfAStackThatIsReplacedTakesItsEffects() async {
    let id: StackElementID = 1_000
    var state = Family.State()
    state.path[id: id] = .init()
    await expectChangeCancels(state, .path(.element(id: id, action: .startButtonTapped))) {
      $0.path.removeAll()
      $0.path[id: 1_001] = .init()
    }
  }

  @Test func descendantsGoWithTheirAncestor() async {
    await expectChangeCancels(
      .init(either: .left(.init())), .either(.left(.startButtonTapped))
    ) {
      $0.either = nil
    }
  }

  /// No matter how the child, which itself stays, is held.
  @Test(
    arguments: [
      { .scoped($0) }, { .optional($0) }, { .either($0) }, { .sheet(.presented($0)) },
      { .rows(.element(id: 0, action: $0)) }, { .path(.element(id: 5, action: $0)) },
    ] as [@Sendable (Nest.Action) -> Nests.Action])
  func aChildsOwnChildThatGoesTakesItsEffects(
    action: @Sendable (Nest.Action) -> Nests.Action
  ) async {
    var state = Nests.State()
    state.path[id: 5] = .init()
    let store = TestStore(initialState: state, reducer: { Nests() }) { $0.continuousClock = clock }
    store.exhaustivity = .off  // Each argument changes another part of the state.
    await store.send(action(.inner(.startButtonTapped)))
    #expect(clock.sleeps.count == 1)
    await store.send(action(.removeButtonTapped))
    #expect(clock.sleeps.isEmpty)
    await store.finish(timeout: .zero)
  }

  @Test func siblingsGoOn() async {
    let store = makeStore(.init(rows: [.init(id: 1), .init(id: 2)]))
    await store.send(.rows(.element(id: 1, action: .startButtonTapped)))
    await store.send(.rows(.element(id: 2, action: .startButtonTapped)))
    await store.send(.first(.startButtonTapped))
    await store.send(.change { $0.rows.remove(id: 1) }) { $0.rows.remove(id: 1) }
    #expect(clock.sleeps.count == 2)
    await clock.advance(by: .seconds(1))
    await store.receive(Family.Action.rowsCase, .element(id: 2, action: .worked)) {
      $0.rows[id: 2]?.done = 1
    }
    await store.receive(Family.Action.firstCase, .worked) { $0.first.done = 1 }
    await store.finish()
  }

  @Test func effectsStartedInTheSendThatRemovesTheChildAreCancelled() async {
    let family = Family(after: { state, action in
      if case .optional = action { state.optional = nil }
    })
    let store = makeStore(.init(optional: .init()), family)
    await store.send(.optional(.startButtonTapped)) { $0.optional = nil }
    #expect(clock.sleeps.isEmpty)
    await store.finish()
  }

  @Test func aLateActionNeverReachesTheNewcomer() {
    struct Renewed: Reducer {
      struct State: Equatable, Sendable { var child: Worker.State? = .init(id: 1) }
      enum Action: Sendable {
        case child(Worker.Action)
        case replace
        static let childCase = CasePath(Self.child) {
          if case .child(let it) = $0 { it } else { nil }
        }
      }
      var body: some ReducerOf<Self> {
        Reduce { state, action in
          switch action {
          case .replace: state.child = .init(id: 2)
          case .child(.startButtonTapped): return .send(.replace)
          case .child: break
          }
          return .none
        }
        .ifLet(\.child, action: Action.childCase) {
          Reduce<Worker.State, Worker.Action> { state, action in
            switch action {
            case .startButtonTapped: return .concatenate(.send(.cancelButtonTapped), .send(.worked))
            case .cancelButtonTapped: return .send(.worked)
            case .worked: state.done += 1
            case .closeButtonTapped: break
            }
            return .none
          }
        }
      }
    }
    let store = Store(initialState: Renewed.State()) { Renewed() }
    store.send(.child(.startButtonTapped))
    #expect(store.child == Worker.State(id: 2, done: 0))
  }

  @Test func aParentsCancelReachesDownAndAChildsNeverSideways() async {
    let store = makeStore(.init(rows: [.init(id: 1), .init(id: 2)]))
    await store.send(.first(.startButtonTapped))
    await store.send(.second(.startButtonTapped))
    await store.send(.rows(.element(id: 1, action: .startButtonTapped)))
    await store.send(.rows(.element(id: 2, action: .startButtonTapped)))
    #expect(clock.sleeps.count == 4)
    await store.send(.first(.cancelButtonTapped))
    #expect(clock.sleeps.count == 3)
    await store.send(.rows(.element(id: 1, action: .cancelButtonTapped)))
    #expect(clock.sleeps.count == 2)
    await store.send(.cancelWork)
    #expect(clock.sleeps.isEmpty)
    await store.finish()
  }

  @Test func aChildsCancelNeverReachesUp() async {
    let store = makeStore(.init())
    await store.send(.startWork)
    await store.send(.first(.startButtonTapped))
    await store.send(.first(.cancelButtonTapped))
    #expect(clock.sleeps.count == 1)
    await store.send(.cancelWork)
    #expect(clock.sleeps.isEmpty)
    await store.finish()
  }

  @Test func dismissalInTheTurnOfTheEffectIsHonoured() async {
    let family = Family(after: { state, action in
      if case .sheet(.presented(.startButtonTapped)) = action { state.sheet = nil }
    })
    let store = makeStore(.init(sheet: .init()), family)
    await store.send(.sheet(.presented(.startButtonTapped))) { $0.sheet = nil }
    #expect(clock.sleeps.isEmpty)
    await store.finish()
  }

  @Test func atDismissTheParentStillSeesTheChild() async {
    let family = Family(after: { state, action in
      if case .sheet(.dismiss) = action { state.first.done = 10 }
    })
    let seen = LockedLog<Bool>()
    let looking = Family(before: { state, action in
      if case .sheet(.dismiss) = action { seen.append(state.sheet != nil) }
      family.after(&state, action)
    })
    let store = makeStore(.init(sheet: .init()), looking)
    await store.send(.sheet(.presented(.startButtonTapped)))
    await store.send(.sheet(.dismiss)) {
      $0.first.done = 10
      $0.sheet = nil
    }
    #expect(seen.values == [true])
    #expect(clock.sleeps.isEmpty)
    await store.finish()
  }

  @Test func atDismissTheParentMayPutAnotherChildThere() async {
    struct Parent: Reducer {
      struct State: Equatable, Sendable { @Presents var sheet: PlainWorker.State? }
      enum Action: Equatable, Sendable {
        case sheet(PresentationAction<Worker.Action>)
        static let sheetCase = CasePath(Self.sheet) {
          if case .sheet(let it) = $0 { it } else { nil }
        }
      }
      var body: some ReducerOf<Self> {
        Reduce { state, action in
          if action == .sheet(.dismiss) { state.sheet = .init(worker: .init(done: 7)) }
          return .none
        }
        .ifLet(\.$sheet, action: Action.sheetCase) { PlainWorker() }
      }
    }
    let store = TestStore(initialState: Parent.State(sheet: .init())) { Parent() }
    await store.send(.sheet(.dismiss)) { $0.sheet = .init(worker: .init(done: 7)) }
  }

  @Test func aChildDismissesItself() async {
    let store = makeStore(.init(sheet: .init()))
    await store.send(.sheet(.presented(.startButtonTapped)))
    await store.send(.sheet(.presented(.closeButtonTapped)))
    await store.receive(Family.Action.sheetCase, .dismiss) { $0.sheet = nil }
    #expect(clock.sleeps.isEmpty)
    await store.finish()
  }

  @Test func dismissOutsideOfAPresentationIsAnIssueAtItsLine() async {
    let store = Store(initialState: Family.State()) { Family() }
    await withKnownIssue {
      await store.send(.first(.closeButtonTapped)).finish()
    } matching: { issue in
      issue.comments.first?.rawValue == """
        A child that is not presented was asked to dismiss itself.

        Call `dismiss` in an effect of a child that an `ifLet` presents or that is on a stack.
        """
        && issue.sourceLocation?.fileName == "Worker.swift" && issue.sourceLocation?.line == 32
    }
  }

  /// The issue names the action, the likely causes, and the line of the operator.
  @Test(arguments: [
    (Family.Action.optional(.worked), "ifLet", 69),
    (.either(.left(.worked)), "ifLet", 70),
    (.sheet(.presented(.worked)), "ifLet", 71),
    (.rows(.element(id: 1, action: .worked)), "forEach", 72),
    (.path(.element(id: 7, action: .worked)), "forEach", 73),
    (.path(.popFrom(id: 7)), "forEach", 73),
  ])
  func anActionForAChildThatIsGoneIsAnIssue(
    action: Family.Action, name: String, line: Int
  ) async {
    let store = makeStore(.init())
    await withKnownIssue {
      await store.send(action)
    } matching: {
      $0.comments.first?.rawValue == """
        "\(name)" received an action for a child that is not there.

          Action: \(describe(action))

        The action was ignored. This happens when
        • a parent's reducer removed the child before "\(name)" saw the action: let the child's \
        reducer run first;
        • an effect that is not the child's own sent the action after the child had gone: start it \
        in the child, so that it is cancelled with it;
        • the action was sent to the store without the child being shown: send it only while the \
        child's state is there.
        """
        && $0.sourceLocation?.fileName == "Family.swift" && $0.sourceLocation?.line == line
    }
  }

  @Test func anActionForACaseThatIsLeftIsAnIssue() async {
    let store = makeStore(.init(either: .right(.init())))
    await withKnownIssue {
      await store.send(.either(.left(.worked)))
    } matching: {
      $0.comments.first?.rawValue.hasPrefix(#""Scope" received an action for a child"#) == true
        && $0.sourceLocation?.fileName == "Worker.swift"
    }
  }

  @Test func aParentThatRemovesTheChildFirstIsAnIssue() async {
    let family = Family(before: { state, action in
      if case .optional = action { state.optional = nil }
    })
    let store = makeStore(.init(optional: .init()), family)
    await withKnownIssue {
      await store.send(.optional(.worked)) { $0.optional = nil }
    }
  }

  @Test func theChildRunsBeforeTheParent() {
    let log = LockedLog<Int>()
    let family = Family(after: { state, action in log.append(state.first.done) })
    let store = Store(initialState: Family.State()) { family }
    store.send(.first(.worked))
    #expect(log.values == [1])
  }
}
