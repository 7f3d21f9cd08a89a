public import Clients
public import Composable
public import Domain
import Terminal

/// The form for a new outside contact, or for changing one (CON-3).
public struct ContactFormFeature: Reducer {
  public enum Field: FormKey {
    case name, email, phone, note, responder, dependent
  }

  public struct State: Equatable, Sendable {
    /// The contact that is being changed, as it was read; `nil` for a new one.
    public private(set) var original: Contact?
    public var form: Form<Field>

    public init(adding role: Roles) {
      self.init(original: nil, roles: role)
    }

    public init(editing contact: Contact) {
      self.init(original: contact, roles: contact.roles)
    }

    private init(original: Contact?, roles: Roles) {
      self.original = original
      form = Form(
        [
          .name: TextInput(original?.name ?? "", limit: 200),
          .email: TextInput(original?.email ?? "", limit: 300),
          .phone: TextInput(original?.phone ?? "", limit: 40),
          .note: TextInput(original?.note ?? "", limit: 2_000, isMultiline: true),
        ],
        toggles: [
          .responder: roles.contains(.responder), .dependent: roles.contains(.dependent),
        ])
    }

    public var hasChanges: Bool { form.isChanged }

    /// What was typed; `nil` while a field is not right.
    var draft: ContactDraft? {
      try? ContactDraft(
        validating: form[.name].text, email: form[.email].text, phone: form[.phone].text,
        note: form[.note].text, roles: form.roles)
    }
  }

  public enum Action: Codable, Equatable, Sendable {
    case form(FormAction<Field>)
    case saved(Contact)
    case saveFailed(ContactsError)
  }

  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.dismiss) var dismiss

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
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
    guard let draft = state.draft else { return .none }
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
  }

  static func validate(_ form: Form<Field>, _ field: Field) throws(ValidationError) {
    let text = form[field].text
    switch field {
    case .name: _ = try ProfileRules.name(text)
    case .email:
      // Only a responder has to be reached.
      if form.isOn(.responder) || !text.trimmingWhitespace().isEmpty {
        _ = try ProfileRules.email(text)
      }
    case .phone: _ = try ProfileRules.phone(text)
    case .note: _ = try ProfileRules.note(text)
    case .responder, .dependent: if form.roles.isEmpty { throw .roleRequired }
    }
  }
}

extension Form<ContactFormFeature.Field> {
  /// The roles that are switched on.
  var roles: Roles {
    var roles: Roles = []
    if isOn(.responder) { roles.insert(.responder) }
    if isOn(.dependent) { roles.insert(.dependent) }
    return roles
  }
}
