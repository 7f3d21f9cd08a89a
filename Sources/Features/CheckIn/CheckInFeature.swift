import Clients
import Composable
import Domain

/// Checking in: the countdown to the deadline, the button, and what happens after it.
struct CheckInFeature: Reducer {
  struct State: Equatable, Sendable {
    private(set) var snapshot: AccountSnapshot
    /// A check-in has been asked for and not yet been stored.
    var isCheckingIn = false
    /// Whether Enter presses the button (CHK-9).
    var isButtonFocused = false
    var error: ErrorText?
    /// The alert whose untold end was read and put away.
    var dismissedEnd: Alert.ID?
    @Presents var interval: IntervalFeature.State?
    @Presents var pause: PauseFeature.State?
    @Presents var history: HistoryFeature.State?
    @Presents var standby: StandbyFeature.State?
    /// Asks for the passphrase before the check-in (CHK-3).
    @Presents var gate: GateFeature.State?

    init(snapshot: AccountSnapshot) { self.snapshot = snapshot }

    /// The last alert that was meant, where somebody was not told that it is over.
    var untoldEnd: AlertReport? {
      guard let last = snapshot.alerts.first(where: { $0.alert.kind != .drill }),
        last.id != dismissedEnd, !last.untoldEnd.isEmpty
      else { return nil }
      return last
    }

    /// Shows a new snapshot, in the sheet as well.
    mutating func show(_ snapshot: AccountSnapshot) {
      self.snapshot = snapshot
      interval?.show(snapshot)
      pause?.show(snapshot)
      history?.show(snapshot)
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case checkInButtonTapped
    /// The button gets the focus or loses it.
    case buttonFocusMoved
    case checkedIn(User)
    case checkInFailed(CheckInError)
    case errorDismissed
    case untoldEndDismissed
    case intervalButtonTapped
    case interval(PresentationAction<IntervalFeature.Action>)
    case pauseButtonTapped
    case pause(PresentationAction<PauseFeature.Action>)
    case historyButtonTapped
    case history(PresentationAction<HistoryFeature.Action>)
    case standbyButtonTapped
    case standby(PresentationAction<StandbyFeature.Action>)
    case gate(PresentationAction<GateFeature.Action>)

    static let gateCase = CasePath(Self.gate) { if case .gate(let it) = $0 { it } else { nil } }
    static let intervalCase = CasePath(Self.interval) {
      if case .interval(let action) = $0 { action } else { nil }
    }
    static let historyCase = CasePath(Self.history) {
      if case .history(let action) = $0 { action } else { nil }
    }
    static let standbyCase = CasePath(Self.standby) {
      if case .standby(let action) = $0 { action } else { nil }
    }
    static let pauseCase = CasePath(Self.pause) { if case .pause(let it) = $0 { it } else { nil } }
  }

  @Dependency(\.checkInClient) var checkInClient

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      // Enter that is held, or pressed later for something else, presses no button.
      if action != .buttonFocusMoved { state.isButtonFocused = false }
      switch action {
      case .buttonFocusMoved: state.isButtonFocused.toggle()

      case .checkInButtonTapped:
        guard !state.isCheckingIn, state.gate == nil else { return .none }
        state.error = nil
        guard !state.snapshot.user.locks.contains(.gate) else {
          state.gate = GateFeature.State(.checkIn(.manual))
          return .none
        }
        state.isCheckingIn = true
        return .request(Action.checkedIn, or: Action.checkInFailed) { () throws(CheckInError) in
          try await checkInClient.checkIn(.manual)
        }

      case .checkedIn: state.isCheckingIn = false

      case .checkInFailed(.gate(.required)):
        // The gate was set in another place a moment ago.
        state.isCheckingIn = false
        state.gate = GateFeature.State(.checkIn(.manual))

      case .checkInFailed(let error):
        state.isCheckingIn = false
        state.error = error.text

      case .errorDismissed: state.error = nil
      case .untoldEndDismissed: state.dismissedEnd = state.untoldEnd?.id
      case .intervalButtonTapped: state.interval = IntervalFeature.State(snapshot: state.snapshot)
      case .interval(.presented(.saved)): state.interval = nil
      case .pauseButtonTapped: state.pause = PauseFeature.State(snapshot: state.snapshot)
      case .pause(.presented(.saved)): state.pause = nil

      case .historyButtonTapped:
        state.history = HistoryFeature.State(snapshot: state.snapshot)
        return .send(.history(.presented(.opened)))

      case .standbyButtonTapped:
        state.standby = StandbyFeature.State()
        return .send(.standby(.presented(.opened)))

      case .standby(.presented(.saved)): state.standby = nil

      case .gate(.presented(.checkedIn(let user))):
        state.gate = nil
        return .send(.checkedIn(user))

      case .interval, .pause, .history, .standby, .gate: break
      }
      return .none
    }
    .ifLet(\.$interval, action: Action.intervalCase) { IntervalFeature() }
    .ifLet(\.$pause, action: Action.pauseCase) { PauseFeature() }
    .ifLet(\.$history, action: Action.historyCase) { HistoryFeature() }
    .ifLet(\.$standby, action: Action.standbyCase) { StandbyFeature() }
    .ifLet(\.$gate, action: Action.gateCase) { GateFeature() }
  }
}
