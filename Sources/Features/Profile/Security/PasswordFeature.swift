import Clients
import Composable
import Domain
import Terminal

/// The form that sets, changes or removes the password (AUTH-1), or confirms a new address (AUTH-5).
struct PasswordFeature: FormFeature {
  enum Task: Codable, Equatable, Sendable {
    case set, change, remove, confirmAddress

    var fields: [Field] {
      switch self {
      case .set: [.new, .repetition]
      case .change: [.current, .new, .repetition]
      case .remove: [.current]
      case .confirmAddress: [.code]
      }
    }
  }

  enum Field: FormKey { case current, new, repetition, code }

  struct State: FormState {
    let task: Task
    var form: Form<Field>

    /// - Parameter hasAddress: Whether the profile has an address to sign in with. If not, the form
    ///   says so from the start.
    init(_ task: Task, hasAddress: Bool = true) {
      self.task = task
      form = Form([
        .current: .secret, .new: .secret, .repetition: .secret, .code: TextInput(limit: 40),
      ])
      form.show(task.fields)
      if !hasAddress { form.failure = ClientError.emailRequired.text }
    }

    func validate(_ field: Field) throws(ValidationError) {
      switch field {
      case .current, .code: break
      case .new: _ = try SecretRules.password(form[.new].text)
      case .repetition: try form.requireRepetition(of: .new, in: .repetition)
      }
    }
  }

  typealias Saved = Done
  typealias Failure = ClientError

  @Dependency(\.authClient) var authClient
  @Dependency(\.dateClient) var dateClient

  func save(_ state: State) -> Effect<Action> {
    let (task, form) = (state.task, state.form)
    return Self.request { () throws(ClientError) in
      if task == .confirmAddress {
        try await authClient.confirmAddress(form[.code].text)
      } else {
        try await authClient.updatePassword(
          task == .set ? nil : form[.current].secret, task == .remove ? nil : form[.new].secret)
      }
      return Done()
    }
  }

  func text(of error: ClientError) -> ErrorText {
    switch error {
    case .invalidCredentials:
      .wrongPassword
    case .accountExists:
      ErrorText(
        "PASSWORD_NEEDED", "Only the first account created here can do without a password.")
    default:
      error.text(dateClient)
    }
  }
}

/// The sheet for setting, changing or removing the password, or confirming an address.
struct PasswordView: View {
  let store: StoreOf<PasswordFeature>

  var body: some View {
    FormSheet(title, width: 64, form: store.form, send: { store.send(.form($0)) }) { fields in
      Text(explanation).foreground(.dim)
      Text("")
      ForEach(store.form.shown, id: \.self) { field in
        fields.text(field, label(of: field), field == .new ? "at least 8 characters" : "")
      }
    }
  }

  private var title: String {
    switch store.task {
    case .set: "Set a password"
    case .change: "Change the password"
    case .remove: "Remove the password"
    case .confirmAddress: "Confirm your e-mail address"
    }
  }

  private var explanation: String {
    switch store.task {
    case .set: "You then sign in with the address in your profile and this password, here too."
    case .change: "All other sessions end."
    case .remove: "Anyone who can open the file can then use this account without signing in."
    case .confirmAddress:
      "Type the code from the mail. Until then, you sign in with your old address."
    }
  }

  private func label(of field: PasswordFeature.Field) -> String {
    switch field {
    case .current: "Old password"
    case .new: "New password"
    case .repetition: "Repeat it"
    case .code: "Code"
    }
  }
}

extension PasswordFeature: SheetFeature {
  static let element = pathElement { PasswordFeature() }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    PasswordView(store: store)
  }
}

extension PasswordFeature.State: SheetState {}
