import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// The pings that wait for the person's answer. Answering is a check-in (PNG-2).
struct PingsFeature: Reducer {
  struct State: Equatable, Sendable {
    private(set) var snapshot: AccountSnapshot
    var request = Request<Action>()

    mutating func show(_ snapshot: AccountSnapshot) {
      self.snapshot = snapshot
      if senders.isEmpty { request.failure = nil }
    }

    /// The contacts whose pings are open, newest first.
    var senders: [Contact] { snapshot.situation.calls.pingSenders }
  }

  enum Action: Codable, Equatable, Sendable {
    case answerAllButtonTapped
    case answered(User)
    case failed(ErrorText)
    case failureDismissed
  }

  @Dependency(\.pingClient) var pingClient
  @Dependency(\.dateClient) var dateClient

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .answerAllButtonTapped:
      guard !state.request.isRunning, !state.senders.isEmpty else { return .none }
      state.request.begin()
      return .request(Action.answered, or: { [dateClient] in .failed($0.text(dateClient)) }) {
        () throws(ClientError) in
        try await pingClient.answerAll()
      }

    case .answered: state.request.end()

    case .failed(let error):
      state.request.fail(error)
    case .failureDismissed: state.request.failure = nil
    }
    return .none
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
      if let failure = store.request.failure {
        ErrorView(failure, store, retry: .other(key), dismiss: .failureDismissed)
      } else {
        Banner(
          "\(who) you to check in.", hint: store.request.isRunning ? "answering …" : "\(key) Answer"
        )
      }
    }
  }
}
