import Composable
import Terminal

/// Buttons, switches and choices, one of which has the focus.
struct ControlsFeature: Reducer {
  enum Control: Int, CaseIterable, Equatable, Sendable {
    case checkIn, alert, sound, watch, interval, spinner
  }

  struct State: Equatable, Sendable {
    var focus = Control.checkIn
    var hasSound = true
    var isWatched = false
    var interval = 2
    var spinner = 0
  }

  enum Action: Equatable, Sendable {
    case moved(Int)
    case buttonPressed(String)
    case soundToggled
    case watchToggled
    case intervalChosen(Int)
    case spinnerChosen(Int)
  }

  static let intervals = ["6 h", "12 h", "24 h", "48 h", "a week"]

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .moved(let step):
        let count = Control.allCases.count
        state.focus = Control.allCases[(state.focus.rawValue + step + count) % count]
      case .buttonPressed: break
      case .soundToggled: state.hasSound.toggle()
      case .watchToggled: state.isWatched.toggle()
      case .intervalChosen(let index): state.interval = index
      case .spinnerChosen(let index): state.spinner = index
      }
      return .none
    }
  }
}
