import Composable

/// A number that the user counts up and down, and that a timer counts up.
struct CounterFeature: Reducer {
  struct State: Equatable, Sendable {
    var count = 0
    var isTicking = false
    var isFinished = false
  }

  enum Action: Equatable, Sendable {
    case incrementButtonTapped
    case decrementButtonTapped
    case timerButtonTapped
    case ticked
    case quitButtonTapped
  }

  private enum CancelID { case timer }

  @Dependency(\.continuousClock) var clock

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .incrementButtonTapped, .ticked:
        state.count += 1
        return .none
      case .decrementButtonTapped:
        state.count -= 1
        return .none
      case .timerButtonTapped:
        state.isTicking.toggle()
        guard state.isTicking else { return .cancel(id: CancelID.timer) }
        return .run { [clock] send in
          for await _ in clock.timer(interval: .seconds(1)) { await send(.ticked) }
        }
        .cancellable(id: CancelID.timer)
      case .quitButtonTapped:
        state.isFinished = true
        return .cancel(id: CancelID.timer)
      }
    }
  }
}
