import Composable
import ComposableTesting
import Testing

@MainActor @Suite struct DialogTests {
  private struct Remover: Reducer {
    struct State: Equatable, Sendable {
      var names = ["Blob"]
      @Presents var alert: AlertState<Action.Alert>?
    }

    enum Action: Equatable, Sendable {
      case removeButtonTapped
      case alert(PresentationAction<Alert>)

      enum Alert: Equatable, Sendable { case removalConfirmed }

      static let alertCase = CasePath(Self.alert) {
        if case .alert(let it) = $0 { it } else { nil }
      }
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .removeButtonTapped:
          state.alert = AlertState {
            TextState("Remove \(state.names[0])?")
          } actions: {
            ButtonState.destructive("Remove", action: .removalConfirmed)
            ButtonState.cancel("Keep")
          } message: {
            "Nobody is notified."
          }
        case .alert(.presented(.removalConfirmed)): state.names.removeFirst()
        case .alert(.dismiss): break
        }
        return .none
      }
      .ifLet(\.$alert, action: Action.alertCase)
    }
  }

  @Test func aButtonClosesTheAlertAfterTheParentHasSeenItsAction() async {
    let store = TestStore(initialState: Remover.State()) { Remover() }
    await store.send(.removeButtonTapped) {
      $0.alert = AlertState {
        TextState("Remove Blob?")
      } actions: {
        ButtonState(role: .destructive, action: .removalConfirmed) { "Remove" }
        ButtonState(role: .cancel) { "Keep" }
      } message: {
        TextState("Nobody is notified.")
      }
    }
    await store.send(.alert(.presented(.removalConfirmed))) {
      $0.alert = nil
      $0.names = []
    }
  }

  @Test func dismissClosesTheAlert() async {
    let store = TestStore(initialState: Remover.State()) { Remover() }
    store.exhaustivity = .off  // The test above asserts what the alert says.
    await store.send(.removeButtonTapped)
    await store.send(.alert(.dismiss)) { $0.alert = nil }
    #expect(store.state.names == ["Blob"])
  }

  @Test func aDestinationSaysWhichOfItsCasesEndWithTheirFirstAction() async {
    struct Parent: Reducer {
      struct Destination: Reducer {
        enum State: Equatable, Sendable, EphemeralState {
          case worker(PlainWorker.State)
          case alert(AlertState<Int>)
          static let workerCase = CasePath(Self.worker) {
            if case .worker(let it) = $0 { it } else { nil }
          }
          var isDismissedByFirstAction: Bool { if case .alert = self { true } else { false } }
        }
        enum Action: Equatable, Sendable {
          case worker(Worker.Action)
          case alert(Int)
          static let workerCase = CasePath(Self.worker) {
            if case .worker(let it) = $0 { it } else { nil }
          }
        }
        var body: some ReducerOf<Self> {
          Scope(state: State.workerCase, action: Action.workerCase) { PlainWorker() }
        }
      }
      struct State: Equatable, Sendable {
        @Presents var destination: Destination.State?
        var seen: [Int] = []
      }
      enum Action: Equatable, Sendable {
        case destination(PresentationAction<Destination.Action>)
        static let destinationCase = CasePath(Self.destination) {
          if case .destination(let it) = $0 { it } else { nil }
        }
      }
      var body: some ReducerOf<Self> {
        Reduce { state, action in
          if case .destination(.presented(.alert(let number))) = action { state.seen = [number] }
          return .none
        }
        .ifLet(\.$destination, action: Action.destinationCase) { Destination() }
      }
    }
    let alert = AlertState<Int> { "?" }
    let store = TestStore(initialState: Parent.State(destination: .alert(alert))) { Parent() }
    await store.send(.destination(.presented(.alert(3)))) {
      $0.destination = nil
      $0.seen = [3]
    }
    let other = TestStore(initialState: Parent.State(destination: .worker(.init()))) { Parent() }
    await other.send(.destination(.presented(.worker(.worked)))) {
      $0.destination = .worker(.init(worker: .init(done: 1)))
    }
  }

  @Test func dialogsMapTheirActions() {
    let dialog = ConfirmationDialogState {
      TextState("Export") + " as"
    } actions: {
      for name in ["JSON", "CSV"] { ButtonState(action: name) { TextState(name) } }
      if Bool(true) { ButtonState.cancel("Cancel") }
    }
    let mapped = dialog.map { $0.count }
    #expect(mapped.title == "Export as")
    #expect(mapped.buttons.map(\.action) == [4, 3, nil])
    #expect(mapped.buttons.map(\.label.text) == ["JSON", "CSV", "Cancel"])
    #expect(
      AlertState {
        "a"
      } actions: {
        ButtonState(action: 1) { "b" }
      }.map { $0 + 1 }.buttons[0].action == 2)
  }
}
