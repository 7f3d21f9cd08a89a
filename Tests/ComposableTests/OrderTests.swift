import Composable
import ComposableTesting
import Synchronization
import Testing

/// The order in which actions are reduced and observers are notified.
@MainActor @Suite struct OrderTests {
  struct State: Equatable, Sendable {
    var log: [String] = []
  }

  @Test func reducesSynchronousEffectsFirstInFirstOutBeforeSendReturns() {
    let store = Store(initialState: State()) {
      Reduce<State, String> { state, action in
        state.log.append(action)
        return switch action {
        case "a": .send("b")
        case "b": .send("c")
        default: .none
        }
      }
    }
    store.send("a")
    #expect(store.log == ["a", "b", "c"])
  }

  @Test func mergesBreadthFirst() {
    let store = Store(initialState: State()) {
      Reduce<State, String> { state, action in
        state.log.append(action)
        return switch action {
        case "a": .merge(.send("b"), .send("c"))
        case "b": .merge(.send("b1"), .send("b2"))
        case "c": .send("c1")
        default: .none
        }
      }
    }
    store.send("a")
    #expect(store.log == ["a", "b", "c", "b1", "b2", "c1"])
  }

  @Test func concatenatesSynchronousEffectsInOrder() {
    let store = Store(initialState: State()) {
      Reduce<State, String> { state, action in
        state.log.append(action)
        return action == "a" ? .concatenate(.send("b"), .send("c"), .send("d")) : .none
      }
    }
    store.send("a")
    #expect(store.log == ["a", "b", "c", "d"])
  }

  @Test func reducesAnActionSentByADependencyWhileAReducerRunsAfterTheCurrentOne() {
    final class Box { weak var store: Store<State, String>? }
    let box = Box()
    let store = Store(initialState: State()) {
      Reduce<State, String> { state, action in
        if action == "a" { MainActor.assumeIsolated { _ = box.store?.send("b") } }
        state.log.append(action)
        return action == "a" ? .send("c") : .none
      }
    }
    box.store = store
    store.send("a")
    #expect(store.log == ["a", "b", "c"])
  }

  @Test func reducesAnActionSentByADeinitWhileAReducerRunsAfterTheCurrentOne() {
    final class Payload: Sendable {
      let onDeinit: @Sendable () -> Void
      init(_ onDeinit: @escaping @Sendable () -> Void) { self.onDeinit = onDeinit }
      deinit { onDeinit() }
    }
    enum Action: Sendable {
      case drop
      case dropped
    }
    struct Holder: Sendable {
      var payload: Payload?
      var log: [String] = []
    }
    let send = Mutex<(@MainActor @Sendable () -> Void)?>(nil)
    let action: @Sendable () -> Void = { MainActor.assumeIsolated { send.withLock { $0 }?() } }
    let store = Store(initialState: Holder(payload: Payload(action))) {
      Reduce<Holder, Action> { state, action in
        switch action {
        case .drop:
          state.payload = nil
          state.log.append("drop")
        case .dropped: state.log.append("dropped")
        }
        return .none
      }
    }
    send.withLock { $0 = { [weak store] in store?.send(.dropped) } }
    store.send(.drop)
    #expect(store.log == ["drop", "dropped"])
  }

  @Test func readingTheStateWhileAReducerRunsTraps() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await MainActor.run {
        final class Box { weak var store: Store<Int, Int>? }
        let box = Box()
        let store = Store(initialState: 0) {
          Reduce<Int, Int> { state, action in
            state = MainActor.assumeIsolated { box.store?.state ?? 0 }
            return .none
          }
        }
        box.store = store
        store.send(1)
      }
    }
    let said = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(said.contains("A store's state was read while its reducer was changing it."))
  }

  /// Runs in a separate process, because 100,000 nested calls would crash it.
  @Test func reduces100_000ChainedActionsOnASmallStack() async {
    await #expect(processExitsWith: .success) {
      await MainActor.run {
        let store = Store(initialState: 0) {
          Reduce<Int, Void> { state, _ in
            state += 1
            return state < 100_000 ? .send(()) : .none
          }
        }
        store.send(())
        precondition(store.state == 100_000)
      }
    }
  }

  @Test func givesEachObserverOneNotificationPerTurnWithTheLastState() {
    let store = Store(initialState: State()) {
      Reduce<State, String> { state, action in
        state.log.append(action)
        return switch action {
        case "a": .send("b")
        case "b": .send("c")
        default: .none
        }
      }
    }
    var told: [[String]] = []
    let token = store.observe { told.append(store.log) }
    store.send("a")
    #expect(told == [["a", "b", "c"]])
    token.cancel()
    store.send("a")
    #expect(told.count == 1)
  }

  @Test func tellsAnObserverOnlyIfItsProjectionHasChanged() {
    struct Pair: Equatable, Sendable {
      var left = 0
      var right = 0
    }
    enum Action: Sendable {
      case left
      case right
    }
    let store = Store(initialState: Pair()) {
      Reduce<Pair, Action> { state, action in
        switch action {
        case .left: state.left += 1
        case .right: state.right += 1
        }
        return .none
      }
    }
    var lefts: [Int] = []
    let token = store.observe(\.left) { lefts.append($0) }
    store.send(.right)
    store.send(.left)
    store.send(.right)
    #expect(lefts == [1])
    token.cancel()
  }

  @Test func reducesAnActionSentByAnObserverInATurnOfItsOwn() {
    let store = Store(initialState: State()) {
      Reduce<State, String> { state, action in
        state.log.append(action)
        return .none
      }
    }
    var told: [[String]] = []
    let token = store.observe {
      told.append(store.log)
      if store.log == ["a"] { store.send("b") }
    }
    store.send("a")
    #expect(told == [["a"], ["a", "b"]])
    token.cancel()
  }

  @Test func givesTheValuesOfAProjectionAsAStream() async {
    let store = Store(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state = action
        return .none
      }
    }
    var iterator = store.values(of: { $0 / 10 }).makeAsyncIterator()
    #expect(await iterator.next() == 0)
    store.send(5)
    store.send(12)
    #expect(await iterator.next() == 1)
  }
}
