import Composable
import ComposableTesting
import Synchronization
import Testing

/// The effects that a cancellation ends, and when it does.
@MainActor @Suite struct CancellationTests {
  enum Action: Equatable, Sendable {
    case start(Int)
    case cancel(Int)
    case startAndCancel
    case emitted(Int)
  }

  /// Starts an effect per id. The effect sends an action after one second.
  static func feature(
    clock: any Clock<Duration>, cancelInFlight: Bool = false
  ) -> Reduce<[Int], Action> {
    Reduce { state, action in
      func run(_ value: Int) -> Effect<Action> {
        .run { send in
          try await clock.sleep(for: .seconds(1))
          await send(.emitted(value))
        }
        .cancellable(id: cancelInFlight ? 0 : value, cancelInFlight: cancelInFlight)
      }
      switch action {
      case .start(let value): return run(value)
      case .cancel(let id): return .cancel(id: id)
      case .startAndCancel: return .merge(run(1), .cancel(id: 1))
      case .emitted(let value):
        state.append(value)
        return .none
      }
    }
  }

  @Test func cancelEndsTheEffectsOfItsID() async {
    let clock = TestClock()
    let store = TestStore(initialState: []) { Self.feature(clock: clock) }
    await store.send(.start(1))
    await store.send(.start(2))
    await store.send(.cancel(1))
    await clock.advance(by: .seconds(1))
    await store.receive(.emitted(2)) { $0 = [2] }
    await store.finish()
  }

  @Test func cancelInTheSameTurnIsHonoured() async {
    let clock = TestClock()
    let store = TestStore(initialState: []) { Self.feature(clock: clock) }
    await store.send(.startAndCancel)
    #expect(clock.sleeps.isEmpty)
    await clock.advance(by: .seconds(1))
    await store.finish()
  }

  @Test func cancelInFlightStopsTheFirstBeforeTheSecondEmits() async {
    let clock = TestClock()
    let store = TestStore(initialState: []) {
      Self.feature(clock: clock, cancelInFlight: true)
    }
    await store.send(.start(1))
    await clock.advance(by: .milliseconds(500))
    await store.send(.start(2))
    await clock.advance(by: .milliseconds(500))
    await clock.advance(by: .milliseconds(500))
    await store.receive(.emitted(2)) { $0 = [2] }
    await store.finish()
  }

  @Test func effectsOfOneIDRunSideBySideUnlessTheFirstIsToBeCancelled() async {
    let clock = TestClock()
    let store = TestStore(initialState: [Int]()) {
      Reduce<[Int], Int> { state, action in
        if action < 0 {
          state.append(-action)
          return .none
        }
        return .run { send in
          try await clock.sleep(for: .seconds(action))
          await send(-action)
        }
        .cancellable(id: "id")
      }
    }
    await store.send(2)
    await store.send(1)
    await clock.advance(by: .seconds(1))
    await store.receive(-1) { $0 = [1] }
    await clock.advance(by: .seconds(1))
    await store.receive(-2) { $0 = [1, 2] }
    await store.finish()
  }

  @Test func idsOfDifferentTypesNeverCollide() async {
    struct First: Hashable, Sendable {}
    struct Second: Hashable, Sendable {}
    let ids: [any Hashable & Sendable] = [1, "1", UInt8(1), First(), Second()]
    for cancelled in ids.indices {
      let store = TestStore(initialState: Set<Int>()) {
        Reduce<Set<Int>, Int?> { state, action in
          if let action {
            state.insert(action)
            return .none
          }
          let clock = ImmediateClock()
          return .merge(
            ids.indices.map { index in
              Effect.run { send in
                try await clock.sleep(for: .seconds(1))
                await send(index)
              }
              .cancellable(erasedID: ids[index])
            } + [.cancel(erasedID: ids[cancelled])])
        }
      }
      await store.send(nil)
      for index in ids.indices where index != cancelled {
        await store.receive(index) { $0.insert(index) }
      }
    }
  }

  @Test func tenThousandConcurrentStartAndCancelPairsLeaveAnEmptyTable() async {
    let core = RootCore(
      initialState: 0,
      reducer: Reduce<Int, Action> { _, action in
        switch action {
        case .start(let id):
          return .run { _ in try await Task.sleep(for: .seconds(1_000)) }.cancellable(id: id)
        case .cancel(let id): return .cancel(id: id)
        default: return .none
        }
      }.erased(),
      dependencies: .current)
    let pairs = (0..<10_000).map { id in
      Task {
        let task = core.send(.start(id))
        _ = core.send(.cancel(id))
        await task.finish()
      }
    }
    for pair in pairs { await pair.value }
    #expect(core.isTableEmpty)
  }

  @Test func aCancelInAChildThatHasNothingToCancelLeavesAnEmptyTable() {
    let core = RootCore(
      initialState: Family.State(), reducer: Family().erased(), dependencies: .current)
    _ = core.send(.first(.cancelButtonTapped))
    #expect(core.isTableEmpty)
  }

