import Composable
import ComposableFoundation
import ComposableTesting
import Testing

/// Features that contain themselves, in every way in which a feature can contain another.
@MainActor @Suite struct RecursionTests {
  let clock = TestClock()

  /// A folder that contains folders, can push one, and can present one over itself.
  private struct Folder: Reducer {
    struct State: Equatable, Sendable, Identifiable {
      var id = 0
      var name = ""
      var folders: IdentifiedArrayOf<State> = []
      var path: StackState<State> = []
      @Presents var sheet: State?
    }

    enum Action: Equatable, Sendable {
      case renamed(String)
      case sheetButtonTapped
      case startButtonTapped
      case closeButtonTapped
      case worked
      indirect case folders(IdentifiedAction<Int, Action>)
      indirect case path(StackAction<State, Action>)
      indirect case sheet(PresentationAction<Action>)

      static let foldersCase = CasePath(Self.folders) {
        if case .folders(let it) = $0 { it } else { nil }
      }
      static let pathCase = CasePath(Self.path) { if case .path(let it) = $0 { it } else { nil } }
      static let sheetCase = CasePath(Self.sheet) {
        if case .sheet(let it) = $0 { it } else { nil }
      }
    }

    @Dependency(\.continuousClock) var clock
    @Dependency(\.dismiss) var dismiss

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .renamed(let name): state.name = name
        case .sheetButtonTapped: state.sheet = State(id: state.id + 1)
        case .startButtonTapped:
          return .run { [clock] send in
            try await clock.sleep(for: .seconds(1))
            await send(.worked)
          }
        case .closeButtonTapped: return .run { [dismiss] _ in await dismiss() }
        case .worked: state.name += "!"
        case .folders, .path, .sheet: break
        }
        return .none
      }
      .forEach(\.folders, action: Action.foldersCase) { Folder() }
      .forEach(\.path, action: Action.pathCase) { Folder() }
      .ifLet(\.$sheet, action: Action.sheetCase) { Folder() }
    }
  }

  private func makeStore(_ state: Folder.State = .init()) -> TestStoreOf<Folder> {
    TestStore(initialState: state, reducer: { Folder() }) { $0.continuousClock = clock }
  }

  @Test func aListOfItself() async {
    let inner = Folder.State(id: 2)
    let store = makeStore(.init(folders: [.init(id: 1, folders: [inner])]))
    let inmost: (Folder.Action) -> Folder.Action = {
      .folders(.element(id: 1, action: .folders(.element(id: 2, action: $0))))
    }
    await store.send(inmost(.renamed("a"))) { $0.folders[id: 1]?.folders[id: 2]?.name = "a" }
    await store.send(inmost(.startButtonTapped))
    await clock.advance(by: .seconds(1))
    await store.receive(inmost(.worked)) { $0.folders[id: 1]?.folders[id: 2]?.name = "a!" }
  }

  @Test func aStackOfItself() async {
    let store = makeStore()
    await store.send(.path(.push(.init()))) { $0.path.append(.init()) }
    await store.send(.path(.element(id: 0, action: .path(.push(.init()))))) {
      $0.path[id: 0]?.path.append(.init())
    }
    await store.send(
      .path(.element(id: 0, action: .path(.element(id: 1, action: .renamed("a")))))
    ) {
      $0.path[id: 0]?.path[id: 1]?.name = "a"
    }
  }

  @Test func aPresentationOfItselfThreeDeep() async {
    let store = makeStore()
    await store.send(.sheetButtonTapped) { $0.sheet = .init(id: 1) }
    await store.send(.sheet(.presented(.sheetButtonTapped))) { $0.sheet?.sheet = .init(id: 2) }
    let inmost: (Folder.Action) -> Folder.Action = {
      .sheet(.presented(.sheet(.presented($0))))
    }
    await store.send(inmost(.renamed("a"))) { $0.sheet?.sheet?.name = "a" }
    // It dismisses only itself.
    await store.send(inmost(.closeButtonTapped))
    await store.receive(.sheet(.presented(.sheet(.dismiss)))) { $0.sheet?.sheet = nil }
    await store.finish()
  }

  @Test func whenTheOutermostGoesTheEffectsOfTheInmostEnd() async {
    let inmost = Folder.State(id: 2)
    var sheet = Folder.State(id: 1)
    sheet.sheet = inmost
    let store = makeStore(.init(sheet: sheet))
    await store.send(.sheet(.presented(.sheet(.presented(.startButtonTapped)))))
    #expect(clock.sleeps.count == 1)
    await store.send(.sheet(.dismiss)) { $0.sheet = nil }
    #expect(clock.sleeps.isEmpty)
    await store.finish(timeout: .zero)
  }

  @Test func ofOneSortTheParentAndTheChildKeepTheirEffectsApart() async {
    let store = makeStore(.init(folders: [.init(id: 1)]))
    await store.send(.startButtonTapped)
    await store.send(.folders(.element(id: 1, action: .startButtonTapped)))
    #expect(clock.sleeps.count == 2)
    await clock.advance(by: .seconds(1))
    await store.receive(.worked) { $0.name = "!" }
    await store.receive(.folders(.element(id: 1, action: .worked))) {
      $0.folders[id: 1]?.name = "!"
    }
  }

  @Test func storesOfAPresentationOfItself() {
    let store = Store(initialState: Folder.State()) { Folder() }
    var deepest = store
    for depth in 1...5 {
      deepest.send(.sheetButtonTapped)
      deepest = deepest.scope(state: \.$sheet, action: Folder.Action.sheetCase)!
      #expect(deepest.id == depth)
    }
    deepest.send(.renamed("deep"))
    #expect(store.sheet?.sheet?.sheet?.sheet?.sheet?.name == "deep")
  }

  // MARK: Enums

  /// A question that can lead to another one.
  private struct Question: Reducer {
    enum State: Equatable, Sendable {
      case asked(Int)
      indirect case follow(State)

      static let followCase = CasePath(Self.follow) {
        if case .follow(let it) = $0 { it } else { nil }
      }
    }

    enum Action: Equatable, Sendable {
      case answered
      indirect case follow(Action)

      static let followCase = CasePath(Self.follow) {
        if case .follow(let it) = $0 { it } else { nil }
      }
    }

    let isScope: Bool

    var body: some ReducerOf<Self> {
      if isScope {
        Scope(state: State.followCase, action: Action.followCase) { Question(isScope: true) }
        reduce
      } else {
        reduce.ifCaseLet(State.followCase, action: Action.followCase) { Question(isScope: false) }
      }
    }

    private var reduce: Reduce<State, Action> {
      Reduce { state, action in
        if case .asked(let number) = state, action == .answered { state = .asked(number + 1) }
        return .none
      }
    }
  }

  @Test(arguments: [true, false]) func aCaseOfItself(isScope: Bool) async {
    let store = TestStore(initialState: Question.State.follow(.follow(.asked(1)))) {
      Question(isScope: isScope)
    }
    await store.send(.follow(.follow(.answered))) { $0 = .follow(.follow(.asked(2))) }
  }

  // MARK: Creation of children

  @Test func aChildIsMadeOnceAndOnlyIfItActs() {
    let made = LockedLog<String>()
    struct Parent: Reducer {
      let made: LockedLog<String>

      var body: some ReducerOf<Family> {
        Scope(state: \.first, action: Family.Action.firstCase) {
          let _ = made.append("first")
          Worker()
        }
        Scope(state: \.second, action: Family.Action.secondCase) {
          let _ = made.append("second")
          Worker()
        }
      }
    }
    let store = Store(initialState: Family.State()) { Parent(made: made) }
    #expect(made.values.isEmpty)
    store.send(.first(.worked))
    store.send(.first(.worked))
    #expect(made.values == ["first"])
    #expect(store.first.done == 2)
  }

  @Test func aChildIsMadeWithTheDependenciesOfItsStore() async {
    struct Child: Reducer {
      @Dependency(\.uuid) var uuid

      var body: some Reducer<[String], Int> {
        let id = uuid()
        Reduce { state, action in
          state.append("\(id)")
          return .none
        }
      }
    }
    let ids = UUIDGenerator.incrementing
    let store = TestStore(initialState: [String]()) {
      Scope<[String], Int>(state: \.self, action: CasePath({ $0 }, { $0 })) { Child() }
    } withDependencies: {
      $0.uuid = ids
    }
    await store.send(1) { $0 = ["00000000-0000-0000-0000-000000000000"] }
    await store.send(1) { $0.append("00000000-0000-0000-0000-000000000000") }
  }
}
