public import Clients
public import Composable
public import Domain
public import Terminal

/// The form for a new outside contact, or for changing one (CON-3).
public struct ContactFormFeature: Reducer {
  public enum Field: Int, CaseIterable, Codable, Equatable, Sendable {
    case name, email, phone, note, responder, dependent
  }

  public struct State: Equatable, Sendable {
    /// The contact that is being changed; `nil` for a new one.
    public let original: Contact?
    public var name: TextInput
    public var email: TextInput
    public var phone: TextInput
    public var note: TextInput
    public var roles: Roles
    public var focus = Field.name
    /// What is wrong with fields that were left, or with any once saving was tried.
    public var errors: [Field: ValidationError] = [:]
    public var isSaving = false
    public var failure: ErrorText?
    /// The question whether to throw away what was typed is open.
    public var isConfirmingDiscard = false

    public init(adding role: Roles) {
      self.init(original: nil, roles: role)
    }

    public init(editing contact: Contact) {
      self.init(original: contact, roles: contact.roles)
    }

    private init(original: Contact?, roles: Roles) {
      self.original = original
      self.roles = roles
      name = TextInput(original?.name ?? "", limit: 200)
      email = TextInput(original?.email ?? "", limit: 300)
      phone = TextInput(original?.phone ?? "", limit: 40)
      note = TextInput(original?.note ?? "", limit: 2_000, isMultiline: true)
    }

    public var hasChanges: Bool {
      name.text != original?.name ?? "" || email.text != original?.email ?? ""
        || phone.text != original?.phone ?? "" || note.text != original?.note ?? ""
        || (original.map { $0.roles != roles } ?? false)
    }

    /// Checks every field.
    mutating func validated() -> ContactDraft? {
      for field in Field.allCases { validate(field) }
      guard errors.isEmpty else {
        focus = Field.allCases.first { errors[$0] != nil } ?? focus
        return nil
      }
      return try? ContactDraft(
        validating: name.text, email: email.text, phone: phone.text, note: note.text, roles: roles)
    }

    /// Notes what is wrong with a field, or that nothing is.
    mutating func validate(_ field: Field) {
      errors[field] = nil
      do throws(ValidationError) {
        switch field {
        case .name: _ = try ProfileRules.name(name.text)
        case .email:
          if roles.contains(.responder) || !email.text.trimmingWhitespace().isEmpty {
            _ = try ProfileRules.email(email.text)
          }
        case .phone: _ = try ProfileRules.phone(phone.text)
        case .note: _ = try ProfileRules.note(note.text)
        case .responder: if roles.isEmpty { throw .roleRequired }
        case .dependent: break
        }
      } catch {
        errors[field] = error
      }
    }
  }

  public enum Action: Codable, Equatable, Sendable {
    case edited(Field, TextEdit)
    case roleToggled(Roles)
    /// A click on a field.
    case focused(Field)
    case nextField
    case previousField
    case saveButtonTapped
    case saved(Contact)
    case saveFailed(ContactsError)
    case closeButtonTapped
    case discardConfirmed
    case discardCancelled
  }

  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.dismiss) var dismiss

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .edited(let field, let edit):
      switch field {
      case .name: state.name.apply(edit)
      case .email: state.email.apply(edit)
      case .phone: state.phone.apply(edit)
      case .note: state.note.apply(edit)
      case .responder, .dependent: return .none
      }
      state.errors[field] = nil
      return .none

    case .roleToggled(let role):
      state.roles.formSymmetricDifference(role)
      state.validate(.responder)
      if state.errors[.email] != nil { state.validate(.email) }
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
      guard !state.isSaving, let draft = state.validated() else { return .none }
      state.isSaving = true
      state.failure = nil
      return .run { [contactsClient, id = state.original?.id] send in
        do throws(ContactsError) {
          let contact =
            if let id { try await contactsClient.update(id, draft) } else {
              try await contactsClient.add(draft)
            }
          await send(.saved(contact))
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
