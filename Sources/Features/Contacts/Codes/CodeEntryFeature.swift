import Clients
import Composable
import Domain
import Terminal

/// Adds another account by its code or a picture of it. Shows whose code it is before asking them
/// (CON-2).
struct CodeEntryFeature: Reducer {
  enum Field: RoleKey { case code, responder, dependent }

  struct State: FormState {
    var form: Form<Field>
    /// The account with the typed code, while the person is asked whether to send a request.
    var found: Found?
    var request = Request<Action>()

    /// - Parameter code: The code from a link that was opened.
    init(adding role: Roles, code: SharedCode? = nil) {
      form = Form([.code: TextInput(code?.link ?? "", limit: 1_024)], roles: role)
    }

    func validate(_ field: Field) throws(ValidationError) {
      switch field {
      case .code: _ = try TypedCode(parsing: form[.code].text)
      case .responder, .dependent: if form.roles.isEmpty { throw .roleRequired }
      }
    }
  }

  struct Found: Codable, Equatable, Sendable {
    var code: AccountCode
    var name: String
  }

  enum Action: Codable, Equatable, Sendable {
    case form(FormAction<Field>)
    case found(Found)
    case failed(ClientError)
    /// The picture's file could not be read.
    case fileFailed(LocalFileError)
    /// No account's code was found in the picture.
    case pictureFailed(QRCodeError)
    case askButtonTapped
    case backButtonTapped
    /// The request was sent to the other account.
    case requested(Contact)
  }

  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.accountHost) var accountHost
  @Dependency(\.fileClient) var fileClient
  @Dependency(\.qrCodeClient) var qrCodeClient

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .form(let action): return state.apply(action, save: lookUp)

    case .found(let found):
      state.form.saved()
      state.found = found

    case .failed(let error):
      state.found = nil
      state.request.end()
      state.form.failed(error.text)

    case .fileFailed(let error): state.form.failed(error.text)
    case .pictureFailed(let error): state.form.failed(error.text)

    case .askButtonTapped:
      guard let found = state.found, !state.request.isRunning else { return .none }
      state.request.begin()
      return .request(Action.requested, or: Action.failed) {
        [roles = state.form.roles] () throws(ClientError) in
        try await contactsClient.request(found.code, roles)
      }

    case .backButtonTapped: state.found = nil
    case .requested: state.request.end()
    }
    return .none
  }

  private func lookUp(_ state: State) -> Effect<Action> {
    guard let typed = try? TypedCode(parsing: state.form[.code].text) else { return .none }
    return .run { send in
      do {
        let shared: SharedCode
        switch typed {
        case .code(let known): shared = known
        case .picture(let path):
          let picture = try await fileClient.contents(
            fileClient.path(path), QRCodeClient.sizeLimit)
          let text = try await qrCodeClient.text(picture)
          guard let found = try? SharedCode(parsing: text) else { throw QRCodeError.otherCode }
          shared = found
        }
        let code = try shared.code(at: accountHost)
        await send(.found(Found(code: code, name: try await contactsClient.lookUp(code))))
      } catch let error as ClientError {
        await send(.failed(error))
      } catch let error as LocalFileError {
        await send(.fileFailed(error))
      } catch let error as QRCodeError {
        await send(.pictureFailed(error))
      }
    }
  }
}

/// The sheet for typing or pasting another account's code.
struct CodeEntryView: View {
  let store: StoreOf<CodeEntryFeature>

  var body: some View {
    FormSheet("Add by code", width: 72, form: store.form, send: { store.send(.form($0)) }) {
      fields in
      fields.text(.code, "Code", "lifesignal://add/6f1c…")
      fields.roles(responder: "they respond for you", dependent: "you respond for them")
      Text("")
      Text(
        "They find their code in LifeSignal with k. Paste it in any form, or give the path of a"
          + " picture of it (PNG, JPEG)."
      )
      .foreground(.dim)
    }
    .overlay {
      if let found = store.found { question(found) }
    }
  }

  private func question(_ found: CodeEntryFeature.Found) -> some View {
    let sentences =
      ["\(found.name) gets your request. Nothing is shared before they accept."]
      + store.form.roles.consequences
    return store.confirm(
      "Ask \(found.name)?", sentences.joined(separator: "\n"), no: .backButtonTapped,
      yes: ("Ask", .askButtonTapped), request: store.request, progress: "Asking")
  }
}

extension CodeEntryFeature: SheetFeature {
  static let element = pathElement { CodeEntryFeature() }

  func step(after action: Action, in _: State, _: AccountSnapshot) -> SheetStep {
    switch action {
    case .requested: .closing
    default: .none
    }
  }

  static func delegate(of action: Action) -> DelegateAction? {
    guard case .requested(let contact) = action else { return nil }
    return .toast("Sent \(contact.name) a request.")
  }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    CodeEntryView(store: store)
  }
}

extension CodeEntryFeature.State: SheetState {}
