import Composable
import Domain

/// The five tabs, and above them the emergency panel, pings and prompts.
struct MainTabFeature: Reducer {
  enum Tab: Int, CaseIterable, Codable, Equatable, Sendable {
    case checkIn, responders, dependents, alerts, profile
  }

  struct State: Equatable, Sendable {
    private(set) var snapshot: AccountSnapshot
    var selectedTab = Tab.checkIn
    var checkIn: CheckInFeature.State
    var responders: ContactListFeature.State
    var dependents: ContactListFeature.State
    var alerts: AlertsFeature.State
    var profile: ProfileFeature.State
    var emergency = EmergencyFeature.State()
    var pings: PingsFeature.State
    var prompt = PromptFeature.State()
    /// The sheets over the selected tab, from the lowest to the one on screen.
    var path = StackState<OpenSheet>()

    init(snapshot: AccountSnapshot) {
      self.snapshot = snapshot
      checkIn = CheckInFeature.State(snapshot: snapshot)
      responders = ContactListFeature.State(role: .responder, snapshot: snapshot)
      dependents = ContactListFeature.State(role: .dependent, snapshot: snapshot)
      alerts = AlertsFeature.State(snapshot: snapshot)
      profile = ProfileFeature.State(snapshot: snapshot)
      pings = PingsFeature.State(snapshot: snapshot)
    }

    /// Passes a new snapshot to every tab and sheet.
    mutating func show(_ snapshot: AccountSnapshot) {
      self.snapshot = snapshot
      checkIn.show(snapshot)
      responders.show(snapshot)
      dependents.show(snapshot)
      alerts.show(snapshot)
      profile.show(snapshot)
      pings.show(snapshot)
      for id in path.ids {
        path[id: id]?.show(snapshot)
        if path[id: id]?.isObsolete(in: snapshot) == true { path.pop(from: id) }
      }
    }

    /// Whether a sheet covers the tab and takes its keys first.
    var hasSheet: Bool {
      prompt.request != nil || !path.isEmpty || selectedTab == .alerts && alerts.opened != nil
    }

    /// Whether an open form has unsaved changes.
    var hasUnsavedChanges: Bool { path.contains { $0.isChanged } }
  }

  enum Action: Codable, Equatable, Sendable {
    case tabSelected(Tab)
    /// The key that starts a monitor if none is running (WCH-1).
    case watchButtonTapped
    case checkIn(CheckInFeature.Action)
    case responders(ContactListFeature.Action)
    case dependents(ContactListFeature.Action)
    case alerts(AlertsFeature.Action)
    case profile(ProfileFeature.Action)
    case emergency(EmergencyFeature.Action)
    case pings(PingsFeature.Action)
    case prompt(PromptFeature.Action)
    case path(StackActionOf<SheetPath>)

    static let checkInCase = CasePath(Self.checkIn) {
      if case .checkIn(let action) = $0 { action } else { nil }
    }
    static let respondersCase = CasePath(Self.responders) {
      if case .responders(let action) = $0 { action } else { nil }
    }
    static let dependentsCase = CasePath(Self.dependents) {
      if case .dependents(let action) = $0 { action } else { nil }
    }
    static let alertsCase = CasePath(Self.alerts) {
      if case .alerts(let action) = $0 { action } else { nil }
    }
    static let profileCase = CasePath(Self.profile) {
      if case .profile(let action) = $0 { action } else { nil }
    }
    static let emergencyCase = CasePath(Self.emergency) {
      if case .emergency(let action) = $0 { action } else { nil }
    }
    static let promptCase = CasePath(Self.prompt) {
      if case .prompt(let action) = $0 { action } else { nil }
    }
    static let pathCase = CasePath(Self.path) { if case .path(let it) = $0 { it } else { nil } }
    static let pingsCase = CasePath(Self.pings) { if case .pings(let it) = $0 { it } else { nil } }
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.checkIn, action: Action.checkInCase) { CheckInFeature() }
    Scope(state: \.responders, action: Action.respondersCase) { ContactListFeature() }
    Scope(state: \.dependents, action: Action.dependentsCase) { ContactListFeature() }
    Scope(state: \.alerts, action: Action.alertsCase) { AlertsFeature() }
    Scope(state: \.profile, action: Action.profileCase) { ProfileFeature() }
    Scope(state: \.emergency, action: Action.emergencyCase) { EmergencyFeature() }
    Scope(state: \.pings, action: Action.pingsCase) { PingsFeature() }
    Scope(state: \.prompt, action: Action.promptCase) { PromptFeature() }
    Reduce { state, action in
      switch action {
      case .tabSelected(let tab):
        // What was typed in a form must not be lost by a click.
        guard !state.hasUnsavedChanges else { return .none }
        let isOpened = state.selectedTab != tab
        state.selectedTab = tab
        state.checkIn.isButtonFocused = false
        state.path.removeAll()
        if isOpened, tab == .alerts { state.alerts.selectNewest() }
        // Otherwise its stream keeps it up to date.
        if isOpened, tab == .profile, state.snapshot.stalls[.user] != nil {
          return .send(.profile(.opened))
        }
      default:
        break
      }
      return follow(action, &state)
    }
    .forEach(\.path, action: Action.pathCase) { SheetPath() }
  }
}
