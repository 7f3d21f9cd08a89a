import Composable

/// A miniature feature: a counter that can also count by itself, once a second.
struct Counter: Reducer {
  struct State: Equatable, Sendable {
    var count = 0
    var isTicking = false
    var note = ""
  }

  enum Action: Equatable, Sendable {
    case incrementButtonTapped
    case looked
    case doubleButtonTapped
    case doubled(Int)
    case startButtonTapped
    case stopButtonTapped
    case ticked

    static let doubledCase = CasePath(Self.doubled) {
      if case .doubled(let it) = $0 { it } else { nil }
    }
  }

  private enum CancelID { case ticking }

  @Dependency(\.continuousClock) var clock

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .incrementButtonTapped:
        state.count += 1
        return .none
      case .looked:
        return .none
      case .doubleButtonTapped:
        return .run { [count = state.count] send in await send(.doubled(count * 2)) }
      case .doubled(let count):
        state.count = count
        return .none
      case .startButtonTapped:
        state.isTicking = true
        return .run { [clock] send in
          for await _ in clock.timer(interval: .seconds(1)) { await send(.ticked) }
        }
        .cancellable(id: CancelID.ticking, cancelInFlight: true)
      case .stopButtonTapped:
        state.isTicking = false
        return .cancel(id: CancelID.ticking)
      case .ticked:
        state.count += 1
        return .none
      }
    }
  }
}
