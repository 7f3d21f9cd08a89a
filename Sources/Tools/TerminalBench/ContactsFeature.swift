import Composable
import Terminal

/// The workload's state: the list's position, and a clock that advances with each frame.
struct ContactsFeature: Reducer {
  struct State: Equatable, Sendable {
    var position = ListPosition()
    /// Seconds since the start, and the number of frames drawn.
    var time = 0
    var isFinished = false
  }

  enum Action: Equatable, Sendable {
    case moved(ListPosition)
    case ticked
    case quitButtonTapped
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .moved(let position): state.position = position
    case .ticked: state.time += 1
    case .quitButtonTapped: state.isFinished = true
    }
    return .none
  }
}
