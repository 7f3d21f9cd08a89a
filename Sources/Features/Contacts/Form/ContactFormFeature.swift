import Clients
import Composable
import ComposableFoundation
import Domain
import Terminal

/// The form for adding or editing a contact without an account (CON-3).
struct ContactFormFeature: Reducer {
  enum Field: RoleKey { case name, kind, address, phone, note, responder, dependent }

  struct State: FormState {
    /// The contact when the form opened, or `nil` for a new one.
    private(set) var original: Contact?
    /// The contact as changed elsewhere in the meantime, while the person chooses between the
    /// versions.
    var newer: Contact?
    /// The kind of the first channel. The channels sheet has the others.
    private(set) var kind: Channel.Kind
    var form: Form<Field>
    /// The addresses typed for other kinds of channel, kept in case the person switches back.
    private var otherAddresses: [Channel.Kind: TextInput] = [:]
    /// Whether saving opens the channels sheet.
    var leadsToChannels = false

    /// The person's own channels.
    private let ownChannels: [Channel]
    private let initialKind: Channel.Kind

    /// - Parameters:
    ///   - ownChannels: The person's own channels.
    ///   - topic: A topic to suggest, if mail can't be sent; `nil` to ask for an e-mail address.
    init(adding role: Roles, ownChannels: [Channel] = [], topic: NtfyTopic? = nil) {
      self.init(original: nil, roles: role, ownChannels, topic: topic)
    }

    init(editing contact: Contact, ownChannels: [Channel] = []) {
      self.init(original: contact, roles: contact.roles, ownChannels)
    }

    private init(
      original: Contact?, roles: Roles, _ ownChannels: [Channel], topic: NtfyTopic? = nil
    ) {
      self.original = original
      self.ownChannels = ownChannels
      let first = original?.channels.first
      kind = topic == nil ? first?.kind ?? .email : .ntfy
      initialKind = kind
      form = Form(
        [
          .name: TextInput(original?.name ?? "", limit: 200),
          .address: TextInput(topic?.address ?? first?.address ?? "", limit: 2_000),
          .phone: TextInput(original?.phone ?? "", limit: 200),
          .note: TextInput(original?.note ?? "", limit: 2_000, isMultiline: true),
        ], roles: roles)
    }

    func validate(_ field: Field) throws(ValidationError) {
      let text = form[field].text
      switch field {
      case .name: _ = try ProfileRules.name(text)
      case .kind: break
      case .address:
        // Only a responder needs an address.
        if form.isOn(.responder) || !text.trimmingWhitespace().isEmpty {
          _ = try kind.checkedAddress(text)
        }
      case .phone: _ = try ProfileRules.phone(text)
      case .note: _ = try ProfileRules.note(text)
      case .responder, .dependent: if form.roles.isEmpty { throw .roleRequired }
      }
    }

    func doubt(about field: Field) -> String? {
      guard field == .address else { return nil }
      let draft = ChannelDraft(kind, form[.address].text)
      return form.isOn(.responder) ? draft.doubt(ofResponderTo: ownChannels) : draft.doubt
    }

    var hasChanges: Bool {
      form.isChanged || kind != initialKind
    }

    /// The channels that the form doesn't show.
    var otherChannels: ArraySlice<Channel> { (original?.channels ?? []).dropFirst() }

    /// Switches to another kind of channel. The address of the previous kind is kept in case the
    /// person switches back.
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
      form.doubts[.address] = nil
      form.show(Field.allCases.filter { $0 != .address || kind != .desktop })
      form.focus = .kind
    }

    /// Continues with the typed values on top of the newer contact.
    fileprivate mutating func keep() {
      original = newer
      newer = nil
    }

    /// The typed contact, or `nil` while a field is invalid.
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
    /// Fills in a topic that nobody can guess.
    case newTopicButtonTapped
    /// Opens the channels sheet, saving changes first.
    case channelsButtonTapped
    case channelsWanted(Contact)
    case saved(Contact)
    case saveFailed(ClientError)
    /// Discards the typed values and edits the newer contact.
    case newerButtonTapped
    /// Keeps the typed values. Saving them replaces the newer contact.
    case keepButtonTapped
  }

  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.uuid) var uuid

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .form(let action):
      state.leadsToChannels = false
      return state.apply(action, save: save)

    case .kindChosen(let kind): state.choose(kind)
    case .newTopicButtonTapped:
      state.form.replace(.address, with: NtfyTopic(id: uuid()).address)

    case .channelsButtonTapped:
      guard let original = state.original, !state.form.isSaving else { return .none }
      guard state.hasChanges else { return .send(.channelsWanted(original)) }
      let effect = state.apply(.saveButtonTapped, save: save)
      state.leadsToChannels = state.form.isSaving
      return effect

    case .channelsWanted:
      // The channels sheet replaces the form.
      break

    case .saved: state.form.saved()

    case .saveFailed(.contactChanged(let newer)):
      state.leadsToChannels = false
      state.form.isSaving = false
      state.newer = newer

    case .saveFailed(let error):
      state.leadsToChannels = false
      state.form.failed(error.text)

    case .newerButtonTapped:
      if let newer = state.newer { state = State(editing: newer) }

    case .keepButtonTapped: state.keep()
    }
    return .none
  }

  private func save(_ state: State) -> Effect<Action> {
    guard let draft = state.draft else { return .none }
    return .request(Action.saved, or: Action.saveFailed) {
      [original = state.original] () throws(ClientError) in
      guard let original else { return try await contactsClient.add(draft) }
      return try await contactsClient.update(original, draft)
    }
  }
}

