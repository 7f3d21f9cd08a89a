import Composable
import Domain

/// The path of sheets over the tabs: what opens them, what closes them, and who follows them.
extension MainTabFeature {
  /// Does what an action of a tab or a sheet means for the path.
  func follow(_ action: Action, _ state: inout State) -> Effect<Action> {
    let snapshot = state.snapshot
    switch action {
    case .checkIn(let action):
      return open(CheckInFeature().step(after: action, in: state.checkIn, snapshot), &state)
    case .responders(let action):
      return open(ContactListFeature().step(after: action, in: state.responders, snapshot), &state)
    case .dependents(let action):
      return open(ContactListFeature().step(after: action, in: state.dependents, snapshot), &state)
    case .alerts(let action):
      return open(AlertsFeature().step(after: action, in: state.alerts, snapshot), &state)
    case .profile(let action):
      return open(ProfileFeature().step(after: action, in: state.profile, snapshot), &state)
    case .path(.element(let id, let action)):
      guard let sheet = state.path[id: id] else { return .none }
      let step = sheet.step(after: action, snapshot)
      let follower = state.action(following: action, of: sheet, id)
      if step.closes { state.path.pop(from: id) }
      return .merge(follower.map { .send($0) } ?? .none, open(step, &state))
    default: return .none
    }
  }

  private func open(_ step: SheetStep, _ state: inout State) -> Effect<Action> {
    .merge(state.open(step.opens).map { .send($0) })
  }
}

extension MainTabFeature.State {
  /// Puts sheets on the path, one above the other.
  /// - Returns: The actions that they begin with.
  mutating func open(_ sheets: [OpenSheet]) -> [MainTabFeature.Action] {
    sheets.compactMap { sheet in
      let id = path.append(sheet)
      return sheet.opened.map { .path(.element(id: id, action: $0)) }
    }
  }

  /// The action by which the sheet or tab beneath a sheet follows an action of it, or `nil`.
  fileprivate func action(
    following action: SheetAction, of sheet: OpenSheet, _ id: StackElementID
  ) -> MainTabFeature.Action? {
    if let index = path.ids.firstIndex(of: id), index > 0 {
      return path[index - 1].action(following: action, of: sheet)
        .map { .path(.element(id: path.ids[index - 1], action: $0)) }
    }
    switch selectedTab {
    case .responders, .dependents:
      return ContactListFeature.action(following: action, of: sheet).map {
        selectedTab == .responders ? .responders($0) : .dependents($0)
      }
    case .checkIn, .alerts, .profile: return nil
    }
  }
}

extension StoreOf<MainTabFeature> {
  /// Sends an action to the sheet on screen, if it is the feature's.
  func send<Feature: SheetFeature>(toSheet _: Feature.Type, _ action: Feature.Action) {
    guard let id = self.path.ids.last, self.path[id: id]?[Feature.self] != nil else { return }
    send(.path(.element(id: id, action: SheetAction(Feature.self, action))))
  }
}

extension MainTabFeature.Action {
  var delegate: DelegateAction? {
    switch self {
    case .checkIn(.checkedIn(let user)): .checkedIn(user, text: "Checked in.")
    case .path(.element(_, let action)): action.delegate
    case .emergency(.disarmed): .toast(ArmedAlert.stoppedText)
    case .pings(.answered(let user)): .checkedIn(user, text: "Answered and checked in.")
    case .watchButtonTapped: .queued
    default: nil
    }
  }
}