  @Test func cancellingTheTaskOfASendEndsEverythingThatItStarted() async {
    let clock = TestClock()
    let store = TestStore(initialState: []) {
      Reduce<[String], String> { state, action in
        state.append(action)
        switch action {
        case "first":
          return .run { send in
            await send("second")
            try await clock.sleep(for: .seconds(1))
            await send("never")
          }
        case "second":
          return .run { send in
            try await clock.sleep(for: .seconds(1))
            await send("never")
          }
        default: return .none
        }
      }
    }
    let task = await store.send("first") { $0 = ["first"] }
    await store.receive("second") { $0 = ["first", "second"] }
    #expect(clock.sleeps.count == 2)
    await task.cancel()
    #expect(clock.sleeps.isEmpty)
    #expect(task.isFinished)
    await clock.advance(by: .seconds(1))
    await store.finish()
  }

  @Test func anEffectOfASendThatWasCancelledMeanwhileNeverStarts() async {
    let started = LockedLog<Int>()
    final class Box { var task: StoreTask? }
    let box = Box()
    let store = Store(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state += 1
        guard action == 1 else { return .none }
        // Called by the reducer, this cancels the send that the action belongs to.
        MainActor.assumeIsolated { box.task?.cancel() }
        return .run { _ in started.append(1) }
      }
    }
    let token = store.observe { if box.task == nil { box.task = store.send(1) } }
    store.send(0)
    token.cancel()
    #expect(box.task?.isCancelled == true)
    #expect(box.task?.isFinished == true)
    await box.task?.finish()
    #expect(started.values.isEmpty)
  }

  @Test func anImmediateEffectLeavesNothingRegistered() {
    let core = RootCore(
      initialState: 0,
      reducer: Reduce<Int, Int> { state, action in
        state = action
        return action == 0 ? .send(1).cancellable(id: "id") : .none
      }.erased(),
      dependencies: .current)
    let task = core.send(0)
    #expect(core.state == 1)
    #expect(core.isTableEmpty)
    #expect(task.isFinished)
  }

  @Test func concatenateEmitsAtOneThreeAndSixSeconds() async {
    let clock = TestClock()
    let store = TestStore(initialState: []) { Self.sequence(clock) }
    await store.send("start")
    await clock.advance(by: .seconds(1))
    await store.receive("1") { $0 = ["1 at 1.0"] }
    await clock.advance(by: .seconds(1))
    await clock.advance(by: .seconds(1))
    await store.receive("2") { $0.append("2 at 3.0") }
    await clock.advance(by: .seconds(3))
    await store.receive("3") { $0.append("3 at 6.0") }
    await store.finish()
  }

  @Test func concatenateCancelledInTheSecondNeverStartsTheThird() async {
    let clock = TestClock()
    let store = TestStore(initialState: []) { Self.sequence(clock) }
    await store.send("start")
    await clock.advance(by: .seconds(2))
    await store.receive("1") { $0 = ["1 at 1.0"] }
    await store.send("cancel")
    await clock.advance(by: .seconds(10))
    await store.finish()
  }

  private static func sequence(_ clock: TestClock) -> Reduce<[String], String> {
    Reduce { state, action in
      switch action {
      case "start":
        return .concatenate(
          [1, 2, 3].map { seconds in
            Effect.run { send in
              try await clock.sleep(for: .seconds(seconds))
              await send("\(seconds)")
            }
          }
        )
        .cancellable(id: "sequence")
      case "cancel": return .cancel(id: "sequence")
      default:
        let seconds = clock.now.offset / .seconds(1)
        state.append("\(action) at \(seconds)")
        return .none
      }
    }
  }

  @Test func sendThatIsOvertakenByTheCancellationDoesNothing() async {
    let store = TestStore(initialState: 0) {
      Reduce<Int, Action> { state, action in
        switch action {
        case .start:
          return .merge(
            .run { send in await send(.cancel(1)) },
            // This effect is already sending when the action before it is reduced.
            .run { send in await send(.emitted(1)) }.cancellable(id: 1))
        case .cancel: return .cancel(id: 1)
        case .emitted, .startAndCancel:
          state += 1
          return .none
        }
      }
    }
    await store.send(.start(1))
    await store.receive(.cancel(1))
    await store.finish(timeout: .zero)
  }

  @Test func sendAfterCancellationDoesNothing() async {
    let gate = Gate()
    let store = TestStore(initialState: []) {
      Reduce<[Int], Action> { state, action in
        switch action {
        case .start:
          return .run { send in
            await gate.wait()
            await send(.emitted(1))
          }
          .cancellable(id: 1)
        case .cancel: return .cancel(id: 1)
        case .emitted(let value):
          state.append(value)
          return .none
        case .startAndCancel: return .none
        }
      }
    }
    await store.send(.start(1))
    await store.send(.cancel(1))
    gate.open()
    await store.finish()
  }
}

extension Effect {
  fileprivate func cancellable(erasedID id: any Hashable & Sendable) -> Self { cancellable(id: id) }
  fileprivate static func cancel(erasedID id: any Hashable & Sendable) -> Self { cancel(id: id) }
}

/// Makes a task wait until the gate is opened, ignoring cancellation.
final class Gate: Sendable {
  private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>(
    (false, []))

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
