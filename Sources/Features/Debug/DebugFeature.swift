import Clients
import Composable
import ComposableFoundation
import Domain
import Terminal

/// The debug overlay: the app's last actions, their changes, the running effects, and time travel
/// through recorded states. It has its own store, so that it neither changes nor slows down the
/// app.
struct DebugFeature: Reducer {
  typealias History = ActionHistory<AppFeature.State, AppFeature.Action>

  struct State: Equatable, Sendable {
    var form = Form.hidden
    /// The actions since the overlay was first opened, or `nil` before that.
    var history: History?
    /// The number of the action whose resulting state is shown. One less than the first entry's
    /// number means the initial state; `nil` means the live app.
    var moment: Int?
    /// The first visible row of the list of actions.
    var offset = 0
    var pane = Pane.changes
    /// How far the selected pane is scrolled.
    var paneOffset = 0
    var effects: [EffectInFlight] = []
    /// The last calls of clients, oldest first.
    var calls: [ClientCall] = []
    /// The names of the overridden dependencies.
    var dependencies: [String] = []
  }

  /// The size of the overlay.
  enum Form: Equatable, Sendable {
    case hidden
    /// One line. While it shows the live app, keys go to the app.
    case line
    /// The lower half of the screen.
    case panel
  }

  enum Pane: CaseIterable, Equatable, Sendable {
    case changes, effects, calls, dependencies
  }

  enum Action: Equatable, Sendable {
    /// F12 was pressed.
    case debugKeyPressed
    /// Recording of actions has begun.
    case observationBegan(AppFeature.State, dependencies: [String])
    case reduced(AppFeature.Action, AppFeature.State)
    case effectsChanged([EffectInFlight])
    case callsChanged([ClientCall])
    case moved(ListPosition)
    case backButtonTapped
    case forwardButtonTapped
    case nextPaneButtonTapped
    case paneScrolled(Int)
    case sizeButtonTapped
    /// Returns to the live app.
    case nowButtonTapped
    case closeButtonTapped
  }

  @Dependency(\.dateClient) var dateClient

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .debugKeyPressed:
      state.form = state.form == .panel ? .hidden : .panel
      if state.form == .hidden { state.show(nil) }

    case .observationBegan(let app, let dependencies):
      state.history = History(initialState: app)
      state.dependencies = dependencies

    case .reduced(let action, let app):
      state.history?.append(action, date: dateClient.now(), state: app)
      if state.moment == nil { state.paneOffset = 0 } else { state.show(state.moment) }

    case .effectsChanged(let effects): state.effects = effects
    case .callsChanged(let calls): state.calls = calls

    case .moved(let position):
      state.offset = position.offset
      state.show(state.firstMoment + position.selected)

    case .backButtonTapped: state.show((state.moment ?? state.lastMoment) - 1)

    case .forwardButtonTapped:
      if let moment = state.moment { state.show(moment + 1) }

    case .nextPaneButtonTapped:
      state.pane = state.pane.next
      state.paneOffset = 0

    case .paneScrolled(let offset): state.paneOffset = offset
    case .sizeButtonTapped: state.form = state.form == .panel ? .line : .panel
    case .nowButtonTapped: state.show(nil)

    case .closeButtonTapped:
      state.form = .hidden
      state.show(nil)
    }
    return .none
  }
}

extension DebugFeature.State {
  /// The moment before the first recorded action.
  var firstMoment: Int { (history?.entries.first?.id ?? 1) - 1 }

  /// The moment after the last action.
  var lastMoment: Int { firstMoment + (history?.entries.count ?? 0) }

  /// The selected moment, which is the last one while the live app is shown.
  var shownMoment: Int { moment ?? lastMoment }

  /// The index of the selected entry, or `nil` for the initial state.
  var shownEntry: Int? {
    let index = shownMoment - firstMoment - 1
    return index >= 0 ? index : nil
  }

  /// The app's state at the selected moment, or `nil` for the live app.
  var recordedState: AppFeature.State? {
    guard moment != nil, let history else { return nil }
    return shownEntry.map { history.entries[$0].state } ?? history.initialState
  }

  /// Selects a moment. Selecting the last one returns to the live app.
  fileprivate mutating func show(_ moment: Int?) {
    let new = moment.flatMap { $0 < lastMoment ? max($0, firstMoment) : nil }
    if new != self.moment || new == nil { paneOffset = 0 }
    self.moment = new
  }
}
