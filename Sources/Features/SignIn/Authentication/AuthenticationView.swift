import Composable
import Domain
import Terminal

/// The sign-in screen.
struct AuthenticationView: View {
  let store: StoreOf<AuthenticationFeature>

  var body: some View {
    panel
      .command("enter", verb) { store.send(.continueButtonTapped) }
      .fieldCommands { store.send(.form($0)) }
      .commandIf(store.mode == .signIn, "f2", "New account") { store.send(.signUpButtonTapped) }
      .commandIf(store.mode == .signIn, "f3", "Forgotten password") {
        store.send(.forgottenButtonTapped)
      }
      .commandIf(store.mode == .signIn, "f4", "This wasn't me") { store.send(.notMeButtonTapped) }
      .commandIf(store.mode != .signIn, "esc", "Back") { store.send(.backButtonTapped) }
      .overlay { if let offer = store.offer { question(about: offer) } }
  }

  private func question(about offer: InvitationOffer) -> some View {
    store.confirm(
      "Accept this invitation?",
      offer.sentences.joined(separator: " "), no: .offerDeclined, yes: ("Continue", .offerAccepted))
  }

  private var panel: some View {
    VStack(alignment: .leading, spacing: 0) {
      Text("LifeSignal").bold().foreground(.accent)
      Text("")
      Text(title).bold()
      Text(store.notice ?? explanation).foreground(store.notice == nil ? .dim : .warning)
      Text("")
      ForEach(store.fields, id: \.self) { field in
        FormField(
          label: label(of: field), field: field, form: store.form, placeholder: hint(for: field),
          send: { store.send(.form($0)) })
      }
      Text("")
      if let failure = store.form.failure {
        ErrorView(failure, retry: .other("Enter"), dismiss: { store.send(.backButtonTapped) })
      } else if store.form.isSaving {
        ProgressView(waiting)
      } else if store.mode == .signIn {
        Text("F2  open a new account").foreground(.accent)
          .onTap { store.send(.signUpButtonTapped) }
        Text("F3  forgotten password").foreground(.accent)
          .onTap { store.send(.forgottenButtonTapped) }
        Text("F4  \u{201C}This wasn't me\u{201D}: undo a change").foreground(.accent)
          .onTap { store.send(.notMeButtonTapped) }
      }
      Spacer(minLength: 0)
      Text("LifeSignal is no substitute for emergency services.").foreground(.dim)
    }
    .padding(.horizontal, 3)
    .padding(.vertical, 1)
    .frame(maxWidth: 76, maxHeight: 20)
    .border(role: .border)
    .frame(maxWidth: .max, maxHeight: .max, alignment: .center)
  }

  private var title: String {
    switch store.mode {
    case .signIn: "Sign in"
    case .signUp: "Open a new account"
    case .forgotten: "Forgotten password"
    case .newPassword: "New password"
    case .notMe: "This wasn't me"
    }
  }

  private var explanation: String {
    switch store.mode {
    case .signIn:
      "With the address and the password of your account \(store.host.serverName.map { "on \($0)" } ?? "in this store")."
    case .signUp: "You sign in with this address; your reminders go there too."
    case .forgotten:
      store.host.serverName.map { "\($0) mails you a code." }
        ?? "A code is mailed to you by the monitor of this store. If mail isn't set up there, no code "
        + "can be sent."
    case .newPassword:
      "If an account has the address \(store.form[.email].text)\(mailCondition), a code for it is on "
        + "its way. It works for an hour. Using it signs out everyone who is signed in."
    case .notMe:
      "The message about it has a code. It undoes the change, and everyone who is signed in"
        + " to your account is signed out."
    }
  }

  /// The condition that mail is set up, for an account on this machine. A server's operator is
  /// responsible for its mail.
  private var mailCondition: String {
    store.host == .thisMachine ? " and mail is set up here" : ""
  }

  private var verb: String {
    switch store.mode {
    case .signIn: "Sign in"
    case .signUp: "Continue"
    case .forgotten: "Send a code"
    case .newPassword: "Save"
    case .notMe: "Undo it"
    }
  }

  private var waiting: String {
    switch store.mode {
    case .signIn, .newPassword: "Signing in"
    case .signUp: "Checking"
    case .forgotten: "Asking for a code"
    case .notMe: "Undoing it"
    }
  }

  private func label(of field: AuthenticationFeature.Field) -> String {
    switch field {
    case .invitation: "Invitation"
    case .email: "E-mail"
    case .code: "Code"
    case .password: store.mode == .signIn ? "Password" : "New password"
    case .repetition: "Repeat it"
    }
  }

  private func hint(for field: AuthenticationFeature.Field) -> String {
    switch field {
    case .invitation: "the link; empty if the server is open to all"
    case .email: "ada@example.org"
    case .code: store.mode == .notMe ? "from the message" : "from the mail"
    case .password where store.mode != .signIn: "at least 8 characters"
    case .password, .repetition: ""
    }
  }
}
