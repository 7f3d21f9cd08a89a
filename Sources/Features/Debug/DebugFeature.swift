import Clients
import Composable
import Domain
import Terminal

/// The debug overlay: the last actions of the app, what each changed, what runs now, and a way back
/// through the states. It has a store of its own, so that it neither changes nor slows down the app.
struct DebugFeature: Reducer {
  typealias History = ActionHistory<AppFeature.State, AppFeature.Action>

  struct State: Equatable, Sendable {
    var form = Form.hidden
    /// What happened since the overlay was first opened; `nil` before.
    var history: History?
    /// The number of the action after which the app is shown; that before the first entry for the
    /// state at the start, `nil` for the app as it is now.
    var moment: Int?
    /// The first row of the list of actions that is seen.
    var offset = 0
    var pane = Pane.changes
    /// How far the selected pane is scrolled.
    var paneOffset = 0
    var effects: [EffectInFlight] = []
    /// The names of the dependencies that were set.
    var dependencies: [String] = []

  }

  /// How much room the overlay takes.
  enum Form: Equatable, Sendable {
    case hidden
    /// One line. While the app is shown as it is now, keys go to the app.
    case line
    /// The lower half of the screen.
    case panel
  }

  enum Pane: CaseIterable, Equatable, Sendable {
    case changes, effects, dependencies
  }

  enum Action: Equatable, Sendable {
    /// F12.
    case debugKeyPressed
    /// From now on every action is noted.
    case observationBegan(AppFeature.State, dependencies: [String])
    case reduced(AppFeature.Action, AppFeature.State)
    case effectsChanged([EffectInFlight])
    case moved(ListPosition)
    case backButtonTapped
    case forwardButtonTapped
    case nextPaneButtonTapped
    case paneScrolled(Int)
    case sizeButtonTapped
    /// Back to the app as it is now.
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
      state.history = History(start: app)
      state.dependencies = dependencies

    case .reduced(let action, let app):
      state.history?.append(action, date: dateClient.now(), state: app)
      if state.moment == nil { state.paneOffset = 0 } else { state.show(state.moment) }

    case .effectsChanged(let effects): state.effects = effects

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
  /// The moment before the first action that is remembered.
  var firstMoment: Int { (history?.entries.first?.id ?? 1) - 1 }

  /// The moment after the last action.
  var lastMoment: Int { firstMoment + (history?.entries.count ?? 0) }

  /// The moment that is selected: the last, unless an earlier one is looked at.
  var shownMoment: Int { moment ?? lastMoment }

  /// The index of the selected entry; `nil` for the start.
  var shownEntry: Int? {
    let index = shownMoment - firstMoment - 1
    return index >= 0 ? index : nil
  }

  /// The state of the app at the moment that is looked at; `nil` for the app as it is now.
  var recordedState: AppFeature.State? {
    guard moment != nil, let history else { return nil }
    return shownEntry.map { history.entries[$0].state } ?? history.start
  }

  /// Looks at a moment; at the last one the app is shown as it is, and goes on.
  fileprivate mutating func show(_ moment: Int?) {
    let new = moment.flatMap { $0 < lastMoment ? max($0, firstMoment) : nil }
    if new != self.moment || new == nil { paneOffset = 0 }
    self.moment = new
  }
}
