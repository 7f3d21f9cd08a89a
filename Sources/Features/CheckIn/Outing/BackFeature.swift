import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// *I'm back*: asks once more, because nothing else ends an outing and nothing brings it back
/// (OUT-2, CHK-9).
struct BackFeature: Reducer {
  struct State: Equatable, Sendable {
    /// The current snapshot.
    var snapshot: AccountSnapshot
    var request = Request<Action>()

    init(snapshot: AccountSnapshot) { self.snapshot = snapshot }
  }

  enum Action: Codable, Equatable, Sendable {
    case confirmButtonTapped
    case backButtonTapped
    case saved(User)
    case saveFailed(ClientError)
  }

  @Dependency(\.checkInClient) var checkInClient
  @Dependency(\.dateClient) var dateClient

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .confirmButtonTapped:
      guard !state.request.isRunning, let outing = state.snapshot.user.outing else { return .none }
      state.request.begin()
      return .request(Action.saved, or: Action.saveFailed) { () throws(ClientError) in
        try await checkInClient.endOuting(outing.id)
      }

    case .backButtonTapped: return .dismiss()
    case .saved, .saveFailed(.queued): state.request.end()
    case .saveFailed(let error): state.request.fail(error.text(dateClient))
    }
    return .none
  }
}

struct BackView: View {
  let store: StoreOf<BackFeature>

  var body: some View {
    store.confirm(
      "Are you back?", text, no: .backButtonTapped, yes: ("I'm back", .confirmButtonTapped),
      request: store.request, progress: "One moment")
  }

  private var text: String {
    let snapshot = store.snapshot
    let end = snapshot.user.outing.map { snapshot.calendar.describe($0.until, now: snapshot.now) }
    let isKnown = snapshot.user.outing.map { $0.isAnnounced || $0.holdsDeadline } ?? false
    let news =
      snapshot.alerts.notBack != nil
      ? " Everyone who was notified gets the all-clear."
      : isKnown ? " Everyone who knows of it gets a message that you are back." : ""
    return "This ends your outing until \(end ?? "now"), and checks you in.\(news)"
  }
}

extension BackFeature: SheetFeature {
  static let element = pathElement { BackFeature() }

  func step(after action: Action, in _: State, _: AccountSnapshot) -> SheetStep {
    switch action {
    case .saved, .saveFailed(.queued): .closing
    default: .none
    }
  }

  static func delegate(of action: Action) -> DelegateAction? {
    switch action {
    case .saved(let user): .checkedIn(user, text: "Welcome back: your outing is over.")
    case .saveFailed(.queued(let date)):
      .toast(ToastMessage(ClientError.queued(at: date).text.description, .warning))
    default: nil
    }
  }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    BackView(store: store)
  }
}

extension BackFeature.State: SheetState {
  mutating func show(_ snapshot: AccountSnapshot) { self.snapshot = snapshot }
  func isObsolete(in snapshot: AccountSnapshot) -> Bool { snapshot.user.outing == nil }
}
