import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// The form for a new channel: its kind, its address, and the access token of a protected topic.
struct ChannelFormFeature: Reducer {
  enum Field: FormKey { case kind, address, token }

  struct State: Equatable, Sendable {
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

    var draft: ChannelDraft {
      ChannelDraft(
        kind, form[.address].text, token: kind == .ntfy ? form[.token].secret : nil)
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case form(FormAction<Field>)
    case kindChosen(Channel.Kind)
    case saved(NewChannel)
    case saveFailed(ChannelError)
  }

  @Dependency(\.channelsClient) var channelsClient
  @Dependency(\.dismiss) var dismiss

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .form(let action):
      let kind = state.kind
      let request = state.form.apply(action) { form, field throws(ValidationError) in
        try Self.validate(form, field, kind)
      }
      switch request {
      case .save: return save(state)
      case .close: return .run { [dismiss] _ in await dismiss() }
      case nil: return .none
      }

    case .kindChosen(let kind):
      state.choose(kind)
      return .none

    case .saved:
      state.form.saved()
      return .none

    case .saveFailed(let error):
      state.form.failed(error.text)
      return .none
    }
  }

  private func save(_ state: State) -> Effect<Action> {
    .run { [channelsClient, draft = state.draft, contact = state.contact] send in
      do throws(ChannelError) {
        await send(.saved(try await channelsClient.add(draft, contact)))
      } catch {
        await send(.saveFailed(error))
      }
    }
  }

  static func validate(
    _ form: Form<Field>, _ field: Field, _ kind: Channel.Kind
  ) throws(ValidationError) {
    switch field {
    case .kind: break
    case .address: _ = try kind.checkedAddress(form[.address].text)
    case .token: _ = try ChannelDraft(.ntfy, "topic", token: form[.token].secret).checked()
    }
  }
}

extension Channel.Kind {
  fileprivate var fields: [ChannelFormFeature.Field] {
    switch self {
    case .email, .webhook: [.kind, .address]
    case .ntfy: [.kind, .address, .token]
    case .desktop: [.kind]
    }
  }
}
