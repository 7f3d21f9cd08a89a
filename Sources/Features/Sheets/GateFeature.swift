import Clients
import Composable
import Domain
import Terminal

/// Asks for the gate's passphrase, then performs the operation that needed it (CHK-3).
///
/// This feature never learns whether the passphrase was the real one or the duress one.
struct GateFeature: Reducer {
  /// The operation that needs the passphrase.
  enum Purpose: Codable, Equatable, Sendable {
    case checkIn(CheckIn.Source)
    case cancelAlert
    /// Answers one ping, or all of them for `nil` (PNG-2).
    case answerPings(Ping.ID?)
    /// Sets another gate, or removes it for `nil`.
    case changeGate(Gate?)
    /// Shows a channel's secret.
    case showSecret(Channel.ID)
  }

  struct State: Equatable, Sendable {
    let purpose: Purpose
    var passphrase = TextInput.secret
    /// Whether a request with the passphrase is running.
    var isChecking = false
    /// Why the gate didn't open or the operation failed.
    var error: ErrorText?

    init(_ purpose: Purpose) { self.purpose = purpose }
  }

  enum Action: Codable, Equatable, Sendable {
    case edited(TextEdit)
    case sendButtonTapped
    case closeButtonTapped
    case refused(GateError)
    case failed(ErrorText)
    case errorDismissed
    case checkedIn(User)
    case alertCancelled(Alert)
    case gateChanged
    case secretShown(Secret<String>?)
  }

  @Dependency(\.checkInClient) var checkInClient
  @Dependency(\.alertClient) var alertClient
  @Dependency(\.pingClient) var pingClient
  @Dependency(\.authClient) var authClient
  @Dependency(\.channelsClient) var channelsClient
  @Dependency(\.dateClient) var dateClient

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .edited(let edit):
      guard !state.isChecking else { return .none }
      state.passphrase.apply(edit)
      state.error = nil

    case .sendButtonTapped:
      guard !state.isChecking, !state.passphrase.isEmpty else { return .none }
      state.isChecking = true
      state.error = nil
      return request(state.purpose, state.passphrase.secret)

    case .closeButtonTapped: return .dismiss()

    case .refused(let error):
      state.isChecking = false
      state.passphrase = .secret
      state.error = error.text(dateClient)

    case .failed(let error):
      state.isChecking = false
      state.error = error

    case .errorDismissed: state.error = nil
    case .checkedIn, .alertCancelled, .gateChanged, .secretShown: state.isChecking = false
    }
    return .none
  }

  private func request(_ purpose: Purpose, _ passphrase: Secret<String>) -> Effect<Action> {
    switch purpose {
    case .checkIn(let source):
      ask { () throws(ClientError) in
        .checkedIn(try await checkInClient.checkIn(source, passphrase))
      }
    case .cancelAlert:
      ask { () throws(ClientError) in .alertCancelled(try await alertClient.cancel(passphrase)) }
    case .answerPings(let id):
      ask { () throws(ClientError) in
        guard let id else { return .checkedIn(try await pingClient.answerAll(passphrase)) }
        return .checkedIn(try await pingClient.answer(id, passphrase))
      }
    case .showSecret(let channel):
      ask { () throws(ClientError) in
        .secretShown(try await channelsClient.secret(channel, passphrase))
      }
    case .changeGate(let gate):
      ask { () throws(ClientError) in
        try await authClient.updateGate(passphrase, gate)
        return .gateChanged
      }
    }
  }

  /// Performs the operation, and tells a refused passphrase from any other failure.
  private func ask(
    _ operation: nonisolated(nonsending) @escaping @Sendable () async throws(ClientError) -> Action
  ) -> Effect<Action> {
    .request({ $0 }, or: { $0.gateError.map(Action.refused) ?? .failed($0.text) }, operation)
  }
}

/// The sheet that asks for the passphrase and says why it is needed.
struct GateView: View {
  let store: StoreOf<GateFeature>

  var body: some View {
    Sheet("Passphrase", width: 56) {
      VStack(alignment: .leading, spacing: 0) {
        Text("Your passphrase is needed to \(store.purpose.operation.displayText).")
        Text("")
        TextField(
          "Passphrase", input: store.passphrase, isFocused: true,
          onEdit: { store.send(.edited($0)) }
        )
        .labelWidth(formLabelWidth)
        if let error = store.error {
          ErrorView(error, retry: .other("Enter"), dismiss: { store.send(.errorDismissed) })
        } else if store.isChecking {
          ProgressView("Checking")
        }
      }
      .padding(.horizontal, 1)
    }
    .command("enter", verb) { store.send(.sendButtonTapped) }
    .command("esc", "Close") { store.send(.closeButtonTapped) }
    .holdingKeys(while: store.isChecking)
  }

  private var verb: String {
    switch store.purpose {
    case .checkIn: "Check in"
    case .cancelAlert: "Cancel the alert"
    case .answerPings: "Answer"
    case .changeGate(nil): "Remove the gate"
    case .changeGate: "Change the gate"
    case .showSecret: "Show the secret"
    }
  }
}

extension GateFeature.Purpose {
  fileprivate var operation: GatedOperation {
    switch self {
    case .checkIn: .checkIn
    case .cancelAlert: .cancelAlert
    case .answerPings: .answerPings
    case .changeGate: .changeGate
    case .showSecret: .showSecret
    }
  }
}
