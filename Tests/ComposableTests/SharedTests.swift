import Composable
import ComposableTesting
import Testing

@MainActor @Suite struct SharedTests {
  private struct Settings: Equatable, Sendable {
    var theme = "dark"
    var isMuted = false
  }

  private struct Tabs: Reducer {
    struct Tab: Equatable, Sendable {
      @Shared(.inMemory("count")) var count = 0
    }
    struct State: Equatable, Sendable {
      var first = Tab()
      var second = Tab()
      var other = 0
    }
    enum Action: Equatable, Sendable {
      case firstButtonTapped
      case secondButtonTapped
      case laterButtonTapped
      case twice
      case looked
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .firstButtonTapped: state.first.$count.withLock { $0 += 1 }
        case .secondButtonTapped:
          state.second.$count.withLock { $0 += 10 }
          state.other += 1
        case .laterButtonTapped:
          return .run { [count = state.first.$count] send in
            count.withLock { $0 = 100 }
            await send(.looked)
            count.withLock { $0 = 200 }
          }
        case .twice: return .merge(.send(.firstButtonTapped), .send(.secondButtonTapped))
        case .looked: break
        }
        return .none
      }
    }
  }

  private func makeStore() -> TestStoreOf<Tabs> {
    TestStore(initialState: Tabs.State()) { Tabs() }
  }

  @Test func twoFeaturesHoldingOneKeySeeOneValue() async {
    let store = makeStore()
    await store.send(.firstButtonTapped) { $0.first.$count.withLock { $0 = 1 } }
    #expect(store.state.second.count == 1)
    await store.send(.secondButtonTapped) {
      $0.first.$count.withLock { $0 = 11 }
      $0.other = 1
    }
  }

  @Test func eachReceivedActionIsAssertedWithTheValueItLeft() async {
    let store = makeStore()
    await store.send(.twice)
    await store.receive(.firstButtonTapped) { $0.first.$count.withLock { $0 = 1 } }
    await store.receive(.secondButtonTapped) {
      $0.second.$count.withLock { $0 = 11 }
      $0.other = 1
    }
  }

  @Test func changesInsideAnEffectAreAssertedLikeState() async {
    let store = makeStore()
    await store.send(.laterButtonTapped)
    await store.receive(.looked) { $0.first.$count.withLock { $0 = 100 } }
    store.assert { $0.first.$count.withLock { $0 = 200 } }
    await store.finish()
  }

  @Test func aSharedChangeThatWasNotAssertedFails() async {
    let store = makeStore()
    await withKnownIssue {
      await store.send(.firstButtonTapped)
    } matching: { issue in
      issue.comments.first?.rawValue == """
        The state changed, but no change was asserted.

          Action: .firstButtonTapped

            SharedTests.Tabs.State(
              first: SharedTests.Tabs.Tab(
          −     count: 0
          +     count: 1
              )
              second: SharedTests.Tabs.Tab(
          −     count: 0
          +     count: 1
              )
              … (1 unchanged)
            )

        Assert the change in a trailing closure, as in `{ $0.count = 1 }`, or find out why the \
        action changes the state.
        """
    }
    await store.send(.firstButtonTapped) { $0.first.$count.withLock { $0 = 2 } }
  }

  @Test func aSharedChangeAssertedWronglyFails() async {
    let store = makeStore()
    await withKnownIssue {
      await store.send(.firstButtonTapped) { $0.first.$count.withLock { $0 = 5 } }
    } matching: {
      $0.comments.first?.rawValue.hasPrefix("The state changed, but not as asserted.") == true
    }
    await withKnownIssue {
      await store.send(.looked) { $0.first.$count.withLock { $0 = 5 } }
    } matching: {
      $0.comments.first?.rawValue.hasPrefix("A change was asserted, but") == true
    }
    #expect(store.state.first.count == 1)
  }

  @Test func anActionReceivedInsteadOfAnotherIsOneFailureAlsoWithASharedChange() async {
    let store = makeStore()
    await store.send(.twice)
    for _ in 1...2 {
      await withKnownIssue {
        await store.receive(.looked)
      } matching: {
        $0.comments.first?.rawValue.hasPrefix("A different action was received") == true
      }
    }
  }

  @Test func anActionThatWasNotReceivedIsOneFailureAlsoWithASharedChange() async {
    await withKnownIssue {
      let store = makeStore()
      await store.send(.twice)
    } matching: {
      $0.comments.first?.rawValue.hasPrefix("The test ends with 2 received action(s)") == true
    }
  }

  @Test func aPendingSharedChangeAtTheEndFails() async {
    await withKnownIssue {
      let store = makeStore()
      await store.send(.laterButtonTapped)
      await store.receive(.looked) { $0.first.$count.withLock { $0 = 100 } }
    } matching: {
      $0.comments.first?.rawValue == """
        The test ends with 1 change(s) of shared values that were not asserted.

          − 100
          + 200

        Assert a change that an effect made with `assert`, as in \
        `store.assert { $0.$count.withLock { $0 = 1 } }`.
        """
    }
  }

  @Test func whatATestHasChangedDoesNotOutliveIt() async {
    weak var changes: SharedChanges?
    do {
      let store = makeStore()
      changes = store.dependencies.sharedStorage.changes
      await store.send(.firstButtonTapped) { $0.first.$count.withLock { $0 = 1 } }
      #expect(changes != nil)
    }
    #expect(changes == nil)
  }

  @Test func partsAreShared() {
    let settings = Shared(value: Settings())
    let theme = settings.theme
    theme.withLock { $0 = "light" }
    #expect(settings.wrappedValue == Settings(theme: "light"))
    #expect(theme.wrappedValue == "light")
  }

  @Test func aReaderSeesTheValue() {
    @Shared(.inMemory("reader")) var value = 1
    @SharedReader(.inMemory("reader")) var reader = 2
    #expect(reader == 1)
    $value.withLock { $0 = 3 }
    #expect(reader == 3)
  }

  /// Runs in parallel with itself.
  @Test(arguments: 1...20) func parallelTestsShareNothing(number: Int) async {
    @Shared(.inMemory("number")) var value = number
    await Task.detached {}.value  // Lets other tests run.
    @Shared(.inMemory("number")) var other = 0
    #expect(other == number)
  }

  @Test func valuesAreStreamed() async {
    let shared = Shared(value: 1)
    var values = shared.values.makeAsyncIterator()
    #expect(await values.next() == 1)
    shared.withLock { $0 = 2 }
    #expect(await values.next() == 2)
  }

  @Test func concurrentChangesAreAllKept() async {
    let shared = Shared(value: 0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<1_000 { shared.withLock { $0 += 1 } } }
      }
    }
    #expect(shared.wrappedValue == 8_000)
  }
}