/// The sheet for adding or changing a contact.
struct ContactFormView: View {
  let store: StoreOf<ContactFormFeature>

  var body: some View {
    FormSheet(
      store.original.map { "Edit \($0.name)" } ?? "Add a contact", width: 72, form: store.form,
      commands: commands, send: { store.send(.form($0)) }
    ) { fields in
      fields.text(.name, "Name", "Grace Hopper")
      fields.kind(.kind, store.kind, address: .address) { store.send(.kindChosen($0)) }
      if store.kind != .desktop {
        fields.text(.address, store.kind.addressTitle, store.kind.placeholder)
      }
      otherChannels
      fields.text(.phone, "Phone", "+44 20 7183 8750, optional")
      fields.text(.note, "Note", "optional", rows: 2)
      fields.roles(responder: "is notified when you need help", dependent: "you respond for them")
    }
    .overlay {
      if let newer = store.newer { newerDialog(newer) }
    }
  }

  private var commands: [Command] {
    var commands: [Command] = []
    if store.kind == .ntfy {
      commands.append(
        Command(key: "ctrl+n", title: "New topic") { store.send(.newTopicButtonTapped) })
    }
    if store.original != nil {
      commands.append(
        Command(key: "ctrl+o", title: "All channels") { store.send(.channelsButtonTapped) })
    }
    return commands
  }

  /// The channels after the first, which the channels sheet changes.
  @ViewBuilder private var otherChannels: some View {
    let others = store.state.otherChannels
    if !others.isEmpty {
      HStack(spacing: 1) {
        Text("and").foreground(.dim).frame(width: formLabelWidth + 1, alignment: .leading)
        Text(others.map { "\($0.kind.mark) \($0.shortAddress)" }.joined(separator: "  "))
          .frame(maxWidth: .max, alignment: .leading)
        Text("Ctrl-O changes these").foreground(.dim)
      }
      .lineLimit(1)
    }
  }

  /// The length to which a note is cut. A full one of 2,000 characters would hide the buttons.
  private static let shownNoteLength = 120

  private func newerDialog(_ newer: Contact) -> some View {
    let note = newer.note.prefix(Self.shownNoteLength)
    let lines = [
      newer.name,
      newer.channels.isEmpty
        ? "no channel" : newer.channels.map(\.shortAddress).joined(separator: ", "),
      newer.phone.map(PhoneNumber.grouped) ?? "no phone", newer.roles.displayText,
      note.isEmpty ? "no note" : note.count < newer.note.count ? "\(note)…" : String(note),
    ]
    return Dialog(
      title: "Changed somewhere else",
      message: "While you were typing, this contact was changed to:\n\n"
        + lines.map { "  \($0)" }.joined(separator: "\n"),
      role: .warning,
      buttons: [
        DialogButton("Keep editing mine", key: "esc") { store.send(.keepButtonTapped) },
        DialogButton("Edit the newer one", key: "n") { store.send(.newerButtonTapped) },
      ])
  }
}

extension ContactFormFeature: SheetFeature {
  static let element = pathElement { ContactFormFeature() }

  func step(after action: Action, in state: State, _ snapshot: AccountSnapshot) -> SheetStep {
    switch action {
    case .channelsWanted(let contact):
      SheetStep(closes: true, opens: channels(of: contact, snapshot))
    case .saved(let contact):
      SheetStep(closes: true, opens: state.leadsToChannels ? channels(of: contact, snapshot) : [])
    default: .none
    }
  }

  /// The sheet of a contact's channels over their details.
  private func channels(of contact: Contact, _ snapshot: AccountSnapshot) -> [OpenSheet] {
    [
      OpenSheet(ContactDetailsFeature.self, .init(contact: contact, snapshot: snapshot)),
      OpenSheet(ChannelsFeature.self, .init(of: contact.id, snapshot: snapshot)),
    ]
  }

  static func delegate(of action: Action) -> DelegateAction? {
    if case .saved(let contact) = action { .contactSaved(contact) } else { nil }
  }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    ContactFormView(store: store)
  }
}

extension ContactFormFeature.State: SheetState {
  var isChanged: Bool { hasChanges }
}
