import Clients
import Composable
import Domain
import Terminal

/// The form for a new outside contact, or for changing one (CON-3).
struct ContactFormFeature: Reducer {
  enum Field: FormKey {
    case name, kind, address, phone, note, responder, dependent
  }

  struct State: Equatable, Sendable {
    /// The contact that is being changed, as it was read; `nil` for a new one.
    private(set) var original: Contact?
    /// What the contact has become in another place, while the question what to do about it is open.
    var newer: Contact?
    /// The kind of the first channel, which the form has; the others are in the sheet of channels.
    private(set) var kind: Channel.Kind
    var form: Form<Field>
    /// What was typed for the other kinds of channel, should it be one of them after all.
    private var otherAddresses: [Channel.Kind: TextInput] = [:]
    /// Once saved, the contact's other channels are to be seen.
    var leadsToChannels = false

    init(adding role: Roles) {
      self.init(original: nil, roles: role)
    }

    init(editing contact: Contact) {
      self.init(original: contact, roles: contact.roles)
    }

    private init(original: Contact?, roles: Roles) {
      self.original = original
      let first = original?.channels.first
      kind = first?.kind ?? .email
      form = Form(
        [
          .name: TextInput(original?.name ?? "", limit: 200),
          .address: TextInput(first?.address ?? "", limit: 2_000),
          .phone: TextInput(original?.phone ?? "", limit: 40),
          .note: TextInput(original?.note ?? "", limit: 2_000, isMultiline: true),
        ],
        toggles: [
          .responder: roles.contains(.responder), .dependent: roles.contains(.dependent),
        ])
    }

    var hasChanges: Bool {
      form.isChanged || kind != original?.channels.first?.kind ?? .email
    }

    /// The channels that the form does not have.
    var otherChannels: ArraySlice<Channel> { (original?.channels ?? []).dropFirst() }

    /// Chooses another kind of channel. An address of another kind is of no use to it, but is kept.
    mutating func choose(_ kind: Channel.Kind) {
      guard kind != self.kind else { return }
      otherAddresses[self.kind] = form[.address]
      self.kind = kind
      let first = original?.channels.first
      let address = first?.kind == kind ? first?.address ?? "" : ""
      form[.address] =
        otherAddresses.removeValue(forKey: kind) ?? TextInput(address, limit: 2_000)
      form.touched.remove(.address)
      form.errors[.address] = nil
      form.show(Field.allCases.filter { $0 != .address || kind != .desktop })
      form.focus = .kind
    }

    /// Goes on with what was typed, knowing the newer contact.
    fileprivate mutating func keep() {
      original = newer
      newer = nil
    }

    /// What was typed; `nil` while a field is not right.
    var draft: ContactDraft? {
      try? ContactDraft(
        validating: form[.name].text, channels: channels, phone: form[.phone].text,
        note: form[.note].text, roles: form.roles)
    }

    private var channels: [ChannelDraft] {
      let address = form[.address].text
      let isThere = kind == .desktop || !address.trimmingWhitespace().isEmpty
      return (isThere ? [ChannelDraft(kind, address)] : [])
        + otherChannels.map { ChannelDraft($0.kind, $0.address) }
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case form(FormAction<Field>)
    case kindChosen(Channel.Kind)
    /// All channels are to be seen; what was typed is saved first.
    case channelsButtonTapped
    case channelsWanted(Contact)
    case saved(Contact)
    case saveFailed(ContactsError)
    /// The newer contact is to be looked at; what was typed goes.
    case newerButtonTapped
    /// What was typed stays, and saving it replaces the newer contact.
    case keepButtonTapped
  }

  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.dismiss) var dismiss

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .form(let action):
      state.leadsToChannels = false
      switch state.form.apply(action, validate: Self.validation(state.kind)) {
      case .save: return save(state)
      case .close: return .run { [dismiss] _ in await dismiss() }
      case nil: return .none
      }

    case .kindChosen(let kind):
      state.choose(kind)
      return .none

    case .channelsButtonTapped:
      guard let original = state.original, !state.form.isSaving else { return .none }
      guard state.hasChanges else { return .send(.channelsWanted(original)) }
      let effect = reduce(into: &state, action: .form(.saveButtonTapped))
      state.leadsToChannels = state.form.isSaving
      return effect

    case .channelsWanted:
      // The list shows them in place of the form.
      return .none

    case .saved:
      state.form.saved()
      return .none

    case .saveFailed(.changed(let newer)):
      state.leadsToChannels = false
      state.form.isSaving = false
      state.newer = newer
      return .none

    case .saveFailed(let error):
      state.leadsToChannels = false
      state.form.failed(error.text)
      return .none

    case .newerButtonTapped:
      if let newer = state.newer { state = State(editing: newer) }
      return .none

    case .keepButtonTapped:
      state.keep()
      return .none
    }
  }

  private func save(_ state: State) -> Effect<Action> {
    guard let draft = state.draft else { return .none }
    return .run { [contactsClient, original = state.original] send in
      do throws(ContactsError) {
        let contact =
          if let original { try await contactsClient.update(original, draft) } else {
            try await contactsClient.add(draft)
          }
        await send(.saved(contact))
      } catch {
        await send(.saveFailed(error))
      }
    }
  }

  static func validation(_ kind: Channel.Kind) -> Form<Field>.Validation {
    { (form: Form<Field>, field: Field) throws(ValidationError) in
      try validate(form, field, kind)
    }
  }

  private static func validate(
    _ form: Form<Field>, _ field: Field, _ kind: Channel.Kind
  ) throws(ValidationError) {
    let text = form[field].text
    switch field {
    case .name: _ = try ProfileRules.name(text)
    case .kind: break
    case .address:
      // Only a responder has to be reached.
      if form.isOn(.responder) || !text.trimmingWhitespace().isEmpty {
        _ = try kind.checkedAddress(text)
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
