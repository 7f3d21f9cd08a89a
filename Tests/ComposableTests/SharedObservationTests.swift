import Composable
import ComposableTesting
import Testing

/// A change of a shared value notifies every observer of a state that contains it.
@MainActor @Suite struct SharedObservationTests {
  private struct Settings: Equatable, Sendable {
    var theme = "light"
    var size = 1
  }

  private struct Row: Reducer {
    struct State: Equatable, Sendable, Identifiable {
      let id: Int
      @Shared(.inMemory("settings")) var settings = Settings()
    }

    enum Action: Equatable, Sendable {
      case themeButtonTapped(String)
      case sizeButtonTapped
      case laterButtonTapped
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .themeButtonTapped(let theme): state.$settings.withLock { $0.theme = theme }
        case .sizeButtonTapped: state.$settings.size.withLock { $0 += 1 }
        case .laterButtonTapped:
          return .run { [settings = state.$settings] _ in
            settings.withLock { $0.theme = "later" }
          }
        }
        return .none
      }
    }
  }

  private struct List: Reducer {
    struct State: Equatable, Sendable {
      var rows: IdentifiedArrayOf<Row.State> = [.init(id: 1), .init(id: 2)]
      var other = 0
    }

    enum Action: Equatable, Sendable {
      case rows(IdentifiedActionOf<Row>)
      case otherButtonTapped

      static let rowsCase = CasePath(Self.rows) { if case .rows(let it) = $0 { it } else { nil } }
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        if action == .otherButtonTapped { state.other += 1 }
        return .none
      }
      .forEach(\.rows, action: Action.rowsCase) { Row() }
    }
  }

  private let store = Store(initialState: List.State()) { List() }

  private func row(_ id: Int) -> StoreOf<Row> {
    store.scope(id: id, state: \.rows, action: List.Action.rowsCase)!
  }

  @Test func aRowHearsWhatAnotherRowChanged() {
    var themes: [String] = []
    let second = row(2)
    let token = second.observe(\.settings.theme) { themes.append($0) }
    row(1).send(.themeButtonTapped("dark"))
    #expect(themes == ["dark"])
    row(1).send(.sizeButtonTapped)
    row(1).send(.themeButtonTapped("dark"))
    #expect(themes == ["dark"])
    token.cancel()
  }

  @Test func whoComparesAWholeStateHearsOfTheSharedValueInIt() {
    var told = 0
    let second = row(2)
    let tokens = [
      second.observe { told += 1 },
      store.observe { told += 10 },
      store.observe(\.rows[id: 2]?.$settings) { _ in told += 100 },
    ]
    row(1).send(.themeButtonTapped("dark"))
    #expect(told == 111)
    // Setting a value to what it already is isn't a change.
    row(1).send(.themeButtonTapped("dark"))
    #expect(told == 111)
    store.send(.otherButtonTapped)
    #expect(told == 121)
    for token in tokens { token.cancel() }
  }

  @Test func aChangeByAnEffectIsHeardWithoutAnAction() async {
    var themes: [String] = []
    let second = row(2)
    let token = second.observe(\.settings.theme) { themes.append($0) }
    await row(1).send(.laterButtonTapped).finish()
    await Task { @MainActor in }.value
    #expect(themes == ["later"])
    token.cancel()
  }

  @Test func eachChangeFromAnotherThreadIsHeardOnTheMainActor() async {
    let settings = row(1).withState { $0.$settings }
    let theme = row(2).values(of: \.settings.theme)
    var themes = theme.makeAsyncIterator()
    #expect(await themes.next() == "light")
    for new in ["dark", "dim", "light"] {
      await Task.detached { settings.withLock { $0.theme = new } }.value
      #expect(await themes.next() == new)
    }
  }

  @Test func oneTurnWithSeveralChangesTellsOnce() {
    let two = Store(initialState: List.State()) {
      List()
      Reduce<List.State, List.Action> { state, action in
        if action == .otherButtonTapped {
          return .merge(
            .send(.rows(.element(id: 1, action: .themeButtonTapped("a")))),
            .send(.rows(.element(id: 2, action: .themeButtonTapped("b")))))
        }
        return .none
      }
    }
    var themes: [String] = []
    let token = two.observe(\.rows[id: 1]?.settings.theme) { themes.append($0 ?? "gone") }
    two.send(.otherButtonTapped)
    #expect(themes == ["b"])
    token.cancel()
  }

  @Test func aStoreThatIsGoneIsNotKeptByTheValue() async {
    struct Keeper: Sendable { @Shared(.inMemory("kept")) var value = 0 }
    let keeper = Keeper()
    weak var gone: Store<Int, Int>?
    do {
      let store = Store(initialState: 0) { EmptyReducer<Int, Int>() }
      gone = store
      keeper.$value.withLock { $0 = 1 }
    }
    #expect(gone == nil)
    await Task { @MainActor in }.value
    keeper.$value.withLock { $0 = 2 }
    #expect(keeper.value == 2)
  }

  // MARK: Optional values

  @Test func theValueOfASharedOptionalIsShared() async {
    struct Person: Equatable, Sendable { var name: String }
    let optional = Shared<Person?>(value: nil)
    #expect(Shared(optional) == nil)
    optional.withLock { $0 = Person(name: "Ada") }
    let person = Shared(optional)
    #expect(person?.name.wrappedValue == "Ada")
    person?.name.withLock { $0 = "Bob" }
    #expect(optional.wrappedValue == Person(name: "Bob"))
    optional.withLock { $0 = nil }
    // Reads return the last value, and changes don't bring the person back.
    #expect(person?.wrappedValue == Person(name: "Bob"))
    person?.withLock { $0.name = "Eve" }
    #expect(optional.wrappedValue == nil)
    var values = person?.values.makeAsyncIterator()
    optional.withLock { $0 = Person(name: "Zoe") }
    #expect(await values?.next() == Person(name: "Zoe"))
  }

  @Test func aTestStoreAssertsTheChangeOfAnUnwrappedValue() async {
    struct Owner: Equatable, Sendable {
      @Shared(.inMemory("number")) var number: Int? = 1
    }
    struct Feature: Reducer {
      var body: some Reducer<Owner, Bool> {
        Reduce { state, isThere in
          if isThere { Shared(state.$number)?.withLock { $0 += 1 } }
          if !isThere { state.$number.withLock { $0 = nil } }
          return .none
        }
      }
    }
    let store = TestStore(initialState: Owner()) { Feature() }
    await store.send(true) { $0.$number.withLock { $0 = 2 } }
    await store.send(true) { Shared($0.$number)?.withLock { $0 = 3 } }
    await store.send(false) { $0.$number.withLock { $0 = nil } }
    await store.send(true)
  }
}
