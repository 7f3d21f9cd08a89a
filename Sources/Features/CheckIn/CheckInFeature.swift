import Clients
import Composable
import Domain
import FoundationEssentials

/// The Check-In tab: the countdown to the deadline, the button, and the sheets of the tab.
struct CheckInFeature: Reducer {
  struct State: Equatable, Sendable {
    private(set) var snapshot: AccountSnapshot
    /// Whether a check-in is being stored.
    var isCheckingIn = false
    /// The time of the newest check-in when this one began, or `nil` if that one came by a link:
    /// those are never merged.
    var checkInBefore: Date?
    /// Whether Enter presses the button (CHK-9).
    var isButtonFocused = false
    var error: ErrorText?
    /// The ended alert whose failed all-clear the user has dismissed.
    var dismissedAllClear: Alert.ID?
    @Presents var destination: Destination.State?

    /// The last alert other than a drill, if its all-clear couldn't be sent to someone.
    var failedAllClear: Situation.FailedAllClear? {
      snapshot.situation.failedAllClear.flatMap { $0.id == dismissedAllClear ? nil : $0 }
    }

    var hasUnsavedChanges: Bool { destination[Destination.standby]?.form?.isChanged ?? false }

    /// Whether a check-in is merged with the one before, so that it has no row of its own (CHK-1).
    func isRepeat(_ user: User) -> Bool {
      // If a clock was ahead, a check-in can be earlier than the one before.
      checkInBefore.map {
        ($0 - CheckIn.repeatWindow...$0 + CheckIn.repeatWindow).contains(user.lastCheckIn)
      } ?? false
    }

    fileprivate mutating func noteCheckInBefore() {
      checkInBefore = snapshot.history.first.flatMap { $0.source == .link ? nil : $0.date }
    }

    /// Shows a new snapshot, also in the open sheet.
    mutating func show(_ snapshot: AccountSnapshot) {
      self.snapshot = snapshot
      destination[Destination.pause]?.snapshot = snapshot
      destination[Destination.history]?.show(snapshot)
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case checkInButtonTapped
    /// The button gets the focus or loses it.
    case buttonFocusMoved
    case checkedIn(User)
    case checkInFailed(ClientError)
    case errorDismissed
    case unsentEndDismissed
    case intervalButtonTapped
    case pauseButtonTapped
    case historyButtonTapped
    case standbyButtonTapped
    case destination(PresentationAction<Destination.Action>)

    static let destinationCase = CasePath(reflecting: Self.destination)
  }

  /// The sheets over the tab, one at a time.
  struct Destination: Reducer {
    enum State: Equatable, Sendable {
      case interval(IntervalFeature.State), pause(PauseFeature.State), history(HistoryFeature.State)
      case standby(StandbyFeature.State)
    }

    enum Action: Codable, Equatable, Sendable {
      case interval(IntervalFeature.Action), pause(PauseFeature.Action)
      case history(HistoryFeature.Action), standby(StandbyFeature.Action)
    }

    static let interval = ChildCase(State.interval, Action.interval) { IntervalFeature() }
    static let pause = ChildCase(State.pause, Action.pause) { PauseFeature() }
    static let history = ChildCase(State.history, Action.history) { HistoryFeature() }
    static let standby = ChildCase(State.standby, Action.standby) { StandbyFeature() }

    var body: some ReducerOf<Self> {
      OneOf(Self.interval, Self.pause, Self.history, Self.standby)
    }
  }

  @Dependency(\.checkInClient) var checkInClient
  @Dependency(\.dateClient) var dateClient

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      // Enter must not press the button if it is held down or pressed later for something else.
      if action != .buttonFocusMoved { state.isButtonFocused = false }
      switch action {
      case .buttonFocusMoved: state.isButtonFocused.toggle()

      case .checkInButtonTapped:
        guard !state.isCheckingIn else { return .none }
        state.error = nil
        state.noteCheckInBefore()
        state.isCheckingIn = true
        return .request(Action.checkedIn, or: Action.checkInFailed) { () throws(ClientError) in
          try await checkInClient.checkIn(.manual)
        }

      case .checkedIn: state.isCheckingIn = false

      case .checkInFailed(let error):
        state.isCheckingIn = false
        state.error = error.text(dateClient)

      case .errorDismissed: state.error = nil
      case .unsentEndDismissed: state.dismissedAllClear = state.failedAllClear?.id
      case .intervalButtonTapped:
        state.destination = .interval(IntervalFeature.State(snapshot: state.snapshot))
      case .pauseButtonTapped:
        state.destination = .pause(PauseFeature.State(snapshot: state.snapshot))
      case .historyButtonTapped:
        state.destination = .history(HistoryFeature.State(snapshot: state.snapshot))
        return .send(.destination(.presented(.history(.opened))))
      case .standbyButtonTapped:
        state.destination = .standby(StandbyFeature.State())
        return .send(.destination(.presented(.standby(.opened))))
      case .destination(.presented(.interval(.saved))), .destination(.presented(.pause(.saved))),
        .destination(.presented(.standby(.saved))):
        state.destination = nil

      case .destination: break
      }
      return .none
    }
    .ifLet(\.$destination, action: Action.destinationCase) { Destination() }
  }
}

extension CheckInFeature.Destination.Action {
  var delegate: DelegateAction? {
    switch self {
    case .interval(let action): action.delegate
    case .pause(.saved(let user)): .paused(user)
    case .standby(.saved(let standby)):
      .told(
        standby.isNone
          ? "Saved. If no monitor is running, nobody watches."
          : "Saved. A running monitor uses it from now on.")
    default: nil
    }
  }
}
