import Clients
import Composable
import ComposableFoundation
import Domain
import FoundationEssentials
import Terminal

/// The form for a new channel: its kind, its address and the access token of a protected topic, or
/// a service and the fields that its file declares (CHN-4).
struct ChannelFormFeature: Reducer {
  enum Field: FormKey {
    case kind, address, token
    case service, first, second, third, fourth

    /// The fields of a service, in the order in which it declares them.
    static let ofService: [Field] = [.first, .second, .third, .fourth]
  }

  struct State: FormState {
    let contact: Contact.ID?
    /// The services to choose from.
    let services: [Service]
    private(set) var service: Service?
    private(set) var kind = Channel.Kind.email
    var form: Form<Field>

    init(of contact: Contact.ID?, services: [Service] = []) {
      self.contact = contact
      self.services = services
      form = Form(
        [.address: TextInput(limit: 2_000), .token: TextInput(limit: 256, isSecure: true)]
          .merging(Field.ofService.map { ($0, TextInput(limit: 500)) }) { $1 })
      choose(.email)
      form.focus = .address
    }

    /// Shows the fields of a kind.
    mutating func choose(_ kind: Channel.Kind) {
      self.kind = kind
      form.errors = [:]
      form.doubts = [:]
      form.touched = []
      if kind == .service, let first = services.first { return choose(first) }
      form.show(kind.fields)
    }

    /// Shows the fields of a service, cleared.
    mutating func choose(_ service: Service) {
      self.service = service
      form.errors = [:]
      form.doubts = [:]
      form.touched = []
      for (field, declared) in zip(Field.ofService, service.fields) {
        form[field] = TextInput(limit: 500, isSecure: declared.isSecret)
      }
      form.show([.kind, .service] + Field.ofService.prefix(service.fields.count))
    }

    /// The declaration of a field in the service's file.
    func declared(_ field: Field) -> Service.Field? {
      guard let service, let index = Field.ofService.firstIndex(of: field) else { return nil }
      return service.fields.indices.contains(index) ? service.fields[index] : nil
    }

    func validate(_ field: Field) throws(ValidationError) {
      switch field {
      case .kind, .service: break
      case .first, .second, .third, .fourth:
        _ = try declared(field)?.checked(form[field].text)
      case .address: _ = try kind.checkedAddress(form[.address].text)
      case .token: _ = try ChannelDraft(.ntfy, "topic", token: form[.token].secret).checked()
      }
    }

    func doubt(about field: Field) -> String? { field == .address ? draft.doubt : nil }

    var draft: ChannelDraft {
      if kind == .service, let service {
        let typed = zip(Field.ofService, service.fields).map { ($1.id, form[$0].text) }
        // Invalid fields are never saved, so any draft will do.
        return (try? service.draft(Dictionary(uniqueKeysWithValues: typed)))
          ?? ChannelDraft(.service, "")
      }
      return ChannelDraft(
        kind, form[.address].text, token: kind == .ntfy ? form[.token].secret : nil)
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case form(FormAction<Field>)
    case kindChosen(Channel.Kind)
    case serviceChosen(Service.ID)
    /// Fills in a topic that nobody can guess.
    case newTopicButtonTapped
    case saved(NewChannel)
    case saveFailed(ClientError)
  }

  @Dependency(\.channelsClient) var channelsClient
  @Dependency(\.uuid) var uuid

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .form(let action): return state.apply(action, save: save)

    case .kindChosen(let kind): state.choose(kind)
    case .serviceChosen(let id):
      if let service = state.services.first(where: { $0.id == id }) {
        state.choose(service)
        state.form.focus = .service
      }
    case .newTopicButtonTapped:
      state.form.replace(.address, with: NtfyTopic(id: uuid()).address)
    case .saved: state.form.saved()
    case .saveFailed(let error): state.form.failed(error.text)
    }
    return .none
  }

  private func save(_ state: State) -> Effect<Action> {
    .request(Action.saved, or: Action.saveFailed) {
      [draft = state.draft, contact = state.contact] () throws(ClientError) in
      try await channelsClient.add(draft, contact)
    }
  }
}

extension Channel.Kind {
  fileprivate var fields: [ChannelFormFeature.Field] {
    switch self {
    case .email, .webhook: [.kind, .address]
    case .ntfy: [.kind, .address, .token]
    case .desktop: [.kind]
    case .service: [.kind]
    }
  }
}

/// The sheet for adding a channel.
struct ChannelFormView: View {
  let store: StoreOf<ChannelFormFeature>

  var body: some View {
    FormSheet("Add a channel", width: 72, form: store.form, send: { store.send(.form($0)) }) {
      fields in
      fields.kind(.kind, store.kind, address: .address, among: kinds) {
        store.send(.kindChosen($0))
      }
      if let service = store.service, store.kind == .service {
        Picker(
          "Service", choices: store.services.map(\.title),
          selected: store.services.firstIndex(of: service) ?? 0,
          isFocused: store.form.focus == .service,
          onChange: { store.send(.serviceChosen(store.services[$0].id)) }
        )
        .labelWidth(formLabelWidth)
        ForEach(Array(service.fields.indices), id: \.self) { index in
          fields.text(
            ChannelFormFeature.Field.ofService[index], service.fields[index].title,
            service.fields[index].example)
        }
      }
      if store.form.shown.contains(.address) {
        fields.text(.address, store.kind.addressTitle, store.kind.placeholder)
      }
      if store.form.shown.contains(.token) {
        fields.text(.token, "Access token", "if the topic is protected")
      }
      Text(explanation).foreground(.dim)
        .commandIf(store.kind == .ntfy, "ctrl+n", "New topic") {
          store.send(.newTopicButtonTapped)
        }
    }
  }

  private var kinds: [Channel.Kind] {
    Channel.Kind.allCases.filter { $0 != .service || !store.services.isEmpty }
  }

  private var explanation: String {
    switch store.kind {
    case .email: "A message to this address."
    case .webhook: "A signed message to this URL; you get the secret that signs it."
    case .ntfy: "A message to this topic. Anyone who knows the topic can read it."
    case .desktop: "A notification on the desktop of the machine on which the monitor runs."
    case .service: store.service?.setup ?? ""
    }
  }
}

extension ChannelFormFeature: SheetFeature {
  static let element = pathElement { ChannelFormFeature() }

  func step(after action: Action, in _: State, _: AccountSnapshot) -> SheetStep {
    switch action {
    case .saved: .closing
    default: .none
    }
  }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    ChannelFormView(store: store)
  }
}

extension ChannelFormFeature.State: SheetState {}
