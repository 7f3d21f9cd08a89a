import Composable
import ComposableTesting
import FoundationEssentials
import Synchronization
import Testing

@MainActor @Suite struct SharedTests {
  private struct Settings: Codable, Equatable, Sendable {
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
      $0.comments.first?.rawValue.hasPrefix("The state changed otherwise than asserted.") == true
    }
    await withKnownIssue {
      await store.send(.looked) { $0.first.$count.withLock { $0 = 5 } }
    } matching: {
      $0.comments.first?.rawValue.hasPrefix("A change was asserted, but") == true
    }
    #expect(store.state.first.count == 1)
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

        Assert a change that an effect made by `assert`, as in \
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
    await Task.detached {}.value  // Lets other tests go on.
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

  // MARK: Files

  private let url = URL(filePath: "/settings.json")

  private func withFiles(
    _ files: SharedFiles, _ operation: @MainActor () async throws -> Void
  ) async rethrows {
    try await withDependencies {
      $0.isolateDefaults()
      $0.sharedFiles = files
    } operation: {
      try await operation()
    }
  }

  @Test func aFileKeepsTheValue() async throws {
    let files = SharedFiles.inMemory()
    await withFiles(files) {
      @Shared(.fileStorage(url)) var settings = Settings()
      $settings.theme.withLock { $0 = "light" }
      await flushSharedValues()
    }
    await withFiles(files) {
      @Shared(.fileStorage(url)) var settings = Settings()
      #expect(settings == Settings(theme: "light"))
    }
  }

  @Test func whatAnotherProgramHasChangedIsLoadedAgain() async throws {
    let files = SharedFiles.inMemory()
    try await withFiles(files) {
      @Shared(.fileStorage(url)) var settings = Settings()
      var themes = $settings.theme.values.makeAsyncIterator()
      #expect(await themes.next() == "dark")
      try files.replace("/settings.json", Array(#"{"theme":"light","isMuted":true}"#.utf8))
      try $settings.load()
      #expect(settings == Settings(theme: "light", isMuted: true))
      #expect(await themes.next() == "light")
      try files.replace("/settings.json", Array("{".utf8))
      #expect(throws: SharedFileError.self) { try $settings.isMuted.load() }
      #expect(settings.isMuted)
    }
  }

  @Test func anUnreadableFileIsKeptAsideReportedAndReplacedByTheDefault() async throws {
    let files = SharedFiles.inMemory(["/settings.json": Array("{ broken".utf8)])
    await withFiles(files) {
      withKnownIssue {
        @Shared(.fileStorage(url)) var settings = Settings()
        #expect(settings == Settings())
      } matching: {
        $0.comments.first?.rawValue.contains("/settings.json.unreadable") == true
      }
    }
    #expect(try files.read("/settings.json") == nil)
    #expect(try files.read("/settings.json.unreadable") == Array("{ broken".utf8))
  }

  @Test func filesOfTheMachineAreReplacedAsAWhole() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "composable-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "settings.json").path
    let files = SharedFiles.live
    #expect(try files.read(path) == nil)
    try files.replace(path, [1, 2, 3])
    // What a crash in mid-write leaves does no harm.
    try Data([9]).write(to: URL(filePath: path + ".new"))
    #expect(try files.read(path) == [1, 2, 3])
    try files.replace(path, Array(repeating: 7, count: 100_000))
    #expect(try files.read(path)?.count == 100_000)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    try files.rename(path, path + ".old")
    #expect(try files.read(path) == nil)
    #expect(throws: SharedFileError.self) { try files.replace("/nowhere/at/all", []) }
  }
}
