import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// The form for a new channel: its kind, its address, and the access token of a protected topic.
struct ChannelFormFeature: Reducer {
  enum Field: FormKey { case kind, address, token }

  struct State: FormState {
    let contact: Contact.ID?
    private(set) var kind = Channel.Kind.email
    var form: Form<Field>

    init(of contact: Contact.ID?) {
      self.contact = contact
      form = Form([
        .address: TextInput(limit: 2_000), .token: TextInput(limit: 256, isSecure: true),
      ])
      choose(.email)
      form.focus = .address
    }

    /// Shows the fields that a kind has.
    mutating func choose(_ kind: Channel.Kind) {
      self.kind = kind
      form.errors = [:]
      form.touched = []
      form.show(kind.fields)
    }

    func validate(_ field: Field) throws(ValidationError) {
      switch field {
      case .kind: break
      case .address: _ = try kind.checkedAddress(form[.address].text)
      case .token: _ = try ChannelDraft(.ntfy, "topic", token: form[.token].secret).checked()
      }
    }

    var draft: ChannelDraft {
      ChannelDraft(
        kind, form[.address].text, token: kind == .ntfy ? form[.token].secret : nil)
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case form(FormAction<Field>)
    case kindChosen(Channel.Kind)
    case saved(NewChannel)
    case saveFailed(ClientError)
  }

  @Dependency(\.channelsClient) var channelsClient

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .form(let action): return state.apply(action, save: save)

    case .kindChosen(let kind): state.choose(kind)
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
    case .service: [.kind, .address]
    }
  }
}

/// The sheet for adding a channel.
struct ChannelFormView: View {
  let store: StoreOf<ChannelFormFeature>

  var body: some View {
    FormSheet("Add a channel", width: 72, form: store.form, send: { store.send(.form($0)) }) {
      fields in
      fields.kind(.kind, store.kind, address: .address) { store.send(.kindChosen($0)) }
      if store.form.shown.contains(.address) {
        fields.text(.address, store.kind.addressTitle, store.kind.placeholder)
      }
      if store.form.shown.contains(.token) {
        fields.text(.token, "Access token", "if the topic is protected")
      }
      Text(explanation).foreground(.dim)
    }
  }

  private var explanation: String {
    switch store.kind {
    case .email: "A message to this address."
    case .webhook: "A signed message to this URL; you get the secret that signs it."
    case .ntfy: "A message to this topic. Whoever knows the topic can read it."
    case .desktop: "A notification on the desktop of the machine on which the monitor runs."
    case .service: "A message by a messaging service."
    }
  }
}
