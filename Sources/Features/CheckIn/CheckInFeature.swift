import Clients
import Composable
import Domain
import FoundationEssentials

/// The Check-In tab: the countdown to the deadline, the button, and the sheets of the tab.
struct CheckInFeature: Reducer {
  struct State: Equatable, Sendable {
    private(set) var snapshot: AccountSnapshot
    /// Whether a check-in is being stored.
    var request = Request<Action>()
    /// The time of the newest check-in when this one began, or `nil` if that one came by a link:
    /// those are never merged.
    var checkInBefore: Date?
    /// Whether Enter presses the button (CHK-9).
    var isButtonFocused = false
    /// The ended alert whose failed all-clear the user has dismissed.
    var dismissedAllClear: Alert.ID?

    /// The last alert other than a drill, if its all-clear couldn't be sent to someone.
    var failedAllClear: Situation.FailedAllClear? {
      snapshot.situation.failedAllClear.flatMap { $0.id == dismissedAllClear ? nil : $0 }
    }

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

    mutating func show(_ snapshot: AccountSnapshot) { self.snapshot = snapshot }
  }

  enum Action: Codable, Equatable, Sendable {
    case checkInButtonTapped
    /// The button gets the focus or loses it.
    case buttonFocusMoved
    case checkedIn(User)
    case checkInFailed(ClientError)
    case errorDismissed
    case unsentEndDismissed
    /// The person has seen that a check-in was refused.
    case refusalDismissed(Outbox.CheckIn.ID)
    case intervalButtonTapped
    case outingButtonTapped
    /// *I'm back*, which is asked once more (OUT-2).
    case backButtonTapped
    /// Has the outing end later (OUT-3).
    case laterButtonTapped
    case pauseButtonTapped
    case historyButtonTapped
    case standbyButtonTapped
    case unsentButtonTapped
  }

  @Dependency(\.checkInClient) var checkInClient
  @Dependency(\.dateClient) var dateClient
  @Dependency(\.offlineClient) var offlineClient

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      // Enter must not press the button if it is held down or pressed later for something else.
      if action != .buttonFocusMoved { state.isButtonFocused = false }
      switch action {
      case .buttonFocusMoved: state.isButtonFocused.toggle()

      case .checkInButtonTapped:
        guard !state.request.isRunning else { return .none }
        state.noteCheckInBefore()
        state.request.begin()
        return .request(Action.checkedIn, or: Action.checkInFailed) { () throws(ClientError) in
          try await checkInClient.checkIn(.manual)
        }

      case .checkedIn: state.request.end()

      // It is kept, and the snapshot says that it waits.
      case .checkInFailed(.queued): state.request.end()

      case .checkInFailed(let error):
        state.request.fail(error.text(dateClient))

      case .errorDismissed: state.request.failure = nil
      case .refusalDismissed(let id):
        return .run { [offlineClient] _ in await offlineClient.dismiss(id) }
      case .unsentEndDismissed: state.dismissedAllClear = state.failedAllClear?.id
      case .intervalButtonTapped, .outingButtonTapped, .backButtonTapped, .laterButtonTapped,
        .pauseButtonTapped, .historyButtonTapped, .standbyButtonTapped,
        .unsentButtonTapped:
        break
      }
      return .none
    }
  }
}

extension CheckInFeature: SheetPresenter {
  func step(after action: Action, in _: State, _ snapshot: AccountSnapshot) -> SheetStep {
    switch action {
    case .intervalButtonTapped:
      .opening(OpenSheet(IntervalFeature.self, .init(snapshot: snapshot)))
    case .outingButtonTapped where snapshot.user.outing == nil:
      .opening(OpenSheet(OutingFeature.self, .init(snapshot: snapshot)))
    // Once its alert is on, an outing can only end (OUT-3).
    case .outingButtonTapped where snapshot.alerts.notBack != nil,
      .laterButtonTapped where snapshot.alerts.notBack != nil:
      .opening(OpenSheet(BackFeature.self, .init(snapshot: snapshot)))
    case .outingButtonTapped, .laterButtonTapped:
      .opening(OpenSheet(LaterFeature.self, .init(snapshot: snapshot)))
    case .backButtonTapped: .opening(OpenSheet(BackFeature.self, .init(snapshot: snapshot)))
    case .pauseButtonTapped: .opening(OpenSheet(PauseFeature.self, .init(snapshot: snapshot)))
    case .historyButtonTapped: .opening(OpenSheet(HistoryFeature.self, .init(snapshot: snapshot)))
    case .standbyButtonTapped: .opening(OpenSheet(StandbyFeature.self, .init()))
    case .unsentButtonTapped: .opening(OpenSheet(UnsentFeature.self, .init()))
    default: .none
    }
  }
}
