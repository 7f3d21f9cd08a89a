public import Clients
public import Composable
public import Domain
public import Terminal

/// The form for name, phone, reminder address and emergency note.
public struct EditProfileFeature: Reducer {
  public enum Field: Int, CaseIterable, Codable, Equatable, Sendable {
    case name, phone, email, note
  }

  public struct State: Equatable, Sendable {
    public let original: Profile
    public var name: TextInput
    public var phone: TextInput
    public var email: TextInput
    public var note: TextInput
    public var focus = Field.name
    public var errors: [Field: ValidationError] = [:]
    public var isSaving = false
    public var failure: ErrorText?
    public var isConfirmingDiscard = false

    public init(profile: Profile) {
      original = profile
      name = TextInput(profile.name, limit: 200)
      phone = TextInput(profile.phone ?? "", limit: 40)
      email = TextInput(profile.email ?? "", limit: 300)
      note = TextInput(profile.note, limit: 2_000, isMultiline: true)
    }

    public var hasChanges: Bool {
      name.text != original.name || phone.text != original.phone ?? ""
        || email.text != original.email ?? "" || note.text != original.note
    }

    mutating func validated() -> Profile? {
      for field in Field.allCases { validate(field) }
      guard errors.isEmpty else {
        focus = Field.allCases.first { errors[$0] != nil } ?? focus
        return nil
      }
      return try? Profile(
        validating: name.text, phone: phone.text, note: note.text, email: email.text)
    }

    mutating func validate(_ field: Field) {
      errors[field] = nil
      do throws(ValidationError) {
        switch field {
        case .name: _ = try ProfileRules.name(name.text)
        case .phone: _ = try ProfileRules.phone(phone.text)
        case .email:
          if !email.text.trimmingWhitespace().isEmpty { _ = try ProfileRules.email(email.text) }
        case .note: _ = try ProfileRules.note(note.text)
        }
      } catch {
        errors[field] = error
      }
    }
  }

  public enum Action: Codable, Equatable, Sendable {
    case edited(Field, TextEdit)
    case focused(Field)
    case nextField
    case previousField
    case saveButtonTapped
    case saved(User)
    case saveFailed(UserError)
    case closeButtonTapped
    case discardConfirmed
    case discardCancelled
  }

  @Dependency(\.userClient) var userClient
  @Dependency(\.dismiss) var dismiss

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .edited(let field, let edit):
      switch field {
      case .name: state.name.apply(edit)
      case .phone: state.phone.apply(edit)
      case .email: state.email.apply(edit)
      case .note: state.note.apply(edit)
      }
      state.errors[field] = nil
      return .none

    case .focused(let field):
      state.validate(state.focus)
      state.focus = field
      return .none

    case .nextField:
      state.validate(state.focus)
      state.focus = state.focus.next
      return .none

    case .previousField:
      state.validate(state.focus)
      state.focus = state.focus.previous
      return .none

    case .saveButtonTapped:
      guard !state.isSaving, let profile = state.validated() else { return .none }
      state.isSaving = true
      state.failure = nil
      return .run { [userClient] send in
        do throws(UserError) {
          await send(.saved(try await userClient.updateProfile(profile)))
        } catch {
          await send(.saveFailed(error))
        }
      }

    case .saved:
      state.isSaving = false
      return .none

    case .saveFailed(let error):
      state.isSaving = false
      state.failure = error.text
      return .none

    case .closeButtonTapped:
      guard state.hasChanges else { return close() }
      state.isConfirmingDiscard = true
      return .none

    case .discardConfirmed:
      return close()

    case .discardCancelled:
      state.isConfirmingDiscard = false
      return .none
    }
  }

  private func close() -> Effect<Action> {
    .run { [dismiss] _ in await dismiss() }
  }
}
