import Clients
import Composable
import Domain
import Terminal

/// The person's own code, by which others can add them (QR-1).
struct CodeFeature: Reducer {
  struct State: Equatable, Sendable {
    private(set) var code: AccountCode
    /// The host of the account.
    let host: AccountHost
    /// The QR code of ``link``, or `nil` until it is computed.
    var modules: [[Bool]]?
    var isConfirmingReset = false
    var request = Request<Action>()
    /// The path for saving a picture, while it is being typed.
    var path: TextInput?
    /// The result of the last operation.
    var message: String?

    init(code: AccountCode, host: AccountHost = .thisMachine) {
      self.code = code
      self.host = host
    }

    /// The link that carries the code.
    var link: String { SharedCode(code, server: host.serverName).link }

    fileprivate mutating func replace(_ code: AccountCode) {
      self.code = code
      modules = nil
      request.end()
    }

    fileprivate mutating func forgetOutcome() {
      message = nil
      request.failure = nil
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case opened
    case drawn([[Bool]])
    case copyButtonTapped
    case saveButtonTapped
    case pathEdited(TextEdit)
    case pathConfirmed
    case pathCancelled
    case saved(path: String)
    case resetButtonTapped
    case resetCancelled
    case resetConfirmed
    case wasReset(AccountCode)
    indirect case failed(ErrorText, retry: Action? = nil)
    case failureDismissed
    case closeButtonTapped
  }

  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.clipboardClient) var clipboardClient
  @Dependency(\.qrCodeClient) var qrCodeClient
  @Dependency(\.fileClient) var fileClient

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .opened: return draw(state)
    case .drawn(let modules): state.modules = modules

    case .copyButtonTapped:
      state.forgetOutcome()
      state.message = "Copied, if your terminal allows it."
      return .run { [clipboardClient, link = state.link] _ in
        await clipboardClient.copy(link)
      }

    case .saveButtonTapped:
      guard state.modules != nil else { return .none }
      state.forgetOutcome()
      state.path = TextInput("lifesignal-code.png", limit: 1_000)

    case .pathEdited(let edit):
      state.path?.apply(edit)
      state.request.failure = nil

    case .pathConfirmed:
      guard let path = state.path?.text, !path.isEmpty, let modules = state.modules else {
        return .none
      }
      return .request(.saved(path: path), or: { .failed($0.text) }) { () throws(QRCodeError) in
        try await qrCodeClient.save(modules, fileClient.path(path))
      }

    case .pathCancelled:
      state.path = nil
      state.request.failure = nil

    case .saved(let path):
      state.path = nil
      state.message = "Saved as \(path)."

    case .resetButtonTapped:
      state.forgetOutcome()
      state.isConfirmingReset = true

    case .resetCancelled: state.isConfirmingReset = false

    case .resetConfirmed:
      guard !state.request.isRunning else { return .none }
      state.isConfirmingReset = false
      state.request.begin()
      return .request(Action.wasReset, or: { .failed($0.text, retry: action) }) {
        () throws(ClientError) in
        try await contactsClient.resetCode()
      }

    case .wasReset(let code):
      state.replace(code)
      state.message = "This is your new code. The old one no longer works."
      return draw(state)

    case .failed(let error, let retry):
      state.request.fail(error, retry: retry)
    case .failureDismissed: state.request.failure = nil

    case .closeButtonTapped: return .dismiss()
    }
    return .none
  }

  private func draw(_ state: State) -> Effect<Action> {
    .request(Action.drawn, or: { .failed($0.text) }) { [link = state.link] () throws(QRCodeError) in
      try await qrCodeClient.modules(link)
    }
  }
}

/// The sheet with the person's code, to scan, copy or read aloud.
struct CodeView: View {
  let store: StoreOf<CodeFeature>

  var body: some View {
    Sheet("Your code", width: 80) {
      HStack(alignment: .top, spacing: 1) {
        if let modules = store.modules {
          QRCode(modules, label: "QR code of \(store.link)")
        }
        VStack(alignment: .leading, spacing: 0) {
          Text("Anyone who has it can ask to be your contact; you decide.").foreground(.dim)
          Text("")
          Text("lifesignal://add/\(store.host.serverName.map { "\($0)/" } ?? "")")
          Text(store.code.text)
          Text("")
          if let path = store.path { field(path) }
          if let message = store.message { Text(message).foreground(.calm) }
          RequestView(
            store.request, store, progress: "Making a new code", dismiss: .failureDismissed)
        }
        .frame(maxWidth: .max, alignment: .leading)
      }
    }
    .with(store.path == nil ? commands : pathCommands)
    .overlay {
      if store.isConfirmingReset { reset }
    }
  }

  private var commands: [Command] {
    [
      Command(key: "y", title: "Copy link") { store.send(.copyButtonTapped) },
      Command(key: "w", title: "Save picture") { store.send(.saveButtonTapped) },
      Command(key: "R", title: "New code") { store.send(.resetButtonTapped) },
      Command(key: "esc", title: "Close") { store.send(.closeButtonTapped) },
    ]
  }

  private var pathCommands: [Command] {
    [
      Command(key: "enter", title: "Save") { store.send(.pathConfirmed) },
      Command(key: "esc", title: "Back") { store.send(.pathCancelled) },
    ]
  }

  private func field(_ path: TextInput) -> some View {
    VStack(alignment: .leading, spacing: 0) {
      TextField(
        "Save as", input: path, isFocused: true, placeholder: "code.png or code.svg",
        onEdit: { store.send(.pathEdited($0)) }
      ).labelWidth(8)
      Text("a .png or .svg file").foreground(.dim)
    }
  }

  private var reset: some View {
    store.ask(
      "Make a new code?",
      "Your old code stops working: people who have it can no longer send you a request. Your"
        + " contacts stay.", role: .warning, no: ("Keep", .resetCancelled),
      yes: ("New code", .resetConfirmed))
  }
}

extension CodeFeature: SheetFeature {
  static let element = pathElement { CodeFeature() }

  static func opened(_: State) -> Action? { .opened }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    CodeView(store: store)
  }
}

extension CodeFeature.State: SheetState {}
