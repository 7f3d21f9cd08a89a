import Composable
import ComposableTesting
import Testing

/// An effect can't send anything once its work has ended.
@MainActor @Suite struct EndedEffectTests {
  private enum Action: Equatable, Sendable {
    case start
    case late
    case show
    indirect case sheet(PresentationAction<Action>)

    static let sheetCase = CasePath(Self.sheet) { if case .sheet(let it) = $0 { it } else { nil } }
  }

  private nonisolated static func text(_ action: String) -> String {
    """
    An effect sent an action after it had ended.

      Action: \(action)

    The action was ignored, because nothing could have cancelled it any more. An effect ends when its \
    closure returns: make it wait for the tasks that it starts and for anything that still uses its `send`.
    """
  }

  /// Returns an effect whose unawaited task sends an action once the gate opens.
  private nonisolated static func leaking(_ gate: Gate, _ task: Handle) -> Effect<Action> {
    .run { send in
      task.set(
        Task {
          await gate.wait()
          await send(.late)
        })
    }
  }

  @Test func aSendThatWasKeptIsRefusedAtTheEffectsLine() async {
    let gate = Gate()
    let task = Handle()
    let store = TestStore(initialState: 0) {
      Reduce<Int, Action> { state, action in
        if action == .start { return Self.leaking(gate, task) }
        state += 1
        return .none
      }
    }
    await withKnownIssue {
      await store.send(.start)
      gate.open()
      await task.value?.value
      await store.finish()
    } matching: {
      $0.comments.first?.rawValue == Self.text(".late")
        && $0.sourceLocation?.fileName == "EndedEffectTests.swift"
        && $0.sourceLocation?.line == 29
    }
    #expect(store.state == 0)
  }

  @Test func theNextPresentationOfTheSameChildHearsNothing() async {
    struct Parent: Reducer {
      struct State: Equatable, Sendable { @Presents var sheet: Int? = 0 }
      let gate: Gate
      let task: Handle
      var body: some Reducer<State, EndedEffectTests.Action> {
        Reduce { state, action in
          if action == .show { state.sheet = 0 }
          return .none
        }
        .ifLet(\.$sheet, action: Action.sheetCase) {
          Reduce { state, action in
            if action == .start { return EndedEffectTests.leaking(gate, task) }
            state += 1
            return .none
          }
        }
      }
    }
    let gate = Gate()
    let task = Handle()
    let store = Store(initialState: Parent.State()) { Parent(gate: gate, task: task) }
    await withKnownIssue {
      await store.send(.sheet(.presented(.start))).finish()
      store.send(.sheet(.dismiss))
      store.send(.show)
      gate.open()
      await task.value?.value
    } matching: {
      $0.comments.first?.rawValue == Self.text(".sheet(.presented(.late))")
    }
    #expect(store.sheet == 0)
  }

  @Test func dismissingAfterTheEndIsRefusedToo() async {
    let gate = Gate()
    let task = Handle()
    let store = TestStore(initialState: Family.State(sheet: .init())) {
      EmptyReducer<Family.State, Family.Action>().ifLet(
        \.$sheet, action: Family.Action.sheetCase
      ) {
        Reduce<PlainWorker.State, Worker.Action> { _, _ in
          .run { _ in
            @Dependency(\.dismiss) var dismiss
            task.set(
              Task { [dismiss] in
                await gate.wait()
                await dismiss()
              })
          }
        }
      }
    }
    await withKnownIssue {
      await store.send(.sheet(.presented(.worked)))
      gate.open()
      await task.value?.value
    } matching: {
      $0.comments.first?.rawValue == Self.text(".sheet(.dismiss)")
    }
    #expect(store.state.sheet != nil)
  }

  @Test func whatWasCancelledIsRefusedSilently() async {
    let gate = Gate()
    let task = Handle()
    let store = TestStore(initialState: 0) {
      Reduce<Int, Action> { _, action in
        guard action == .start else { return .cancel(id: 1) }
        return .run { send in
          let sending = Task {
            await gate.wait()
            await send(.late)
          }
          task.set(sending)
          await sending.value
        }
        .cancellable(id: 1)
      }
    }
    await store.send(.start)
    await store.send(.late)
    gate.open()
    await task.value?.value
    await store.finish()
  }

  @Test func tasksThatTheEffectWaitsForMaySend() async {
    let store = TestStore(initialState: 0) {
      Reduce<Int, Action> { state, action in
        guard action == .start else {
          state += 1
          return .none
        }
        return .run { send in
          await withTaskGroup(of: Void.self) { group in
            for _ in 1...3 { group.addTask { await send(.late) } }
          }
          await Task { await send(.late) }.value
        }
      }
    }
    await store.send(.start)
    for count in 1...4 { await store.receive(.late) { $0 = count } }
    await store.finish()
  }
}

/// Holds a task that an effect created and didn't wait for.
final class Handle: Sendable {
  private let log = LockedLog<Task<Void, Never>>()

  var value: Task<Void, Never>? { log.values.last }

  func set(_ task: Task<Void, Never>) { log.append(task) }
}
