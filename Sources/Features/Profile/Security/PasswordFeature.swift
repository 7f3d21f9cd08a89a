import Clients
import Composable
import Domain
import Terminal

/// The form that sets, changes or removes the password (AUTH-1), or confirms a new address (AUTH-5).
struct PasswordFeature: Reducer {
  enum Task: Equatable, Sendable {
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

  enum Field: FormKey {
    case current, new, repetition, code
  }

  struct State: Equatable, Sendable {
    let task: Task
    var form: Form<Field>

    init(_ task: Task) {
      self.task = task
      form = Form([
        .current: .secret, .new: .secret, .repetition: .secret, .code: TextInput(limit: 40),
      ])
      form.show(task.fields)
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case form(FormAction<Field>)
    case saved
    case saveFailed(AuthError)
  }

  @Dependency(\.authClient) var authClient
  @Dependency(\.dateClient) var dateClient
  @Dependency(\.dismiss) var dismiss

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .form(let action):
      switch state.form.apply(action, validate: Self.validate) {
      case .save: return save(state)
      case .close: return .run { [dismiss] _ in await dismiss() }
      case nil: return .none
      }

    case .saved:
      state.form.saved()
      return .none

    case .saveFailed(let error):
      state.form.failed(Self.text(of: error, dateClient))
      return .none
    }
  }

  private func save(_ state: State) -> Effect<Action> {
    let current = state.task == .set ? nil : state.form[.current].secret
    let new = state.task == .remove ? nil : state.form[.new].secret
    return .run { [authClient, task = state.task, code = state.form[.code].text] send in
      do throws(AuthError) {
        if task == .confirmAddress {
          try await authClient.confirmAddress(code)
        } else {
          try await authClient.updatePassword(current, new)
        }
        await send(.saved)
      } catch {
        await send(.saveFailed(error))
      }
    }
  }

  private static func text(of error: AuthError, _ dates: DateClient) -> ErrorText {
    switch error {
    case .invalidCredentials:
      .wrongPassword
    case .accountExists:
      ErrorText(
        "PASSWORD_NEEDED", "Only the account that was opened first here may be without a password.")
    default:
      error.text(dates)
    }
  }

  static func validate(_ form: Form<Field>, _ field: Field) throws(ValidationError) {
    switch field {
    case .current, .code: break
    case .new: _ = try SecretRules.password(form[.new].text)
    case .repetition: try form.requireRepetition(of: .new, in: .repetition)
    }
  }
}
