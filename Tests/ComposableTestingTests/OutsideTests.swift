import Composable
import ComposableTesting
import Synchronization
import Testing

/// Effects that work outside the test store's executor.
@MainActor @Suite struct OutsideTests {
  private actor Platform {
    private var count = 0

    func next() async -> Int {
      await Task.yield()
      count += 1
      return count
    }
  }

  private enum Action: Equatable, Sendable {
    case ask
    case answered(Int)
  }

  private func store(
    _ answer: @escaping @Sendable () async -> Int
  ) -> TestStore<Int, Action> {
    TestStore(initialState: 0) {
      Reduce { state, action in
        switch action {
        case .ask: return .run { send in await send(.answered(answer())) }
        case .answered(let answer):
          state = answer
          return .none
        }
      }
    }
  }

  @Test func plainActorsRunOnTheStoresExecutor() async {
    let platform = Platform()
    let store = store { await platform.next() }
    await store.send(.ask)
    await store.receive(.answered(1), timeout: .zero) { $0 = 1 }
    await store.finish(timeout: .zero)
  }

  @Test func theMainActorIsWaitedFor() async {
    let store = store { await MainActor.run { 2 } }
    await store.send(.ask)
    await store.receive(.answered(2)) { $0 = 2 }
    await store.finish()
  }

  @Test func aDetachedTaskIsWaitedFor() async {
    let store = store { await Task.detached { 3 }.value }
    await store.send(.ask)
    await store.receive(.answered(3)) { $0 = 3 }
    await store.finish()
  }

  /// A test can await something that an effect does after it has run elsewhere.
  @Test func anEffectGoesOnWhileTheTestWaitsForSomethingElse() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let store = store {
      let answer = await Task.detached { 4 }.value
      continuation.yield(answer)
      return answer
    }
    await store.send(.ask)
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next() == 4)
    await store.receive(.answered(4)) { $0 = 4 }
    await store.finish()
  }

  @Test func childTasksRunOnTheStoresExecutor() async {
    let store = store {
      await withTaskGroup(of: Int.self) { group in
        for number in 1...10 { group.addTask { number } }
        return await group.reduce(0, +)
      }
    }
    await store.send(.ask)
    await store.receive(.answered(55), timeout: .zero) { $0 = 55 }
    await store.finish(timeout: .zero)
  }

  @Test func aTaskOutsideOfAStoreIsDrivenByWaitingForItsSleep() async throws {
    let clock = TestClock()
    let ticks = Mutex(0)
    let task = Task {
      for await _ in clock.timer(interval: .seconds(1)) {
        ticks.withLock { $0 += 1 }
      }
    }
    for _ in 1...3 {
      await clock.waitForSleeps()
      await clock.advance(by: .seconds(1))
    }
    await clock.waitForSleeps()
    #expect(ticks.withLock { $0 } == 3)
    task.cancel()
    await task.value
    clock.checkSleeps()
  }

  @Test func unendedSleepsAreReported() async {
    let clock = TestClock()
    let task = Task { try await clock.sleep(for: .seconds(2)) }
    await clock.waitForSleeps()
    await expectIssue(
      """
      1 task(s) still sleep on the test clock:

        • outside a test store, until 2.0 seconds

      Advance the clock to let them end, or cancel them.
      """
    ) { clock.checkSleeps() }
    await clock.run()
    _ = await task.result
  }
}
