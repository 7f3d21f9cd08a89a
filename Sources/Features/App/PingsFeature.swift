import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// The pings that wait for the person's answer. Answering is a check-in (PNG-2).
struct PingsFeature: Reducer {
  struct State: Equatable, Sendable {
    private(set) var snapshot: AccountSnapshot
    var isAnswering = false
    var failure: ErrorText?
    /// Asks for the passphrase before the answer (CHK-3).
    @Presents var gate: GateFeature.State?

    mutating func show(_ snapshot: AccountSnapshot) {
      self.snapshot = snapshot
      if senders.isEmpty { failure = nil }
    }

    /// The contacts whose pings are open, newest first.
    var senders: [Contact] { snapshot.situation.calls.pingSenders }
  }

  enum Action: Codable, Equatable, Sendable {
    case answerAllButtonTapped
    case answered(User)
    case failed(ErrorText)
    case failureDismissed
    case gate(PresentationAction<GateFeature.Action>)

    static let gateCase = CasePath(reflecting: Self.gate)
  }

  @Dependency(\.pingClient) var pingClient

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .answerAllButtonTapped:
        guard !state.isAnswering, !state.senders.isEmpty else { return .none }
        state.failure = nil
        guard !state.snapshot.user.locks.contains(.gate) else {
          state.gate = GateFeature.State(.answerPings(nil))
          return .none
        }
        state.isAnswering = true
        return .request(Action.answered, or: { .failed($0.text) }) { () throws(ClientError) in
          try await pingClient.answerAll(nil)
        }

      case .answered: state.isAnswering = false

      case .failed(let error):
        state.isAnswering = false
        state.failure = error
      case .failureDismissed: state.failure = nil

      case .gate(.presented(.checkedIn(let user))):
        state.gate = nil
        return .send(.answered(user))
      case .gate: break
      }
      return .none
    }
    .ifLet(\.$gate, action: Action.gateCase) { GateFeature() }
  }
}

/// The banner under the tab bar while someone asks the person to check in.
struct PingsBanner: View {
  let store: StoreOf<PingsFeature>
  /// The key that answers.
  let key: String

  var body: some View {
    let senders = store.senders
    if let first = senders.first {
      let others = senders.count - 1
      let who =
        others == 0
        ? "\(first.name) asks"
        : "\(first.name) and \(others) other\(others == 1 ? "" : "s") ask"
      if let failure = store.failure {
        ErrorView(
          failure, retry: .other(key), dismiss: { store.send(.failureDismissed) })
      } else {
        Banner(
          "\(who) you to check in.", hint: store.isAnswering ? "answering …" : "\(key) Answer")
      }
    }
  }
}
