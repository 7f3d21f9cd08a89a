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

  }

  enum Action: Codable, Equatable, Sendable {
    case asked(SecretRequest)
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

    case .edited(let edit):
      state.secret.apply(edit)
      state.request?.error = nil

    case .errorDismissed: state.request?.error = nil

    case .sendButtonTapped:
      guard !state.secret.isEmpty else { return .none }
      return answer(&state, state.secret.secret)

    case .closeButtonTapped: return answer(&state, nil)
    }
    return .none
  }

  /// Answers the request. If the secret is wrong, the client sends another request.
  private func answer(_ state: inout State, _ secret: Secret<String>?) -> Effect<Action> {
    guard let id = state.request?.id else { return .none }
    state = State()
    return .run { [secretPromptClient] _ in secretPromptClient.answer(id, secret) }
  }
}

/// The sheet that asks for the secret and says what it is needed for.
struct PromptView: View {
  let store: StoreOf<PromptFeature>

  @ViewBuilder var body: some View {
    if let request = store.request {
      Sheet(request.kind.title, width: 56) {
        VStack(alignment: .leading, spacing: 0) {
          Text(request.kind.sentence)
          Text("")
          TextField(
            request.kind.title, input: store.secret, isFocused: true,
            onEdit: { store.send(.edited($0)) }
          )
          .labelWidth(formLabelWidth)
          if let error = request.error {
            ErrorView(error, retry: .other("Enter"), dismiss: { store.send(.errorDismissed) })
          }
        }
        .padding(.horizontal, 1)
      }
      .command("enter", "Continue") { store.send(.sendButtonTapped) }
      .command("esc", "Close") { store.send(.closeButtonTapped) }
    }
  }
}

extension SecretRequest.Kind {
  fileprivate var title: String { self == .password ? "Password" : "Passphrase" }

  fileprivate var sentence: String {
    switch self {
    case .password: "Your password is needed to change your e-mail address."
    case .passphrase(let operation): "Your passphrase is needed to \(operation.displayText)."
    }
  }
}
