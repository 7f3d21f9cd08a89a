import Clients
import Composable
import Domain
import Terminal

/// Signing in, signing up, and replacing a forgotten password (AUTH-1, AUTH-2).
struct AuthenticationFeature: Reducer {
  enum Mode: Equatable, Sendable {
    case signIn, signUp
    /// Asks for the address to mail a code to.
    case forgotten
    /// Asks for that code and a new password.
    case newPassword
    /// "This wasn't me": asks for the code that undoes a change (AUTH-5).
    case notMe

    var fields: [Field] {
      switch self {
      case .signIn: [.email, .password]
      case .signUp: [.invitation, .email, .password, .repetition]
      case .forgotten: [.email]
      case .newPassword: [.code, .password, .repetition]
      case .notMe: [.code]
      }
    }
  }

  enum Field: FormKey {
    case invitation, email, code, password, repetition
  }

  struct State: Equatable, Sendable {
    private(set) var mode: Mode
    /// The form. It is saving while a request to authenticate runs.
    var form: Form<Field>
    /// Why the person must sign in.
    var notice: String?
    let host: AccountHost
    /// The invitation that waits for the person's consent.
    var offer: InvitationOffer?
    /// The name of the inviter who becomes the person's responder.
    var inviter: String?

    /// - Parameter email: The address, if it is already known.
    init(
      mode: Mode = .signIn, email: String? = nil, notice: String? = nil,
      host: AccountHost = .thisMachine
    ) {
      self.mode = mode
      self.host = host
      form = Form([
        .invitation: TextInput(limit: 500), .email: TextInput(email ?? "", limit: 300),
        .code: TextInput(limit: 40), .password: .secret, .repetition: .secret,
      ])
      show(mode)
      self.notice = notice
    }

    var credentials: Credentials {
      Credentials(
        email: form[.email].text.trimmingWhitespace(), password: form[.password].secret)
    }

    /// The fields of the mode. On this machine no invitation is needed, since anyone who can read
    /// the store can create an account.
    var fields: [Field] { mode.fields.filter { $0 != .invitation || host != .thisMachine } }

    /// Switches to a mode. Keeps the address and clears secrets.
    mutating func show(_ mode: Mode) {
      self.mode = mode
      for field in [Field.code, .password, .repetition] {
        form[field] = field == .code ? TextInput(limit: 40) : .secret
      }
      notice = nil
      form.failure = nil
      form.touched = []
      form.errors = [:]
      offer = nil
      inviter = nil
      form.show(fields)
      let isInvited = form.shown.contains(.invitation)
      if mode == .signIn || mode == .signUp && !isInvited, !form[.email].isEmpty {
        form.focus = .password
      }
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case form(FormAction<Field>)
    /// Enter: moves to the next field, or submits from the last one and after an error.
    case continueButtonTapped
    /// Esc: dismisses the error first, then leaves the mode.
    case backButtonTapped
    case signUpButtonTapped
    case forgottenButtonTapped
    case notMeButtonTapped
    case signedIn(User.ID)
    /// The invitation would make the person a contact, so they must agree first.
    case offered(InvitationOffer)
    case offerAccepted
    case offerDeclined
    /// The credentials can be used for a new account. Onboarding comes next.
    case signUpChecked(Credentials)
    case codeSent
    /// The change was undone. Resetting the password comes next.
    case takenBack
    case failed(ClientError)
  }

  @Dependency(\.authClient) var authClient
  @Dependency(\.invitationClient) var invitationClient
  @Dependency(\.dateClient) var dateClient

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .form(let action):
      guard !state.form.isSaving else { return .none }
      // Saving and closing have their own actions, so ignore the form's requests.
      _ = state.form.apply(action, validate: Self.validate)

    case .continueButtonTapped:
      guard state.form.failure != nil || state.form.focus == state.form.shown.last else {
        state.form.advance(Self.validate)
        return .none
      }
      return authenticate(&state)

    case .backButtonTapped:
      guard !state.form.isSaving else { return .none }
      if state.form.failure != nil {
        state.form.failure = nil
      } else if state.mode != .signIn {
        state.show(.signIn)
      }

    case .signUpButtonTapped:
      if !state.form.isSaving { state.show(.signUp) }
    case .forgottenButtonTapped:
      if !state.form.isSaving { state.show(.forgotten) }
    case .notMeButtonTapped:
      if !state.form.isSaving { state.show(.notMe) }

    case .signedIn:
      // The form stays busy until the account is loaded.
      break

    case .offered(let offer):
      state.form.saved()
      state.offer = offer
      state.inviter = nil
    case .offerAccepted:
      guard let offer = state.offer else { return .none }
      state.offer = nil
      state.inviter = offer.roles.contains(.responder) ? offer.name : nil
      return .send(.signUpChecked(state.credentials))
    case .offerDeclined: state.offer = nil

    case .signUpChecked:
      state.form.saved()

    case .codeSent:
      state.form.saved()
      state.show(.newPassword)

    case .takenBack:
      state.form.saved()
      state.show(.forgotten)
      state.notice = "The change is undone and all sessions have ended. Reset your password now."

    case .failed(let error):
      state.form.failed(error.text(dateClient))
      if error == .invalidCredentials {
        state.form[.password] = .secret
        state.form.touched.remove(.password)
        state.form.focus = .password
      }
    }
    return .none
  }

  private func authenticate(_ state: inout State) -> Effect<Action> {
    guard
      state.form.apply(.saveButtonTapped, validate: Self.validate) == .save
    else { return .none }
    state.notice = nil
    return .request({ $0 }, or: Action.failed) {
      [
        mode = state.mode, credentials = state.credentials, code = state.form[.code].text,
        invitation = state.fields.contains(.invitation) ? state.form[.invitation].text : nil
      ]
      () throws(ClientError) -> Action in
      switch mode {
      case .signIn: return .signedIn(try await authClient.signIn(credentials))
      case .signUp:
        if let invitation { try await invitationClient.setInvitation(invitation) }
        try await authClient.checkSignUp(credentials)
        let offer = invitation == nil ? nil : try await invitationClient.offer()
        return offer.map(Action.offered) ?? .signUpChecked(credentials)
      case .forgotten:
        try await authClient.sendPasswordReset(credentials.email)
        return .codeSent
      case .newPassword:
        try await authClient.resetPassword(credentials.email, code, credentials.password)
        return .signedIn(try await authClient.signIn(credentials))
      case .notMe:
        try await authClient.takeBack(code)
        return .takenBack
      }
    }
  }

  static func validate(_ form: Form<Field>, _ field: Field) throws(ValidationError) {
    switch field {
    case .email: _ = try ProfileRules.email(form[.email].text)
    case .invitation, .code: break
    case .password:
      // The rules apply to new passwords only.
      guard form.shown.contains(.repetition) else { return }
      _ = try SecretRules.password(form[.password].text)
    case .repetition: try form.requireRepetition(of: .password, in: .repetition)
    }
  }
}
