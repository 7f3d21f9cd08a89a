import Clients
import Composable
import Domain
import Terminal

/// Asks for the passphrase or password that a request needs, above any open sheet (CHK-3, AUTH-5).
struct PromptFeature: Reducer {
  struct State: Equatable, Sendable {
    /// The open request, or `nil`.
    var request: SecretRequest?
    var secret = TextInput.secret
    /// Whether the request is being made with what was typed.
    var isChecking = false
  }

  enum Action: Codable, Equatable, Sendable {
    case asked(SecretRequest)
    /// The request that asked has ended.
    case ended
    case edited(TextEdit)
    case errorDismissed
    case sendButtonTapped
    case closeButtonTapped
  }

  @Dependency(\.secretPromptClient) var secretPromptClient

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .asked(let request):
      state = State()
      state.request = request

    case .ended: state = State()

    case .edited(let edit):
      guard !state.isChecking else { return .none }
      state.secret.apply(edit)
      state.request?.error = nil

    case .errorDismissed: state.request?.error = nil

    case .sendButtonTapped:
      guard !state.isChecking, !state.secret.isEmpty else { return .none }
      state.isChecking = true
      state.request?.error = nil
      // If it is wrong, the request asks again.
      return answer(state, state.secret.secret)

    case .closeButtonTapped:
      guard !state.isChecking else { return .none }
      defer { state = State() }
      return answer(state, nil)
    }
    return .none
  }

  private func answer(_ state: State, _ secret: Secret<String>?) -> Effect<Action> {
    guard let id = state.request?.id else { return .none }
    return .run { [secretPromptClient] _ in secretPromptClient.answer(id, secret) }
  }
}

/// The sheet that asks for the secret and says what it is needed for.
struct PromptView: View {
  let store: StoreOf<PromptFeature>
  /// Whether the server that would check it doesn't answer.
  var isAway = false

  @ViewBuilder var body: some View {
    if let request = store.request {
      Sheet(request.kind.title, width: 56) {
        VStack(alignment: .leading, spacing: 0) {
          Text(request.kind.sentence)
          if isAway, request.kind == .passphrase(.checkIn) {
            Text("The server doesn't answer: it is checked once your check-in is received.")
              .foreground(.warning)
          }
          Text("")
          TextField(
            request.kind.title, input: store.secret, isFocused: true,
            onEdit: { store.send(.edited($0)) }
          )
          .labelWidth(formLabelWidth)
          if let error = request.error {
            ErrorView(error, retry: .other("Enter"), dismiss: { store.send(.errorDismissed) })
          } else if store.isChecking {
            ProgressView("Checking")
          }
        }
        .padding(.horizontal, 1)
      }
      .command("enter", request.kind.verb) { store.send(.sendButtonTapped) }
      .command("esc", "Close") { store.send(.closeButtonTapped) }
      .holdingKeys(while: store.isChecking)
    }
  }
}

extension SecretRequest.Kind {
  fileprivate var title: String { self == .password ? "Password" : "Passphrase" }

  /// The title of the key that makes the request.
  fileprivate var verb: String {
    switch self {
    case .passphrase(.checkIn): "Check in"
    case .passphrase(.cancelAlert): "Cancel the alert"
    case .passphrase(.answerPings): "Answer"
    case .passphrase(.pause): "Pause"
    case .passphrase(.resume): "Resume"
    case .passphrase(.changeGate): "Change the gate"
    case .passphrase(.showSecret): "Show the secret"
    case .passphrase(.deleteAccount): "Delete"
    case .passphrase, .password: "Continue"
    }
  }

  fileprivate var sentence: String {
    switch self {
    case .password: "Your password is needed to change your e-mail address."
    case .passphrase(let operation): "Your passphrase is needed to \(operation.displayText)."
    }
  }
}
