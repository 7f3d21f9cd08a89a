import Clients
import Composable
import Domain
import Terminal

/// The form for name, phone, reminder address and emergency note.
struct EditProfileFeature: Reducer {
  enum Field: FormKey {
    case name, phone, email, note
  }

  struct State: Equatable, Sendable {
    var form: Form<Field>

    init(profile: Profile) {
      form = Form([
        .name: TextInput(profile.name, limit: 200),
        .phone: TextInput(profile.phone ?? "", limit: 40),
        .email: TextInput(profile.email ?? "", limit: 300),
        .note: TextInput(profile.note, limit: 2_000, isMultiline: true),
      ])
    }

    /// What was typed; `nil` while a field is not right.
    var profile: Profile? {
      try? Profile(
        validating: form[.name].text, phone: form[.phone].text, note: form[.note].text,
        email: form[.email].text)
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case form(FormAction<Field>)
    case saved(User)
    case saveFailed(UserError)
  }

  @Dependency(\.userClient) var userClient
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
      state.form.failed(error.text)
      return .none
    }
  }

  private func save(_ state: State) -> Effect<Action> {
    guard let profile = state.profile else { return .none }
    return .run { [userClient] send in
      do throws(UserError) {
        await send(.saved(try await userClient.updateProfile(profile)))
      } catch {
        await send(.saveFailed(error))
      }
    }
  }

  static func validate(_ form: Form<Field>, _ field: Field) throws(ValidationError) {
    let text = form[field].text
    switch field {
    case .name: _ = try ProfileRules.name(text)
    case .phone: _ = try ProfileRules.phone(text)
    case .email: if !text.trimmingWhitespace().isEmpty { _ = try ProfileRules.email(text) }
    case .note: _ = try ProfileRules.note(text)
    }
  }
}
